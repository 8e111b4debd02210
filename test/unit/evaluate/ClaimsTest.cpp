//===- ClaimsTest.cpp - What is claimed holds for every value -------------===//
//
// Draws kernels at random, hides some of their arguments, the starts of their
// pointers or the grid from the evaluator, and evaluates them once. Then every
// thread is run by itself under many values of what was hidden: none of them
// may break an exact or bounded claim, or the bounds of another.
//
// WARPWISE_CLAIMS=20000 runs that many kernels instead of a slice.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/Evaluator.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/output/accesses/AccessJson.h"
#include "test/unit/evaluate/BruteForce.h"
#include "test/unit/evaluate/EmitKernel.h"
#include "test/unit/evaluate/ExpressionGenerator.h"
#include "test/unit/evaluate/Generator.h"
#include "test/unit/evaluate/SitesOfAccess.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

using namespace llvm;
using namespace warpwise;
using namespace warpwise::access;
using namespace warpwise::test;

namespace {

constexpr unsigned KernelsOfASlice = 400;
/// Kernels whose claims were once broken.
constexpr uint64_t Regressions[] = {
    2594,   4904,   6981,   8863,   11135,  12442,  16651,   18424,   606607,
    503747, 602391, 605167, 800739, 980847, 981333, 2010448, 7001289, 9501198};
constexpr unsigned Assignments = 50;
constexpr unsigned KernelsPerModule = 40;
constexpr uint64_t Budget = 1'000'000;
constexpr unsigned MostFailures = 3;

/// A kernel of which not everything is told.
struct Specimen {
  GeneratedKernel Tree;
  EmittedKernel Emitted;
  KernelLaunch Launch;
  std::vector<uint8_t> HidesArgument; ///< by argument
  std::vector<uint8_t> HidesStart;    ///< by access
  bool HidesGrid = false;
  std::vector<BruteForceResult> Runs; ///< by assignment
  std::vector<std::string> Names;
};

/// Small, odd, negative, aligned and huge.
int64_t drawValue(Dice &Random, unsigned Bits, Passing How) {
  switch (Random.below(8)) {
  case 0:
    return Random.between(-3, 3);
  case 1:
    return 2 * Random.between(0, 600) + 1;
  case 2:
    return -Random.between(1, 5000);
  case 3:
    return 32 * Random.between(0, 200);
  case 4:
    return int64_t(1) << Random.below(14);
  case 5:
    if (How == Passing::LoadedReal)
      return Random.between(-16'000'000, 16'000'000);
    return Bits == 64 ? int64_t(Random.below(uint64_t(1) << 40)) - (1ll << 39)
                      : int64_t(int32_t(Random.below(uint64_t(1) << 32)));
  case 6:
    if (How == Passing::LoadedReal)
      return 1 << 20;
    return Bits == 64 ? (1ll << 40) : 0x7ffffff0 + Random.between(0, 15);
  default:
    return Random.between(0, 70);
  }
}

LaunchPlan planOf(const Specimen &S) {
  LaunchPlan Plan;
  Plan.Shape.Block = S.Launch.Block;
  if (!S.HidesGrid)
    Plan.Shape.Grid = S.Launch.Grid;
  for (size_t N = 0; N != S.Tree.ArgumentBits.size(); ++N) {
    launch::Argument &A = Plan.Arguments.emplace_back();
    if (S.HidesArgument[N])
      continue;
    if (S.Tree.ArgumentPassing[N] == Passing::Value)
      A.Integer = S.Launch.Arguments[N];
  }
  for (size_t N = 0; N != S.Tree.Accesses.size(); ++N)
    if (S.Tree.Accesses[N].Memory == Space::Global) {
      launch::Argument &A = Plan.Arguments.emplace_back();
      if (!S.HidesStart[N])
        A.PointerOffset = S.Tree.Accesses[N].Offset;
    }
  Plan.Arguments.emplace_back().PointerOffset = 0;
  return Plan;
}

double meanOf(const Site &S, const AccessSums &E) {
  const double Sum = S.Memory == Space::Shared     ? double(E.Wavefronts)
                     : S.Memory == Space::Constant ? double(E.Words)
                                                   : double(E.Sectors);
  return Sum / double(E.Requests);
}

double numberOf(const Site &S, const Cost &C) {
  return (S.Memory == Space::Shared     ? C.Wavefronts
          : S.Memory == Space::Constant ? C.Words
                                        : C.Sectors)
      .value_or(0);
}

class ClaimsTest : public testing::Test {
protected:
  std::unique_ptr<TargetMachine> Machine;
  std::map<Proof, unsigned> States;
  unsigned Compared = 0, Failures = 0;

  void SetUp() override {
    Machine = cantFail(lowering::createTargetMachine("sm_90"));
  }

