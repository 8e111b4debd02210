// Rule: cuda-memory-scalar-stream
// A column of a database: the hour of the week of each time stamp, 64-bit
// seconds in a time zone; a row per thread, or two with loads and stores of
// 16 bytes.
#include "Pair.cuh"

constexpr size_t Rows = size_t(6) << 20;

__device__ long long hourOfWeek(long long Seconds, long long Zone) {
  const long long Hours = (Seconds + Zone) / 3600 + 4 * 24;
  return Hours % 168;
}

__global__ void before(const long long *Stamp, long long *Hour, size_t Count,
                       long long Zone) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Hour[I] = hourOfWeek(Stamp[I], Zone);
}

__global__ void after(const longlong2 *Stamp, longlong2 *Hour, size_t Count,
                      long long Zone) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I >= Count / 2)
    return;
  const longlong2 Two = Stamp[I];
  longlong2 Result;
  Result.x = hourOfWeek(Two.x, Zone);
  Result.y = hourOfWeek(Two.y, Zone);
  Hour[I] = Result;
}

int main() {
  const long long *Stamp = input<long long>(Rows, 2000000000u);
  long long *Expected = output<long long>(Rows),
            *Out = output<long long>(Rows);
  Pair P("timestamps-to-hours-longlong2");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 256, 256>>>(Stamp, Expected, Rows, 7200);
    else
      after<<<Rows / 512, 256>>>(reinterpret_cast<const longlong2 *>(Stamp),
                                 reinterpret_cast<longlong2 *>(Out), Rows,
                                 7200);
}
