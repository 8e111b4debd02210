//===- Wording.cpp - How rules phrase numbers and evidence ----------------===//

#include "rules/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace warpwise::rules {

using access::LanePattern;
using advice::Finding;
using launch::Shape;
using launch::ShapeSource;
using profile::Profile;

std::string number(double Value) {
  const double Whole = std::round(Value);
  if (std::abs(Value) >= 100 || std::abs(Value - Whole) < 0.005)
    return fmt::format("{:.0f}", Whole);
  return fmt::format("{:.3g}", Value);
}

std::string counted(double Value, std::string_view Unit) {
  const std::string Text = number(Value);
  return fmt::format("{} {}{}", Text, Unit, Text == "1" ? "" : "s");
}

std::string estimated(double Value) {
  return Value < 10 ? number(std::round(Value * 10) / 10)
                    : number(std::round(Value));
}

/// "32 sectors", of a number that is likely.
static std::string estimatedCount(const SiteVerdict &V, std::string_view Unit) {
  const std::string Text = estimated(V.Need.asserted());
  return fmt::format("{} {}{}", Text, Unit, Text == "1" ? "" : "s");
}

/// Whether all lanes are counted, of which data may let few take part.
static bool isMost(const SiteVerdict &V) {
  return V.Need.IsOfRequest && V.Shown->DataDecides;
}

std::string asserted(const SiteVerdict &V, std::string_view Unit) {
  if (V.Need.IsLikely && !V.AtLeast)
    return (isMost(V) ? "up to " : "likely ") + estimatedCount(V, Unit);
  return (V.AtLeast ? "at least " : "") + counted(V.Need.asserted(), Unit);
}

std::string perRequest(const SiteVerdict &V, std::string_view Unit,
                       std::string_view IsEnough, std::string_view AreEnough) {
  // Of more a sentence is no clearer for it.
  constexpr size_t MostFactors = 3;
  const auto &Lanes = V.Shown->Worst;
  if (!V.Need.IsLikely || V.AtLeast || !Lanes || Lanes->StepFactors.empty() ||
      Lanes->StepFactors.size() > MostFactors)
    return asserted(V, Unit) + " per request";
  // Some of them may do; all of them are taken to be so.
  return fmt::format("{}{} per request where '{}' {}",
                     isMost(V) ? "up to " : "", estimatedCount(V, Unit),
                     fmt::join(Lanes->StepFactors, "' and '"),
                     Lanes->StepFactors.size() > 1 ? AreEnough : IsEnough);
}

std::string quotedObject(const access::Access &A) {
  return A.Object.empty() ? "this memory" : fmt::format("'{}'", A.Object);
}

/// Where the active lanes lie, in the order of the lanes.
static std::vector<int64_t> activeOffsets(const LanePattern &P) {
  std::vector<int64_t> Offsets;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (P.ActiveMask >> Lane & 1)
      Offsets.push_back(P.Offsets[Lane]);
  return Offsets;
}

std::optional<RowPattern> findRows(const LanePattern &P) {
  const auto Offsets = activeOffsets(P);
  if (Offsets.size() < 2)
    return std::nullopt;
  RowPattern Rows{2, Offsets[1] - Offsets[0], 0};
  while (Rows.Lanes < Offsets.size() &&
         Offsets[Rows.Lanes] - Offsets[Rows.Lanes - 1] == Rows.Step)
    ++Rows.Lanes;
  if (Rows.Lanes == Offsets.size())
    return std::nullopt;
  Rows.Jump = Offsets[Rows.Lanes] - Offsets[0];
  for (size_t I = Rows.Lanes; I != Offsets.size(); ++I)
    if (Offsets[I] - Offsets[I - Rows.Lanes] != Rows.Jump)
      return std::nullopt;
  return Rows;
}

bool areScattered(const LanePattern &P) { return !P.Stride && !findRows(P); }

bool isNarrowBlock(const Shape &S, const RowPattern &Rows) {
  return S.Block[0] < access::WarpLanes && Rows.Lanes == S.Block[0];
}

static bool isEvenlySpaced(const std::vector<int64_t> &Offsets) {
  for (size_t I = 2; I < Offsets.size(); ++I)
    if (Offsets[I] - Offsets[I - 1] != Offsets[1] - Offsets[0])
      return false;
  return true;
}

std::string distance(const LanePattern &P, int64_t Bytes) {
  return P.IsMadeUp ? "an unknown distance"
                    : fmt::format("{} bytes", std::abs(Bytes));
}

