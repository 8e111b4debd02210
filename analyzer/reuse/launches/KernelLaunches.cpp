//===- KernelLaunches.cpp - Which launches of a kernel are modelled -------===//

#include "analyzer/reuse/launches/KernelLaunches.h"

#include "analyzer/reuse/StoppingRules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace warpwise::reuse {

using launch::Argument;
using launch::Launch;

namespace {

/// More than the shared memory of any SM.
constexpr uint64_t MostSharedBytes = uint64_t(1) << 20;

bool isSame(const Launch &A, const Launch &B) {
  return A.Grid == B.Grid && A.Block == B.Block &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.Arguments == B.Arguments;
}

/// How far \p Position of \p Seen is from the first launch in steps of argument
/// \p Index, if it is a whole number of steps.
std::optional<uint64_t> stepsTo(const std::vector<Launch> &Seen, size_t Index,
                                size_t Position) {
  const auto valueOf = [&](size_t Which) -> std::optional<int64_t> {
    const std::vector<Argument> &All = Seen[Which].Arguments;
    return Index < All.size() ? All[Index].Integer : std::nullopt;
  };
  const std::optional<int64_t> First = valueOf(0), Second = valueOf(1),
                               Value = valueOf(Position);
  if (!First || !Second || !Value || *First == *Second)
    return std::nullopt;
  const int64_t Step = *Second - *First, Way = *Value - *First;
  if (Way % Step != 0 || Way / Step < 0)
    return std::nullopt;
  return uint64_t(Way / Step);
}

/// The numbers as argument \p Index counts them; empty when it does not.
std::vector<unsigned> countBy(const std::vector<Launch> &Seen, size_t Index) {
  std::vector<unsigned> Numbers;
  for (size_t Position = 0; Position != Seen.size(); ++Position) {
    const std::optional<uint64_t> Steps = stepsTo(Seen, Index, Position);
    if (!Steps || *Steps >= UINT32_MAX ||
        (!Numbers.empty() && *Steps + 1 <= Numbers.back()))
      return {};
    Numbers.push_back(unsigned(*Steps + 1));
  }
  return Numbers;
}

/// What lies between two values at \p Part of \p Whole; nothing when it is not
/// a whole number.
std::optional<int64_t> between(std::optional<int64_t> Low,
                               std::optional<int64_t> High, int64_t Part,
                               int64_t Whole) {
  int64_t Way = 0;
  if (!Low || !High || __builtin_sub_overflow(*High, *Low, &Way) ||
      __builtin_mul_overflow(Way, Part, &Way) || Way % Whole != 0)
    return std::nullopt;
  return *Low + Way / Whole;
}

/// The user's words go before the program's.
void applyUser(Launch &L, const std::vector<Parameter> &Parameters,
               const UserInput &User) {
  if (User.Shape.Grid)
    L.Grid = User.Shape.Grid, L.GridCertain = true;
  if (User.Shape.Block)
    L.Block = User.Shape.Block, L.BlockCertain = true;
  if (User.Shape.DynamicSharedBytes)
    L.DynamicSharedBytes = User.Shape.DynamicSharedBytes;
  L.Arguments.resize(Parameters.size());
  for (const ArgumentInput &Given : User.Arguments)
    for (size_t N = 0; N != Parameters.size(); ++N)
      if (Parameters[N].Name == Given.Name)
        L.Arguments[N] = Given.Value;
}

/// Numbers are of the kernel's type where the user does not say otherwise.
Buffer withElements(Buffer B, const Parameter *P) {
  if (B.ElementBytes != 0)
    return B;
  const bool Known = P && (P->ElementBytes == 1 || P->ElementBytes == 2 ||
                           P->ElementBytes == 4 || P->ElementBytes == 8);
  B.ElementBytes = Known ? P->ElementBytes : 4;
  B.Reals = Known && P->ElementsAreReal;
  if (B.Initial != Buffer::Contents::File)
    B.Bytes *= B.ElementBytes;
  return B;
}

class Chooser {
public:
  Chooser(const std::string &Kernel, const std::vector<Parameter> &Parameters,
          const SourceLaunches &Known, const UserInput &User)
      : Kernel(Kernel), Parameters(Parameters), Seen(Known.Seen),
        Allocations(Known.Allocations), User(User),
        Numbers(numberLaunches(Seen)) {}

  ChosenLaunches run();

private:
  const std::string &Kernel;
  const std::vector<Parameter> &Parameters;
  const std::vector<Launch> &Seen;
  const AllocationTable &Allocations;
  const UserInput &User;
  const std::vector<unsigned> Numbers;

