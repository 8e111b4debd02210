// Rule: ?
// Damped dispersion energy between all atoms, in slices of 256, with a
// coefficient for each pair of sixteen elements: the table of 1 kB read through
// L1, or copied to shared memory, where its rows meet in two banks.
// Options: --buffer=Element=random,count=4096,below=16
#include "Pair.cuh"

constexpr int Atoms = 4096, Elements = 16, Slice = 256, Threads = 128;
constexpr int Slices = Atoms / Slice;
constexpr float Box = 20, Damping = 4;

__device__ float energy(float4 A, float4 B, float Coefficient) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  const float Square = Box * Box * (X * X + Y * Y + Z * Z);
  return __fdividef(Coefficient, Square * Square * Square + Damping);
}

__global__ void before(const float4 *__restrict__ Place,
                       const int *__restrict__ Element,
                       const float *__restrict__ Coefficients,
                       float *__restrict__ Energy) {
  __shared__ float4 Other[Slice];
  __shared__ int OtherElement[Slice];
  const int Atom = blockIdx.x * Threads + threadIdx.x;
  for (int J = threadIdx.x; J < Slice; J += Threads) {
    Other[J] = Place[blockIdx.y * Slice + J];
    OtherElement[J] = Element[blockIdx.y * Slice + J];
  }
  __syncthreads();
  const float4 Own = Place[Atom];
  const int Row = Element[Atom] * Elements;
  float Sum = 0;
  for (int J = 0; J < Slice; ++J)
    if (blockIdx.y * Slice + J != Atom)
      Sum += energy(Own, Other[J], Coefficients[Row + OtherElement[J]]);
  Energy[blockIdx.y * Atoms + Atom] = Sum;
}

__global__ void after(const float4 *__restrict__ Place,
                      const int *__restrict__ Element,
                      const float *__restrict__ Coefficients,
                      float *__restrict__ Energy) {
  __shared__ float4 Other[Slice];
  __shared__ int OtherElement[Slice];
  __shared__ float Table[Elements * Elements];
  const int Atom = blockIdx.x * Threads + threadIdx.x;
  for (int J = threadIdx.x; J < Slice; J += Threads) {
    Other[J] = Place[blockIdx.y * Slice + J];
    OtherElement[J] = Element[blockIdx.y * Slice + J];
  }
  for (int J = threadIdx.x; J < Elements * Elements; J += Threads)
    Table[J] = Coefficients[J];
  __syncthreads();
  const float4 Own = Place[Atom];
  const int Row = Element[Atom] * Elements;
  float Sum = 0;
  for (int J = 0; J < Slice; ++J)
    if (blockIdx.y * Slice + J != Atom)
      Sum += energy(Own, Other[J], Table[Row + OtherElement[J]]);
  Energy[blockIdx.y * Atoms + Atom] = Sum;
}

int main() {
  const float *Place = input<float>(4 * Atoms),
              *Coefficients = input<float>(Elements * Elements);
  const int *Element = input<int>(Atoms, Elements);
  float *Expected = output<float>(Slices * Atoms),
        *Out = output<float>(Slices * Atoms);
  Pair P("dispersion-coefficients-shared");
  P.same(Expected, Out, Slices * Atoms);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Atoms / Threads, Slices), Threads>>>(
          (const float4 *)Place, Element, Coefficients, Expected);
    else
      after<<<dim3(Atoms / Threads, Slices), Threads>>>(
          (const float4 *)Place, Element, Coefficients, Out);
}