static std::string describeStep(const LanePattern &P, int64_t Step,
                                unsigned Bytes) {
  if (Step == 0)
    return "at one address";
  if (Step == int64_t(Bytes))
    return "side by side";
  if (Step == -int64_t(Bytes))
    return fmt::format("{} bytes apart", Bytes);
  return (P.IsStepMadeUp ? "an unknown distance"
                         : fmt::format("{} bytes", std::abs(Step))) +
         " apart";
}

/// No size that was made up is that of one element.
static std::string jumpText(const LanePattern &P, const RowPattern &Rows,
                            unsigned Bytes) {
  return std::abs(Rows.Jump) == int64_t(Bytes) ? fmt::format("{} bytes", Bytes)
                                               : distance(P, Rows.Jump);
}

std::string describeLanes(const LanePattern &P, unsigned Bytes) {
  const auto Offsets = activeOffsets(P);
  if (Offsets.size() < 2)
    return "one lane is active";
  if (const auto Rows = findRows(P))
    return fmt::format("rows of {} lanes, {} in a row, {}", Rows->Lanes,
                       describeStep(P, Rows->Step, Bytes),
                       Rows->Jump == 0
                           ? "all rows at the same addresses"
                           : jumpText(P, *Rows, Bytes) + " from row to row");
  const int64_t Step = Offsets[1] - Offsets[0];
  if (isEvenlySpaced(Offsets))
    return fmt::format("neighbouring lanes are {}",
                       describeStep(P, Step, Bytes));
  const auto [Low, High] = std::minmax_element(Offsets.begin(), Offsets.end());
  return "the lanes lie scattered over " + distance(P, *High - *Low + Bytes);
}

std::string unpriced(const Profile &Device, std::string_view Price,
                     std::string_view Means) {
  return Device.value(Price) ? ""
                             : fmt::format("the profile of {} does not say {}",
                                           Device.Gpu, Means);
}

std::string timesOfWarp(const access::Kernel &K, const access::Access &A,
                        const access::Cost &C) {
  if (C.Launch < K.Works.size() && !K.Works[C.Launch].TripsKnown)
    return "";
  return (A.Trips ? "" : "at least ") +
         counted(C.PerWarp / std::max(1u, A.RoundsAtOnce), "time");
}

bool areRoundsKnown(const access::Access &A) {
  return A.LoopDepth == 0 || A.Trips || A.IsWrittenOut;
}

std::string refutedBy(const Profile &Device, std::string_view Id) {
  if (Device.mayHold(Id))
    return "";
  const auto G = Device.Guidelines.find(std::string(Id));
  const std::string Evidence =
      G == Device.Guidelines.end() ? "" : G->second.Evidence;
  return fmt::format("its guideline {} does not hold on {}{}{}", Id, Device.Gpu,
                     Evidence.empty() ? "" : ": ", Evidence);
}

std::vector<std::string> standing(const Profile &Device,
                                  std::initializer_list<std::string_view> Ids) {
  std::vector<std::string> Standing;
  for (const std::string_view Id : Ids)
    if (Device.mayHold(Id))
      Standing.emplace_back(Id);
  return Standing;
}

double unitsWorthACycle(const Profile &Device, std::string_view PricePath) {
  const double Price = Device.value(PricePath).value_or(0);
  return Price > 0 ? 1 / Price : 0;
}

double rankingWeight(const access::Access &A) {
  constexpr double UnknownTrips = 64;
  constexpr unsigned DeepestLoop = 3;
  if (A.Trips)
    return std::max<double>(1, *A.Trips);
  return std::pow(UnknownTrips, std::min(A.LoopDepth, DeepestLoop));
}

Finding startFinding(const access::Kernel &K, const access::Access &A,
                     const SiteVerdict &V, const Profile &Device,
                     std::string_view PricePath) {
  Finding F;
  F.Where = A.Where;
  F.Kernel = K.Name;
  F.Object = A.Object;
  F.State = V.Need.IsLikely          ? access::Proof::Estimated
            : V.AtLeast || V.Assumed ? access::Proof::Bounded
                                     : access::Proof::Exact;
  F.Weight = rankingWeight(A);
  if (const auto *Price = Device.find(PricePath); Price && Price->Value) {
    const auto Interval =
        Price->Ci95.value_or(std::array{*Price->Value, *Price->Value});
    F.ExtraCycles = V.extra() * *Price->Value;
    F.ExtraCyclesLow = V.extraLow() * Interval[0];
    F.ExtraCyclesHigh = V.extraHigh() * Interval[1];
  }
  if (V.Shown && V.Shown->Worst)
    F.Worst = {A.Memory, A.Op, A.Bytes, *V.Shown->Worst};
  std::vector<access::Place> &Way = F.CalledFrom.emplace_back();
  for (const access::Frame &Call : A.InlinedAt)
    Way.push_back(Call.Where);
  constexpr size_t MaxFrames = 3;
  for (size_t I = 0; I != std::min(A.InlinedAt.size(), MaxFrames); ++I)
    F.Notes.push_back(
        {A.InlinedAt[I].Where,
         fmt::format("called from '{}' here", A.InlinedAt[I].Function)});
  return F;
}