  ChosenLaunch describe(Launch L) const;
  void describeArguments(const Launch &L, ChosenLaunch &Into) const;
  void placeBuffers(const Launch &L, ChosenLaunch &Into) const;
  void addNumbered(unsigned Number, ChosenLaunches &Into) const;
};

void Chooser::describeArguments(const Launch &L, ChosenLaunch &Into) const {
  for (size_t N = 0; N != Parameters.size(); ++N) {
    const Parameter &P = Parameters[N];
    KernelArgument &A = Into.Input.Arguments.emplace_back();
    A.Value = L.Arguments[N];
    if (!A.Value.Certain && A.Value.Integer)
      Into.Assumptions.push_back(fmt::format("argument '{}' is {}, a default",
                                             P.Name, *A.Value.Integer));
  }
  placeBuffers(L, Into);
}

/// One buffer for each allocation that is known, in the order in which the
/// program makes them, then those that only the user speaks of.
void Chooser::placeBuffers(const Launch &L, ChosenLaunch &Into) const {
  std::vector<Buffer> &Buffers = Into.Input.Buffers;
  std::vector<Buffer> Left = User.Buffers;
  const auto takeGiven = [&](const std::string &Name) {
    std::optional<Buffer> Result;
    for (size_t I = 0; I != Left.size(); ++I)
      if (!Result && Left[I].Name == Name) {
        Result = Left[I];
        Left.erase(Left.begin() + ptrdiff_t(I));
        break;
      }
    return Result;
  };
  std::map<uint32_t, std::vector<size_t>> ByOrder; // arguments
  std::map<uint32_t, Allocation> Known;
  if (const auto At = Allocations.find(L.At); At != Allocations.end())
    for (size_t N = 0; N != std::min(Parameters.size(), At->second.size()); ++N)
      if (const std::optional<Allocation> &A = At->second[N];
          A && Parameters[N].What == Parameter::Kind::Pointer) {
        ByOrder[A->Order].push_back(N);
        Known[A->Order] = *A;
      }
  const auto add = [&](const std::vector<size_t> &Shared, const Allocation &A) {
    Buffer Made;
    if (A.IsZero && A.Bytes)
      Made.Initial = Buffer::Contents::Zeros;
    Made.Name = Parameters[Shared.front()].Name;
    for (size_t N : Shared)
      if (std::optional<Buffer> Given = takeGiven(Parameters[N].Name))
        Made = withElements(std::move(*Given), &Parameters[N]);
    Made.Bytes = std::max(Made.Bytes, A.Bytes);
    for (size_t N : Shared)
      Into.Input.Arguments[N].Buffer = Buffers.size();
    Buffers.push_back(std::move(Made));
  };
  for (const auto &[Order, Shared] : ByOrder)
    add(Shared, Known[Order]);
  for (size_t N = 0; N != Parameters.size(); ++N)
    if (!Into.Input.Arguments[N].Buffer &&
        Parameters[N].What == Parameter::Kind::Pointer)
      add({N}, Allocation());
  // The others are contents of variables of the device code.
  for (Buffer &B : Left)
    Buffers.push_back(withElements(std::move(B), nullptr));
  for (const Buffer &B : Buffers)
    if (B.Bytes == 0 && B.Initial != Buffer::Contents::Unknown &&
        B.Initial != Buffer::Contents::File)
      Into.Missing = fmt::format(
          "kernel '{}': the size of buffer '{}' is not known; say how many "
          "elements it has, as in --buffer {}=iota,count=4096",
          Kernel, B.Name, B.Name);
}

ChosenLaunch Chooser::describe(Launch L) const {
  applyUser(L, Parameters, User);
  ChosenLaunch Result;
  Result.At = L.At;
  Result.Grid = L.Grid;
  Result.Block = L.Block;
  Result.Input.Grid = L.Grid.value_or(launch::Dim3{1, 1, 1});
  Result.Input.Block = L.Block.value_or(launch::Dim3{1, 1, 1});
  Result.Input.DynamicSharedBytes = L.DynamicSharedBytes.value_or(0);
  describeArguments(L, Result);
  if (L.Grid && !L.GridCertain)
    Result.Assumptions.push_back("the grid is a default");
  if (L.Block && !L.BlockCertain)
    Result.Assumptions.push_back("the block is a default");
  if (!L.DynamicSharedBytes && L.At.isKnown())
    Result.Assumptions.push_back("no dynamic shared memory is used");
  if (Result.Input.DynamicSharedBytes > MostSharedBytes)
    Result.Missing =
        fmt::format("kernel '{}': the launch{} asks for {} bytes "
                    "of shared memory, which no "
                    "GPU has",
                    Kernel, L.At.isKnown() ? " at " + L.At.text() : "",
                    Result.Input.DynamicSharedBytes);
  if (L.Grid && L.Block)
    return Result;
  const char *Shape = L.Block ? "grid" : L.Grid ? "block" : "grid and block";
  const char *Option = L.Block  ? "grid=32x32"
                       : L.Grid ? "block=16x16"
                                : "grid=32x32,block=16x16";
  Result.Missing = fmt::format(
      "kernel '{}': the {} of {} {} not known; say for example --launch {}",
      Kernel, Shape,
      L.At.isKnown() ? fmt::format("the launch at {}", L.At.text())
                     : std::string("its launch"),
      L.Grid || L.Block ? "is" : "are", Option);
  return Result;
}

void Chooser::addNumbered(unsigned Number, ChosenLaunches &Into) const {
  const std::optional<Launch> Found = launchWithNumber(Number, Seen, Numbers);
  ChosenLaunch &L =
      Into.Launches.emplace_back(describe(Found.value_or(Launch())));
  L.Invocation = Number;
  if (!Found)
    L.Missing = fmt::format(
        "kernel '{}': there is no invocation {}, the last one known is {}",
        Kernel, Number, Numbers.empty() ? 0 : Numbers.back());
  else if (!L.Missing.empty())
    L.Missing += fmt::format(" for invocation {}", Number);
}

ChosenLaunches Chooser::run() {
  ChosenLaunches Result;
  for (unsigned Number : User.Invocations)
    addNumbered(Number, Result);
  if (!Result.Launches.empty())
    return Result;
  // The user may have said what made them differ.
  std::vector<Launch> Different;
  std::vector<unsigned> NumberOf;
  for (size_t I = 0; I != Seen.size(); ++I) {
    Launch L = Seen[I];
    applyUser(L, Parameters, User);
    if (std::any_of(Different.begin(), Different.end(),
                    [&](const Launch &Other) { return isSame(L, Other); }))
      continue;
    Different.push_back(std::move(L));
    NumberOf.push_back(Numbers[I]);
  }
  if (Different.empty())
    Different.emplace_back();
  if (Different.size() == 1) {
    Result.Launches.push_back(describe(Different.front()));
    return Result;
  }
  std::vector<size_t> Chosen;
  for (size_t I = 0; I != Different.size(); ++I)
    if (Different.size() <= stopping::MostLaunches || I == 0 ||
        I == Different.size() / 2 || I + 1 == Different.size())
      Chosen.push_back(I);
  std::vector<unsigned> Taken;
  for (size_t I : Chosen) {
    Result.Launches.push_back(describe(Different[I]));
    Taken.push_back(NumberOf[I]);
    const bool OneOfItsShape =
        std::count_if(Different.begin(), Different.end(), [&](const Launch &L) {
          return L.Grid == Different[I].Grid && L.Block == Different[I].Block;
        }) == 1;
    if (!OneOfItsShape)
      Result.Launches.back().Invocation = NumberOf[I];
  }
  if (Chosen.size() != Different.size())
    Result.Note = fmt::format(
        "kernel '{}' has {} launches or more that differ; invocations {} are "
        "modelled, --invocation names others",
        Kernel, Different.size(), fmt::join(Taken, ", "));
  return Result;
}

} // namespace

