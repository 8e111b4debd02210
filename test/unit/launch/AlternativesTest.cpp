//===- AlternativesTest.cpp - Launches against those that happen ----------===//
//
// Draws host programs whose launches depend on the command line, collects their
// launches once, and runs them for many command lines: the launch that happens
// is among the alternatives each time.
//
// WARPWISE_HOST_PROGRAMS says how many programs; see docs/testing.md.
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "ParseLaunches.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>

using namespace warpwise;
using namespace warpwise::launch;
using namespace warpwise::test;

namespace {

constexpr unsigned UsualPrograms = 300;
constexpr unsigned RunsPerProgram = 24;
constexpr unsigned MostFailures = 5;
/// Programs that once launched what was not listed.
constexpr uint64_t Regressions[] = {3451, 5802, 6648, 7561};

unsigned wantedPrograms() {
  const char *Wanted = std::getenv("WARPWISE_HOST_PROGRAMS");
  return Wanted ? static_cast<unsigned>(std::atoi(Wanted)) : UsualPrograms;
}

/// A command line. Values that the program's conditions look at, and others.
std::vector<int32_t> drawWords(const HostProgram &Program,
                               std::mt19937_64 &Random) {
  std::vector<int32_t> Words;
  const auto below = [&](size_t Limit) { return Random() % Limit; };
  for (unsigned I = 0; I != Program.Words; ++I)
    switch (below(4)) {
    case 0:
      Words.push_back(static_cast<int32_t>(below(2048)) - 64);
      break;
    case 1:
      Words.push_back(static_cast<int32_t>(below(5)));
      break;
    default:
      Words.push_back(Program.Constants[below(Program.Constants.size())] +
                      static_cast<int32_t>(below(3)) - 1);
    }
  if (below(4) == 0)
    Words.resize(below(Words.size() + 1));
  return Words;
}

/// A launch without threads fails, and is not made.
bool isMade(const HappenedLaunch &L) {
  const auto isLength = [](uint32_t Length) {
    return Length != 0 && Length <= INT32_MAX;
  };
  return std::ranges::all_of(L.Grid, isLength) &&
         std::ranges::all_of(L.Block, isLength) &&
         L.SharedBytes <= uint64_t(INT32_MAX);
}

struct Match {
  bool Holds = true, IsFull = true;

  template <typename T>
  void see(const std::optional<T> &Known, bool IsCertain, const T &Happened) {
    if (!Known || !IsCertain)
      IsFull = false;
    else if (*Known != Happened)
      Holds = false;
  }
};

Match compare(const Launch &L, const HappenedLaunch &H) {
  Match Result;
  Result.Holds = L.Mangled == (H.Kernel == 0 ? "_Z2k0ii" : "_Z2k1iPf6Record");
  if (!Result.Holds)
    return Result;
  Result.see(L.Block, L.BlockCertain, H.Block);
  Result.see(L.Grid, L.GridCertain, H.Grid);
  Result.see(L.DynamicSharedBytes, L.SharedBytesCertain, H.SharedBytes);
  const auto &Given = L.Arguments;
  Result.see(Given[0].Integer, Given[0].Certain, int64_t(H.Integers[0]));
  if (H.Kernel == 0) {
    Result.see(Given[1].Integer, Given[1].Certain, int64_t(H.Integers[1]));
    return Result;
  }
  const bool IsKnown = Given[1].NotNull || Given[1].Integer;
  Result.see(IsKnown ? std::optional(!Given[1].NotNull) : std::nullopt,
             Given[1].Certain, H.IsNull);
  for (const Argument::Member &M : Given[2].Members)
    Result.see(std::optional(M.Value), Given[2].Certain && M.Certain,
               M.Offset == 0 ? int64_t(H.Size)
                             : int64_t(std::bit_cast<uint32_t>(H.Scale)));
  return Result;
}

std::string toString(const Launch &L) {
  std::string Text = fmt::format(
      "  {} grid {}{} block {}{} shared {}{} (", L.Mangled, printGrid(L),
      L.GridCertain ? "" : "~", printBlock(L), L.BlockCertain ? "" : "~",
      L.DynamicSharedBytes ? std::to_string(*L.DynamicSharedBytes) : "?",
      L.SharedBytesCertain ? "" : "~");
  for (const Argument &A : L.Arguments) {
    Text += A.Integer   ? std::to_string(*A.Integer)
            : A.NotNull ? "pointer"
                        : "?";
    for (const Argument::Member &M : A.Members)
      Text += fmt::format(" [{}]={}", M.Offset, M.Value);
    Text += A.Certain ? ", " : "~, ";
  }
  return Text + ") " + L.When + "\n";
}

std::string toString(const HappenedLaunch &H) {
  return fmt::format("k{} grid {}x{}x{} block {}x{}x{} shared {} ({}, {}, {}, "
                     "{}, {})\n",
                     H.Kernel, H.Grid[0], H.Grid[1], H.Grid[2], H.Block[0],
                     H.Block[1], H.Block[2], H.SharedBytes, H.Integers[0],
                     H.Integers[1], H.IsNull ? "null" : "pointer", H.Size,
                     H.Scale);
}

} // namespace

TEST(AlternativesTest, HoldTheLaunchThatHappens) {
  const unsigned Programs = wantedPrograms();
  unsigned Failures = 0, Happened = 0, Full = 0, Cut = 0;
  size_t Listed = 0;
  for (uint64_t N = 0; N != Programs && Failures < MostFailures; ++N) {
    constexpr size_t Known = std::size(Regressions);
    const uint64_t Seed = N < Known ? Regressions[N] : N - Known + 1;
    const HostProgram Program = drawProgram(Seed);
    const std::string Source = printProgram(Program);
    std::vector<std::string> Notes;
    const std::vector<Launch> Found = parseLaunches(Source, 16, &Notes);
    Listed += Found.size();
    const bool IsCut = std::ranges::any_of(Notes, [](const std::string &Note) {
      return Note.find("launches that come late may be missing") !=
             std::string::npos;
    });
    Cut += IsCut;
    std::mt19937_64 Random(Seed);
    for (unsigned Run = 0; Run != RunsPerProgram; ++Run) {
      const std::vector<int32_t> Words = drawWords(Program, Random);
      const auto Launches = runProgram(Program, Words);
      if (!Launches)
        continue;
      const HappenedLaunch *Missing = nullptr;
      for (const HappenedLaunch &H : *Launches) {
        if (!isMade(H))
          continue;
        ++Happened;
        bool Holds = false, IsFull = false;
        for (const Launch &L : Found) {
          const Match M = compare(L, H);
          Holds |= M.Holds;
          IsFull |= M.Holds && M.IsFull;
        }
        Full += IsFull;
        if (!Holds && !IsCut)
          Missing = &H;
      }
      if (!Missing)
        continue;
      std::string Text = fmt::format("program {}, arguments", Seed);
      for (int32_t Word : Words)
        Text += fmt::format(" {}", Word);
      Text += " launches " + toString(*Missing) + "but the alternatives are\n";
      for (const Launch &L : Found)
        Text += toString(L);
      ADD_FAILURE() << Text << Source;
      ++Failures;
      break;
    }
  }
  fmt::print("{} programs, {} launches in the lists; {} launches happened, {} "
             "of them were foretold in full; {} programs were cut short\n",
             Programs, Listed, Happened, Full, Cut);
  EXPECT_GT(Happened, Programs);
  EXPECT_LE(Cut, Programs / 100 + 1);
}