advice::Need needOf(const SiteVerdict &V, std::string_view Unit) {
  return {std::string(Unit), V.Need.asserted(), V.Need.Ideal, V.Need.Low,
          V.Need.High};
}

void dropCost(Finding &F) {
  F.ExtraCycles = F.ExtraCyclesLow = F.ExtraCyclesHigh = F.ExtraBytes = 0;
}

void addNote(Finding &F, std::string Message) {
  F.Notes.push_back({F.Where, std::move(Message)});
}

void setRemedy(Finding &F, const access::Access &A, std::string Remedy) {
  if (!A.Object.empty())
    F.Cause = fmt::format("{}: {}", A.Object, Remedy);
  else if (A.Group)
    F.Cause = fmt::format("group {}: {}", *A.Group, Remedy);
  F.Remedy = std::move(Remedy);
}

static std::string blockText(const Shape &S) {
  const auto [X, Y, Z] = S.Block;
  if (Z > 1)
    return fmt::format("{}x{}x{}", X, Y, Z);
  return Y > 1 ? fmt::format("{}x{}", X, Y) : fmt::format("{}", X);
}

/// ", when n is 1", ", otherwise", or nothing.
static std::string alternativeText(const Shape &S) {
  if (S.When.empty() || S.Source != ShapeSource::Launch)
    return "";
  return S.isOtherwise() ? ", otherwise" : ", when " + S.When;
}

static std::string originText(const Shape &S) {
  switch (S.Source) {
  case ShapeSource::Launch: // the folder would only make the list longer
    return S.At.isKnown() ? fmt::format("{}:{}", S.At.fileName(), S.At.Line)
                          : "a launch";
  case ShapeSource::Bounds:
    return "an assumption within __launch_bounds__";
  case ShapeSource::Option:
    return "--block";
  case ShapeSource::Assumed:
    return "an assumption";
  }
  return "";
}

void addLaunchedHere(advice::Finding &F, const launch::Shape &S) {
  if (S.At.isKnown())
    F.Notes.push_back({S.At, "launched here"});
}

std::string listed(const std::vector<std::string> &Texts) {
  std::string Text;
  for (size_t N = 0; N != Texts.size(); ++N)
    Text += fmt::format("{}{}",
                        N == 0                  ? ""
                        : N + 1 == Texts.size() ? " and "
                                                : ", ",
                        Texts[N]);
  return Text;
}

std::string launchText(const access::Kernel &K, unsigned Launch) {
  const Shape &S = K.Launches[Launch];
  // A launch that does not tell its block is said to be one of an assumed.
  const bool IsGuess = S.Source == ShapeSource::Assumed && S.At.isKnown();
  if (K.Launches.size() < 2 && !IsGuess)
    return "";
  // Those of a loop, say, for other sizes.
  const auto Alike = std::ranges::count_if(K.Launches, [&](const Shape &Other) {
    return Other.At.isKnown() && Other.At == S.At && Other.Block == S.Block &&
           Other.When == S.When;
  });
  return fmt::format("block {} ({}{}{})", blockText(S), originText(S),
                     Alike > 1 ? fmt::format(", one of {} cases", Alike) : "",
                     alternativeText(S));
}

/// What of a shape's origin a list names.
enum class Origin { None, Place, PlaceAndCondition };

/// "32x8 (host.cu:88), 16x16 (--block)", each once.
static std::string listShapes(const access::Kernel &K,
                              const std::vector<unsigned> &Launches,
                              Origin Named) {
  constexpr size_t MaxShown = 4;
  std::vector<std::string> Texts;
  for (const unsigned I : Launches) {
    const Shape &S = K.Launches[I];
    std::string Text = blockText(S);
    if (Named != Origin::None)
      Text += fmt::format(
          " ({}{})", originText(S),
          Named == Origin::PlaceAndCondition ? alternativeText(S) : "");
    if (std::find(Texts.begin(), Texts.end(), Text) == Texts.end())
      Texts.push_back(std::move(Text));
  }
  if (Texts.size() <= MaxShown)
    return fmt::format("{}", fmt::join(Texts, ", "));
  return fmt::format("{} and {} more",
                     fmt::join(Texts.begin(), Texts.begin() + MaxShown, ", "),
                     Texts.size() - MaxShown);
}