std::vector<unsigned> numberLaunches(const std::vector<Launch> &Seen) {
  std::vector<unsigned> Numbers;
  const bool OnePlace =
      std::all_of(Seen.begin(), Seen.end(), [&](const Launch &L) {
        return L.At == Seen.front().At && L.Count == Seen.front().Count;
      });
  const bool HasGap = std::any_of(Seen.begin(), Seen.end(),
                                  [](const Launch &L) { return L.AfterGap; });
  if (Seen.size() > 1 && OnePlace && HasGap)
    for (size_t Index = 0; Index != Seen.front().Arguments.size(); ++Index)
      if (Numbers = countBy(Seen, Index); !Numbers.empty())
        return Numbers;
  unsigned Next = 1;
  for (const Launch &L : Seen) {
    Numbers.push_back(Next);
    Next += L.Count;
  }
  return Numbers;
}

std::optional<Launch> launchWithNumber(unsigned Number,
                                       const std::vector<Launch> &Seen,
                                       const std::vector<unsigned> &Numbers) {
  const auto Above = std::upper_bound(Numbers.begin(), Numbers.end(), Number);
  if (Above == Numbers.begin())
    return std::nullopt;
  const size_t Low = size_t(Above - Numbers.begin()) - 1;
  if (Numbers[Low] == Number || Number < Numbers[Low] + Seen[Low].Count)
    return Seen[Low];
  if (Above == Numbers.end())
    return std::nullopt;
  const Launch &Before = Seen[Low], &After = Seen[Low + 1];
  if (Before.At != After.At ||
      Before.Arguments.size() != After.Arguments.size())
    return std::nullopt;
  Launch Result = Before;
  if (Before.Grid != After.Grid)
    Result.Grid = std::nullopt;
  if (Before.Block != After.Block)
    Result.Block = std::nullopt;
  if (Before.DynamicSharedBytes != After.DynamicSharedBytes)
    Result.DynamicSharedBytes = std::nullopt;
  const int64_t Part = Number - Numbers[Low],
                Whole = Numbers[Low + 1] - Numbers[Low];
  for (size_t N = 0; N != Result.Arguments.size(); ++N) {
    const Argument &A = Before.Arguments[N], &B = After.Arguments[N];
    Argument &Into = Result.Arguments[N];
    if (A == B)
      continue;
    Into = Argument();
    Into.Certain = A.Certain && B.Certain;
    Into.Integer = between(A.Integer, B.Integer, Part, Whole);
    Into.PointerOffset = between(A.PointerOffset, B.PointerOffset, Part, Whole);
  }
  return Result;
}

ChosenLaunches chooseLaunches(const std::string &Kernel,
                              const std::vector<Parameter> &Parameters,
                              const SourceLaunches &Known,
                              const UserInput &User) {
  return Chooser(Kernel, Parameters, Known, User).run();
}

} // namespace warpwise::reuse