  /// Draws a kernel and what to hide of it, and runs it under many values.
  static Specimen draw(uint64_t Seed) {
    Dice Random(Seed * 7919 + 1);
    Specimen S;
    S.Tree = Seed % 6 == 0 ? drawDataDependentKernel(Seed) : drawKernel(Seed);
    S.Launch = S.Tree.Launches.front();
    if (S.Launch.Grid == std::array<uint32_t, 3>{1, 1, 1} && Random.percent(50))
      S.Launch.Grid = {uint32_t(Random.between(1, 4)), 1, 1};
    for (size_t N = 0; N != S.Tree.ArgumentBits.size(); ++N) {
      const Passing How =
          Random.oneOf({Passing::Value, Passing::Value, Passing::Loaded,
                        Passing::LoadedReal, Passing::Member});
      S.HidesArgument.push_back(How != Passing::Value || Random.percent(60));
      S.Tree.ArgumentPassing.push_back(How);
    }
    for (size_t N = 0; N != S.Tree.Accesses.size(); ++N)
      S.HidesStart.push_back(Random.percent(30));
    S.HidesGrid = Random.percent(15);
    const unsigned Threads =
        S.Launch.Block[0] * S.Launch.Block[1] * S.Launch.Block[2];
    for (unsigned A = 0; A != Assignments; ++A) {
      KernelLaunch L = S.Launch;
      L.Memory = Random.below(1 << 20);
      for (size_t N = 0; N != L.Arguments.size(); ++N)
        if (S.HidesArgument[N])
          L.Arguments[N] = drawValue(Random, S.Tree.ArgumentBits[N],
                                     S.Tree.ArgumentPassing[N]);
      if (S.HidesGrid)
        L.Grid = {uint32_t(Random.between(1, Threads > 256 ? 2 : 5)), 1, 1};
      std::string Starts;
      for (size_t N = 0; N != S.Tree.Accesses.size(); ++N)
        if (S.HidesStart[N] && S.Tree.Accesses[N].Memory == Space::Global) {
          S.Tree.Accesses[N].Offset =
              int64_t(Random.below(64) * S.Tree.Accesses[N].Bytes);
          Starts +=
              fmt::format(" start of {} at {}", N, S.Tree.Accesses[N].Offset);
        }
      S.Runs.push_back(runThreads(S.Tree, L));
      S.Names.push_back(toString(L) + Starts);
    }
    return S;
  }

  void check(const Specimen &S) {
    const Program Code = compileKernel(*S.Emitted.Function);
    const auto Sites = sitesOf(S.Tree, S.Emitted, Code);
    const LaunchResult Found = evaluateLaunch(Code, planOf(S), {}, Budget);
    for (unsigned A = 0; A != Sites.size(); ++A) {
      if (Sites[A].empty() || !isAsWritten(S.Tree.Accesses[A], Code, Sites[A]))
        continue;
      const Site &At = Code.Sites[Sites[A][0]];
      const std::optional<Cost> &C = Found.Sites[Sites[A][0]].Value;
      if (!C)
        continue;
      ++States[C->State];
      for (size_t R = 0; R != S.Runs.size(); ++R) {
        const AccessSums &E = S.Runs[R].Accesses[A];
        if (S.Runs[R].TooLong || E.Requests == 0 || E.LeavesShared)
          continue;
        ++Compared;
        const double Mean = meanOf(At, E), Slack = 1e-9 * Mean;
        bool Holds = true;
        if (C->State == Proof::Exact)
          Holds = std::abs(Mean - numberOf(At, *C)) <= Slack;
        else if (C->State == Proof::Bounded || C->State == Proof::DataDependent)
          Holds = C->Low.value_or(0) - Slack <= Mean &&
                  Mean <= C->High.value_or(Mean) + Slack;
        else if (C->State == Proof::Estimated && C->Possible)
          Holds = (*C->Possible)[0] - Slack <= Mean &&
                  Mean <= (*C->Possible)[1] + Slack;
        if (Holds)
          continue;
        ++Failures;
        std::string Ir;
        raw_string_ostream(Ir) << *S.Emitted.Function;
        ADD_FAILURE() << "seed " << S.Tree.Seed << " access " << A << " in "
                      << S.Names[R] << ": measured " << Mean << ", claimed "
                      << output::nameOf(C->State).str() << " "
                      << numberOf(At, *C) << " [" << C->Low.value_or(-1) << ", "
                      << C->High.value_or(-1) << "]"
                      << (C->Possible ? fmt::format(", possible [{}, {}]",
                                                    (*C->Possible)[0],
                                                    (*C->Possible)[1])
                                      : "")
                      << " " << C->Reason << "\n"
                      << "told: " << toString(S.Launch)
                      << (S.HidesGrid ? " without the grid" : "") << "\n"
                      << toString(S.Tree, int(A)) << Ir;
        break;
      }
    }
  }
};

TEST_F(ClaimsTest, HoldForEveryValue) {
  const char *Wanted = std::getenv("WARPWISE_CLAIMS");
  const unsigned Kernels = Wanted ? unsigned(atoi(Wanted)) : KernelsOfASlice;
  const char *From = std::getenv("WARPWISE_CLAIMS_FROM");
  uint64_t Seed = From ? uint64_t(atoll(From)) : 1;
  std::vector<uint64_t> First(std::begin(Regressions), std::end(Regressions));
  for (unsigned Done = 0; Done < Kernels && Failures < MostFailures;) {
    LLVMContext Context;
    Module M("generated", Context);
    M.setTargetTriple("nvptx64-nvidia-cuda");
    M.setDataLayout(Machine->createDataLayout());
    std::vector<Specimen> Specimens;
    for (; Specimens.size() != KernelsPerModule; ++Done) {
      const bool Known = Done < First.size();
      Specimens.push_back(draw(Known ? First[Done] : Seed++));
      Specimens.back().Emitted = emitKernel(Specimens.back().Tree, M);
    }
    ASSERT_FALSE(verifyModule(M, &errs()));
    lowering::canonicalise(M, *Machine);
    for (const Specimen &S : Specimens)
      if (Failures < MostFailures)
        check(S);
  }
  fmt::print("{} exact, {} bounded, {} estimated, {} data-dependent; {} "
             "comparisons\n",
             States[Proof::Exact], States[Proof::Bounded],
             States[Proof::Estimated], States[Proof::DataDependent], Compared);
  EXPECT_GT(States[Proof::Exact] + States[Proof::Bounded], Kernels / 2);
}

} // namespace
