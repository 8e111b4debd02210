// Rule: cuda-memory-uncoalesced-access
// Gradients of a softmax over the classes of each row, with a buffer in global
// memory in which the classes of a row lie side by side: each lane walks along
// its row. Or the rows lie side by side, for each class.
#include "Pair.cuh"

#include <cstdlib>

constexpr int Rows = 1 << 19, Most = 16;

template <bool ByClass>
__global__ void gradients(const double *__restrict__ Scores,
                          const float *__restrict__ Labels, int Classes,
                          int Count, double *Buffer, float *Gradients,
                          float *Hessians) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Count)
    return;
  const int Step = ByClass ? Count : 1;
  double *Its = Buffer + (ByClass ? Row : Row * Classes);
  for (int K = 0; K < Classes; ++K)
    Its[K * Step] = Scores[K * Count + Row];
  double Largest = Its[0];
  for (int K = 1; K < Classes; ++K)
    Largest = max(Its[K * Step], Largest);
  double Sum = 0;
  for (int K = 0; K < Classes; ++K) {
    Its[K * Step] = exp(Its[K * Step] - Largest);
    Sum += Its[K * Step];
  }
  for (int K = 0; K < Classes; ++K)
    Its[K * Step] /= Sum;
  for (int K = 0; K < Classes; ++K) {
    const double P = Its[K * Step];
    const size_t I = size_t(Count) * K + Row;
    Gradients[I] = int(Labels[Row]) == K ? float(P - 1) : float(P);
    Hessians[I] = float(2 * P * (1 - P));
  }
}

int main(int Count, char **Words) {
  const int Classes = Count > 1 ? atoi(Words[1]) : 8;
  const size_t All = size_t(Rows) * Most;
  const double *Scores = input<double>(All);
  const float *Labels = input<float>(Rows);
  double *Buffer = output<double>(All);
  float *Expected = output<float>(All), *Gradients = output<float>(All),
        *Hessians = output<float>(All);
  Pair P("softmax-buffer-by-class");
  P.same(Expected, Gradients, size_t(Rows) * Classes);
  while (P.next())
    if (P.beforesTurn())
      gradients<false><<<Rows / 1024, 1024>>>(Scores, Labels, Classes, Rows,
                                              Buffer, Expected, Hessians);
    else
      gradients<true><<<Rows / 1024, 1024>>>(Scores, Labels, Classes, Rows,
                                             Buffer, Gradients, Hessians);
}