/// Whether \p Launches are one place and block, whatever else differs.
static bool areAlike(const access::Kernel &K,
                     const std::vector<unsigned> &Launches) {
  const Shape &First = K.Launches[Launches.front()];
  return std::all_of(Launches.begin(), Launches.end(), [&](unsigned I) {
    return K.Launches[I].Block == First.Block && K.Launches[I].At == First.At;
  });
}

/// "from 1 to 32 are possible", for the access without its siblings.
static std::string possibleText(const SiteVerdict &V) {
  const auto &Possible = V.Shown->Possible;
  const bool IsIts = Possible && V.Need.IsOfRequest;
  const double Low = IsIts ? (*Possible)[0] : V.Need.Low;
  const double High = IsIts ? (*Possible)[1] : V.Need.High;
  if (Low >= High)
    return "";
  return fmt::format("from {} to {} are possible", number(Low), number(High));
}

void addLaunchNote(Finding &F, const access::Kernel &K, const SiteVerdict &V) {
  const Shape &Shown = K.Launches[V.Shown->Launch];
  const bool HasPlace =
      Shown.Source == ShapeSource::Launch && Shown.At.isKnown();
  const std::string_view Within =
      Shown.Source == ShapeSource::Bounds ? " within __launch_bounds__" : "";
  if (V.Assumed && V.Wasteful.size() == 1 && Shown.At.isKnown())
    F.Notes.push_back(
        {Shown.At, fmt::format("this launch leaves the block open; {}{} was "
                               "assumed",
                               blockText(Shown), Within)});
  else if (V.Assumed && V.Wasteful.size() == 1)
    addNote(F, fmt::format("no launch tells the block; {}{} was assumed",
                           blockText(Shown), Within));
  else if (V.Assumed)
    addNote(F, fmt::format("no launch tells the block; the shapes that were "
                           "tried{} agree on this: {}",
                           Within, listShapes(K, V.Wasteful, Origin::None)));
  else if (V.Clean.empty() && areAlike(K, V.Wasteful))
    F.Notes.push_back(
        {HasPlace ? Shown.At : F.Where,
         fmt::format("block is {}, from {}{}", blockText(Shown),
                     HasPlace ? "this launch" : originText(Shown),
                     V.Wasteful.size() == 1 ? alternativeText(Shown) : "")});
  else if (V.Clean.empty()) // whatever decides between them
    addNote(F, fmt::format("under block {}",
                           listShapes(K, V.Wasteful, Origin::Place)));
  else
    addNote(F, fmt::format("under block {}; clean under {}",
                           listShapes(K, V.Wasteful, Origin::PlaceAndCondition),
                           listShapes(K, V.Clean, Origin::PlaceAndCondition)));
  const access::Cost &C = *V.Shown;
  if (V.AtLeast && C.State == access::Proof::DataDependent)
    addNote(F, fmt::format("whatever the indices are, which come from memory; "
                           "random ones cost {} times the ideal",
                           number(V.Need.Actual / V.Need.Ideal)));
  else if (V.AtLeast && !C.Reason.empty())
    addNote(F, fmt::format("a bound, not exact: {}", C.Reason));
  else if (const std::string Possible = possibleText(V);
           V.Need.IsLikely && !(C.Reason.empty() && Possible.empty()))
    addNote(F, fmt::format("an estimate, not exact: {}{}{}", C.Reason,
                           C.Reason.empty() || Possible.empty() ? "" : "; ",
                           Possible));
}

/// The citation as far as it fits on a line; `warpwise profiles show` has the
/// rest.
static std::string shortened(std::string_view Method) {
  constexpr size_t MaxChars = 90;
  if (Method.size() <= MaxChars)
    return std::string(Method);
  return fmt::format("{} ...",
                     Method.substr(0, Method.find_last_of(' ', MaxChars)));
}

void addEvidenceNote(Finding &F, const Profile &Device, std::string_view Path) {
  const profile::Quantity *Q = Device.find(Path);
  if (!Q || !Q->Value) {
    addNote(F, fmt::format("profile {} has no value for {}, so there is no "
                           "cost in cycles",
                           Device.Name, Path));
    return;
  }
  const std::string Interval =
      Q->Ci95 ? fmt::format(" [{}, {}]", number((*Q->Ci95)[0]),
                            number((*Q->Ci95)[1]))
              : "";
  const std::string Unit = Q->Unit == "1" ? "" : " " + Q->Unit;
  addNote(F, fmt::format("profile {}: {} is {}{}{} ({}{}{})", Device.Name, Path,
                         number(*Q->Value), Unit, Interval,
                         profile::statusName(Q->State),
                         Q->Method.empty() ? "" : ": ", shortened(Q->Method)));
}

} // namespace warpwise::rules
