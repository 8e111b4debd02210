//===- LocalArrays.cpp - How large a private array registers hold ---------===//

#include "kernels/local-arrays/LocalArrays.h"
#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Session.h"
#include "kernels/local-arrays/Nvcc.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace warpwise::harness {
namespace {

/// Larger sizes are not tried: they cost the compiler the most, and a thread
/// has 255 registers for everything.
unsigned most(ArrayUse Use) {
  switch (Use) {
  case ArrayUse::VectorAddition:
    return 160;
  case ArrayUse::MatrixMultiplication:
    return 14;
  case ArrayUse::Sorting:
    break;
  }
  return 64;
}

/// Candidates of one use in one call of the compiler. Starting it costs as much
/// as one kernel near the limit.
constexpr unsigned AtOnce = 2;

// The barrier stands between filling and using the array: else each element
// could be used as soon as it is there, and there would be no array. An array
// index runs over the loop's counter, and threads lie side by side in memory.
constexpr const char *Additions = R"(
extern "C" __global__ void {kernel}(const float *A, const float *B, float *C) {{
  float Sum[{n}];
  for (int I = 0; I < {n}; ++I)
    Sum[I] = A[I * blockDim.x + threadIdx.x] + B[I * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int I = 0; I < {n}; ++I)
    C[I * blockDim.x + threadIdx.x] = Sum[I];
}}
)";
constexpr const char *Multiplications = R"(
extern "C" __global__ void {kernel}(const float *A, const float *B, float *C) {{
  float Product[{n}][{n}];
  for (int Row = 0; Row < {n}; ++Row)
    for (int Column = 0; Column < {n}; ++Column) {{
      Product[Row][Column] = 0;
      for (int I = 0; I < {n}; ++I)
        Product[Row][Column] +=
            A[(Row * {n} + I) * blockDim.x + threadIdx.x] *
            B[(I * {n} + Column) * blockDim.x + threadIdx.x];
    }}
  __syncthreads();
  for (int Row = 0; Row < {n}; ++Row)
    for (int Column = 0; Column < {n}; ++Column)
      C[(Row * {n} + Column) * blockDim.x + threadIdx.x] =
          Product[Row][Column];
}}
)";
constexpr const char *Insertions = R"(
extern "C" __global__ void {kernel}(const float *A, const float *B, float *C) {{
  float Sorted[{n}];
  for (int I = 0; I < {n}; ++I)
    Sorted[I] = A[I * blockDim.x + threadIdx.x];
  for (int I = 1; I < {n}; ++I) {{
    const float Key = Sorted[I];
    int J = I - 1;
    for (; J >= 0 && Sorted[J] > Key; --J)
      Sorted[J + 1] = Sorted[J];
    Sorted[J + 1] = Key;
  }}
  for (int I = 0; I < {n}; ++I)
    C[I * blockDim.x + threadIdx.x] = Sorted[I];
}}
)";

ArrayLimits limitsFor(const Nvcc &Compiler, unsigned Architecture) {
  const auto AreKept = [&](const std::vector<ArrayCandidate> &Candidates) {
    std::string Source;
    for (const ArrayCandidate &C : Candidates)
      Source += kernelSource(C);
    const std::map<std::string, unsigned> Frames =
        Compiler.stackFramesOf(Source, Architecture);
    std::vector<bool> Kept;
    for (const ArrayCandidate &C : Candidates) {
      const auto At = Frames.find(kernelName(C));
      if (At == Frames.end())
        throw Skip("ptxas does not say how large the stack frames are");
      Kept.push_back(At->second == 0);
    }
    return Kept;
  };
  return findLimits(AreKept);
}

/// Adds sizes between \p Low and \p High, in ascending order.
void spread(ArrayUse Use, unsigned Low, unsigned High,
            std::vector<ArrayCandidate> &Open) {
  const unsigned Between = High - Low - 1;
  const unsigned Count = std::min(Between, AtOnce);
  for (unsigned I = 1; I <= Count; ++I)
    Open.push_back({Use, Low + (Between + 1) * I / (Count + 1)});
}

/// Oldest and newest, two in between and the device's own.
std::set<unsigned> selection(const std::vector<unsigned> &Known,
                             unsigned Device) {
  std::set<unsigned> Chosen = {Known.front(), Known.back()};
  for (unsigned Each : {80u, 90u, Device})
    if (std::binary_search(Known.begin(), Known.end(), Each))
      Chosen.insert(Each);
  return Chosen;
}

