// Rule: cuda-memory-uncoalesced-access
// A thousand columns cut out of a matrix of 8192 rows of doubles and scaled:
// rows of 1030 from the fourth column on, or rows of 1040 from the seventeenth
// on, so that every row of the slice begins a line.
#include "Pair.cuh"

constexpr int Rows = 8192, Columns = 1024, Odd = 1030, OddFirst = 3,
              Even = 1040, EvenFirst = 16;

__device__ __forceinline__ void slice(const double *In, int Pitch, int First,
                                      double Scale, double *Out) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x, R = blockIdx.y;
  Out[R * Columns + C] = Scale * In[R * Pitch + First + C];
}

__global__ void before(const double *__restrict__ In, double Scale,
                       double *__restrict__ Out) {
  slice(In, Odd, OddFirst, Scale, Out);
}

__global__ void after(const double *__restrict__ In, double Scale,
                      double *__restrict__ Out) {
  slice(In, Even, EvenFirst, Scale, Out);
}

int main() {
  const double *In = input<double>(Rows * Odd);
  const double *Aligned =
      arranged(In, Rows * Odd, Rows * Even, [](size_t I) -> size_t {
        const size_t R = I / Even, C = I % Even;
        return C < EvenFirst ? 0 : R * Odd + OddFirst + C - EvenFirst;
      });
  double *Expected = output<double>(Rows * Columns),
         *Out = output<double>(Rows * Columns);
  const dim3 Grid(Columns / 256, Rows);
  Pair P("slice-of-doubles-aligned");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(In, 1.5, Expected);
    else
      after<<<Grid, 256>>>(Aligned, 1.5, Out);
}
