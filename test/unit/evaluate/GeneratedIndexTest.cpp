//===- GeneratedIndexTest.cpp - The evaluator against brute force ---------===//
//
// Draws kernels at random, takes them through the canonical pipeline and the
// lane evaluator, and compares every number of every access with what comes
// out when each thread is run by itself.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/Evaluator.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "test/unit/evaluate/BruteForce.h"
#include "test/unit/evaluate/EmitKernel.h"
#include "test/unit/evaluate/Generator.h"
#include "test/unit/evaluate/SitesOfAccess.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

using namespace llvm;
using namespace warpwise;
using namespace warpwise::access;
using namespace warpwise::test;

namespace {

// Instrumented code takes five times as long.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPWISE_INSTRUMENTED
#endif
#endif
#ifdef WARPWISE_INSTRUMENTED
constexpr unsigned WantedCases = 20000;
#else
constexpr unsigned WantedCases = 100000;
#endif
constexpr unsigned KernelsPerModule = 64;
/// One module in this many is evaluated as it comes, without passes.
constexpr unsigned RawEvery = 8;
/// So many steps that no loop is cut short.
constexpr uint64_t Budget = uint64_t(1) << 40;
constexpr unsigned MostFailures = 5;

LaunchPlan planOf(const GeneratedKernel &K, const KernelLaunch &Launch) {
  LaunchPlan Plan;
  Plan.Shape.Block = Launch.Block;
  Plan.Shape.Grid = Launch.Grid;
  for (int64_t Value : Launch.Arguments)
    Plan.Arguments.emplace_back().Integer = Value;
  for (const MemoryAccess &A : K.Accesses)
    if (A.Memory == Space::Global)
      Plan.Arguments.emplace_back().PointerOffset = A.Offset;
  Plan.Arguments.emplace_back().PointerOffset = 0;
  return Plan;
}

/// A kernel on its way through the analyzer.
struct Specimen {
  GeneratedKernel Tree;
  EmittedKernel Emitted;
  std::vector<BruteForceResult> Expected; ///< by launch
};

std::string irOf(const Specimen &S) {
  std::string Text;
  raw_string_ostream(Text) << *S.Emitted.Function;
  return Text;
}

/// Compares the numbers of one access under one launch.
class Comparison {
  std::string Wrong;

public:
  void number(const char *Name, double Found, double Expected) {
    if (std::abs(Found - Expected) > 1e-9 * std::max(1.0, std::abs(Expected)))
      Wrong +=
          fmt::format("  {}: found {}, expected {}\n", Name, Found, Expected);
  }
  void fact(bool Holds, const std::string &What) {
    if (!Holds)
      Wrong += fmt::format("  {}\n", What);
  }
  const std::string &wrong() const { return Wrong; }
};

void compareWorst(const Cost &C, const AccessSums &E, Comparison &Compared) {
  if (!C.Worst)
    return Compared.fact(false, "no costliest request");
  Compared.fact(E.WorstPatterns.count(fingerprint(
                    C.Worst->Warp, C.Worst->ActiveMask, C.Worst->Offsets)),
                "the costliest request is not one of those expected");
}

void compareLoop(const Site &S, const Cost &C, const AccessSums &E,
                 Comparison &Compared) {
  if (C.Least || C.Most) {
    Compared.number("least", C.Least.value_or(0), E.Least);
    Compared.number("most", C.Most.value_or(0), E.Most);
  } else if (S.LoopDepth > 0) {
    Compared.number("most without extremes", E.Most, E.Least);
  }
}

/// What is wrong with the result for one access; empty: nothing. \p Blocks: how
/// many blocks of the grid the evaluator had no reason to run.
std::string compare(const Site &S, const SiteResult &Found, const AccessSums &E,
                    unsigned Blocks) {
  Comparison Compared;
  if (!Found.Value) {
    Compared.fact(E.Requests == 0, fmt::format("not reached, but expected {} "
                                               "requests",
                                               E.Requests));
    return Compared.wrong();
  }
  const Cost &C = *Found.Value;
  if (E.Requests == 0) {
    Compared.fact(
        false, fmt::format("{} requests where none is expected", C.Requests));
    return Compared.wrong();
  }
  const double Requests = double(E.Requests);
  // Of a loop that nvcc makes of an atomic the number of one round is right,
  // but it is not all. Where it may join rounds, those of each are.
  const bool IsJoined = S.Memory == Space::Shared && S.MostRoundsAtOnce > 1;
  Compared.fact(C.State == (S.IsEmulated ? Proof::Estimated : Proof::Exact) ||
                    IsJoined,
                "not exact: " + C.Reason);
  Compared.number("requests", double(C.Requests), Requests / Blocks);
  Compared.number("weight", C.Weight, Requests);
  Compared.number("active lanes", C.ActiveLanes, double(E.Lanes) / Requests);
  Compared.number("sectors", C.Sectors.value_or(0),
                  double(E.Sectors) / Requests);
  Compared.number("ideal sectors", C.IdealSectors.value_or(0),
                  double(E.IdealSectors) / Requests);
  Compared.number("wavefronts", C.Wavefronts.value_or(0),
                  double(E.Wavefronts) / Requests);
  if (!IsJoined)
    Compared.number("ideal wavefronts", C.IdealWavefronts.value_or(0),
                    double(E.IdealWavefronts) / Requests);
  Compared.number("words", C.Words.value_or(0), double(E.Words) / Requests);
  Compared.number("trips", double(Found.Trips.value_or(0)),
                  std::round(Requests / double(E.Warps)));
  Compared.fact(S.IsEmulated || IsJoined || (!C.Low && !C.High),
                "bounds beside an exact number");
  compareWorst(C, E, Compared);
  compareLoop(S, C, E, Compared);
  return Compared.wrong();
}

class GeneratedIndexTest : public testing::Test {
protected:
  std::unique_ptr<TargetMachine> Machine;
  unsigned Cases = 0, Reached = 0, LeftOut = 0, Failures = 0;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();