std::string describe(const ArrayCandidate &C) {
  const auto Text = [&](unsigned Size) {
    return C.Use == ArrayUse::MatrixMultiplication
               ? fmt::format("{}x{}", Size, Size)
               : fmt::format("{}", Size);
  };
  return C.Size == most(C.Use)
             ? fmt::format("{} has none, more was not tried", Text(C.Size))
             : fmt::format("{} is the first with one", Text(C.Size + 1));
}

void run(Session &S) {
  // What needs time comes first and leaves the session alone: it runs beside
  // the benchmarks that use the GPU.
  const unsigned Capability = S.device().capability();
  const Nvcc Compiler;
  std::map<unsigned, ArrayLimits> Found;
  for (unsigned Each : selection(Compiler.architectures(), Capability))
    Found[Each] = limitsFor(Compiler, Each);

  const auto Record = [&](const std::string &Path, unsigned Architecture,
                          ArrayUse Use) {
    const ArrayCandidate C = {Use, Found.at(Architecture)[size_t(Use)]};
    S.exact(Path, "1", elements(C),
            fmt::format("elements of the largest array without a stack frame, "
                        "compiled by nvcc for sm_{}: {}",
                        Architecture, describe(C)));
  };
  for (const auto &[Architecture, Limits] : Found)
    for (ArrayUse Use : ArrayUses)
      Record(fmt::format("local_arrays.by_architecture.sm_{}.{}", Architecture,
                         arrayUseName(Use)),
             Architecture, Use);
  // Without a GPU the newest stands for the device.
  const unsigned Main = Capability == 0 ? Found.rbegin()->first : Capability;
  if (!Found.contains(Main))
    throw Skip(fmt::format("the nvcc that was found does not compile for sm_{}",
                           Main));
  for (ArrayUse Use : ArrayUses)
    Record(fmt::format("local_arrays.{}", arrayUseName(Use)), Main, Use);
}

const Registration Registered({
    .Name = "local-arrays",
    .Measures = "largest private array that the compiler keeps in registers",
    .When = Stage::Device,
    .NeedsGpu = false,
    .Provides = {{paths::local_arrays_vector_addition, "1"},
                 {paths::local_arrays_matrix_multiplication, "1"},
                 {paths::local_arrays_sorting, "1"}},
    .Run = run,
});

} // namespace

std::string_view arrayUseName(ArrayUse Use) {
  switch (Use) {
  case ArrayUse::VectorAddition:
    return "vector_addition";
  case ArrayUse::MatrixMultiplication:
    return "matrix_multiplication";
  case ArrayUse::Sorting:
    break;
  }
  return "sorting";
}

std::string kernelName(const ArrayCandidate &C) {
  return fmt::format("{}_{}", arrayUseName(C.Use), C.Size);
}

std::string kernelSource(const ArrayCandidate &C) {
  const char *Text = C.Use == ArrayUse::VectorAddition         ? Additions
                     : C.Use == ArrayUse::MatrixMultiplication ? Multiplications
                                                               : Insertions;
  return fmt::format(fmt::runtime(Text), fmt::arg("kernel", kernelName(C)),
                     fmt::arg("n", C.Size));
}

unsigned elements(const ArrayCandidate &C) {
  return C.Use == ArrayUse::MatrixMultiplication ? C.Size * C.Size : C.Size;
}

ArrayLimits findLimits(const AskCompiler &AreKept) {
  ArrayLimits Kept = {};
  ArrayLimits NotKept = {};
  for (ArrayUse Use : ArrayUses)
    NotKept[size_t(Use)] = most(Use) + 1;
  for (;;) {
    std::vector<ArrayCandidate> Open;
    for (ArrayUse Use : ArrayUses)
      spread(Use, Kept[size_t(Use)], NotKept[size_t(Use)], Open);
    if (Open.empty())
      return Kept;
    const std::vector<bool> Answers = AreKept(Open);
    for (size_t I = 0; I != Open.size(); ++I) {
      unsigned &High = NotKept[size_t(Open[I].Use)];
      // Beyond a size that is not kept, those that are do not count.
      if (Open[I].Size < High)
        (Answers[I] ? Kept[size_t(Open[I].Use)] : High) = Open[I].Size;
    }
  }
}

} // namespace warpwise::harness