  void SetUp() override {
    Machine = cantFail(lowering::createTargetMachine("sm_90"));
  }

  void fail(const Specimen &S, const KernelLaunch &Launch, int Access,
            const std::string &What) {
    ++Failures;
    ADD_FAILURE() << "access " << Access << " under " << toString(Launch)
                  << "\n"
                  << What << toString(S.Tree, Access) << irOf(S);
  }

  void report(const char *What) const {
    const std::chrono::duration<double> Took =
        std::chrono::steady_clock::now() - Start;
    fmt::print(
        "{} {}, {} of them reached by some warp, in {:.1f} s; {} "
        "left out, since the passes changed which lanes make them together\n",
        Cases, What, Reached, Took.count(), LeftOut);
  }

  void check(const Specimen &S) {
    const Program Code = compileKernel(*S.Emitted.Function);
    const std::vector<std::vector<unsigned>> Sites =
        sitesOf(S.Tree, S.Emitted, Code);
    for (size_t L = 0; L != S.Tree.Launches.size(); ++L) {
      const KernelLaunch &Launch = S.Tree.Launches[L];
      const LaunchResult Found =
          evaluateLaunch(Code, planOf(S.Tree, Launch), {}, Budget);
      // Blocks that cannot differ are run once.
      const unsigned Blocks =
          Code.asksForBlock()
              ? 1
              : Launch.Grid[0] * Launch.Grid[1] * Launch.Grid[2];
      for (unsigned A = 0; A != Sites.size(); ++A) {
        if (!isAsWritten(S.Tree.Accesses[A], Code, Sites[A])) {
          ++LeftOut;
          continue;
        }
        const AccessSums &Expected = S.Expected[L].Accesses[A];
        ++Cases;
        Reached += Expected.Requests > 0;
        std::string Wrong;
        if (!Sites[A].empty())
          Wrong = compare(Code.Sites[Sites[A][0]], Found.Sites[Sites[A][0]],
                          Expected, Blocks);
        else if (Expected.Requests > 0)
          Wrong = "  the access is gone\n";
        if (!Wrong.empty())
          fail(S, Launch, int(A), Wrong);
      }
    }
  }

  /// Draws kernels from \p Seed on until a module is full.
  std::vector<Specimen> fill(Module &M, uint64_t &Seed) {
    std::vector<Specimen> Specimens;
    while (Specimens.size() != KernelsPerModule) {
      Specimen S{drawKernel(Seed++), {}, {}};
      bool TooLong = false;
      for (const KernelLaunch &Launch : S.Tree.Launches) {
        S.Expected.push_back(runThreads(S.Tree, Launch));
        TooLong |= S.Expected.back().TooLong;
      }
      if (TooLong)
        continue;
      S.Emitted = emitKernel(S.Tree, M);
      Specimens.push_back(std::move(S));
    }
    return Specimens;
  }
};

TEST_F(GeneratedIndexTest, AgreesWithEachThreadRunByItself) {
  uint64_t Seed = 1;
  for (unsigned Batch = 0; Reached < WantedCases && Failures < MostFailures;
       ++Batch) {
    LLVMContext Context;
    Module M("generated", Context);
    M.setTargetTriple("nvptx64-nvidia-cuda");
    M.setDataLayout(Machine->createDataLayout());
    const std::vector<Specimen> Specimens = fill(M, Seed);
    ASSERT_FALSE(verifyModule(M, &errs()));
    if (Batch % RawEvery != 0)
      lowering::canonicalise(M, *Machine);
    for (const Specimen &S : Specimens)
      if (Failures < MostFailures)
        check(S);
  }
  report("accesses checked");
  EXPECT_LT(LeftOut, Reached / 10) << "too little is compared";
}

} // namespace
