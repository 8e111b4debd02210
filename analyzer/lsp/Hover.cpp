//===- Hover.cpp - An access, lane by lane --------------------------------===//

#include "analyzer/lsp/Hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace warpwise::lsp {

using access::Cost;
using access::Operation;
using access::Proof;
using access::Space;

static std::string sureness(const Cost &C) {
  switch (C.State) {
  case Proof::Exact:
    return "exact";
  case Proof::Bounded:
    return "bounded: " + C.Reason;
  case Proof::Estimated:
    return "estimated: " + C.Reason;
  case Proof::DataDependent:
    return "data-dependent: " + C.Reason;
  case Proof::Unknown:
    return "unknown: " + C.Reason;
  }
  return "";
}

namespace {

/// What the headline number of a cost counts.
struct Headline {
  std::optional<double> Number, Ideal;
  const char *Unit = "";
};

} // namespace

static Headline headline(const Cost &C) {
  if (C.Wavefronts)
    return {C.Wavefronts, C.IdealWavefronts, "wavefronts"};
  if (C.Words)
    return {C.Words, 1, "distinct words"};
  return {C.Sectors, C.IdealSectors, "sectors"};
}

static double waste(const Cost &C) {
  const Headline H = headline(C);
  return H.Number && H.Ideal ? *H.Number / *H.Ideal : 0;
}

/// Four rows of eight lanes each, with what \p Of says of a lane's offset.
static std::string laneTable(const access::LanePattern &Lanes,
                             const std::function<int64_t(int64_t)> &Of) {
  constexpr unsigned PerRow = 8;
  size_t Width = 1;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    Width = std::max(Width, fmt::formatted_size("{}", Of(Lanes.Offsets[Lane])));
  std::string Text;
  for (unsigned First = 0; First != access::WarpLanes; First += PerRow) {
    Text += fmt::format("lanes {:>2}-{:<2}", First, First + PerRow - 1);
    for (unsigned Lane = First; Lane != First + PerRow; ++Lane)
      Text += Lanes.ActiveMask >> Lane & 1
                  ? fmt::format(" {:>{}}", Of(Lanes.Offsets[Lane]), Width)
                  : fmt::format(" {:>{}}", "-", Width);
    Text += '\n';
  }
  return Text;
}

/// How many of the active lanes go to each place.
static std::map<int64_t, unsigned>
countPlaces(const access::LanePattern &Lanes,
            const std::function<int64_t(int64_t)> &Of) {
  std::map<int64_t, unsigned> Count;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (Lanes.ActiveMask >> Lane & 1)
      ++Count[Of(Lanes.Offsets[Lane])];
  return Count;
}

/// The lanes against banks, sectors or words.
static std::string laneMap(const access::Access &A,
                           const access::LanePattern &Lanes,
                           const profile::RequestLaw &Law) {
  const char *What = "sector";
  std::function<int64_t(int64_t)> Of = [&](int64_t Offset) {
    return Offset / Law.SectorBytes;
  };
  if (A.Memory == Space::Shared) {
    What = "bank";
    Of = [&](int64_t Offset) { return Offset / Law.BankBytes % Law.Banks; };
  } else if (A.Memory == Space::Constant) {
    What = "word";
    Of = [&](int64_t Offset) { return Offset / Law.constantBytes(A.Bytes); };
  }
  const auto Count = countPlaces(Lanes, Of);
  const auto Most = std::max_element(
      Count.begin(), Count.end(),
      [](const auto &L, const auto &R) { return L.second < R.second; });
  std::string Text =
      fmt::format("Each lane's {}, counted from the lowest address, in the "
                  "costliest request (warp {}):\n```text\n{}```\n",
                  What, Lanes.Warp, laneTable(Lanes, Of));
  if (Most != Count.end())
    Text += fmt::format("{} {}{} used, at most by {} lane{}", Count.size(),
                        What, Count.size() == 1 ? "" : "s", Most->second,
                        Most->second == 1 ? "" : "s");
  if (Lanes.Stride)
    Text +=
        fmt::format("; neighbouring lanes are {} bytes apart", *Lanes.Stride);
  if (Lanes.IsMadeUp)
    Text += "; distances that are not known are made up";
  return Text + "\n";
}

static std::string describeLaunch(const launch::Shape &L) {
  std::string Text =
      fmt::format("block {}x{}x{}", L.Block[0], L.Block[1], L.Block[2]);
  if (L.Grid)
    Text += fmt::format(", grid {}x{}x{}", (*L.Grid)[0], (*L.Grid)[1],
                        (*L.Grid)[2]);
  switch (L.Source) {
  case launch::ShapeSource::Launch:
    return Text + fmt::format(", launched in line {}", L.At.Line);
  case launch::ShapeSource::Bounds:
    return Text + ", from `__launch_bounds__`";
  case launch::ShapeSource::Option:
    return Text + ", as the settings say";
  case launch::ShapeSource::Assumed:
    return Text + ", assumed";
  }
  return Text;
}

/// The cost under the launch in which \p A wastes most; null: there is none.
static const Cost *worstCost(const access::Access &A) {
  const auto Worst = std::max_element(
      A.PerLaunch.begin(), A.PerLaunch.end(),
      [](const Cost &L, const Cost &R) { return waste(L) < waste(R); });
  return Worst == A.PerLaunch.end() ? nullptr : &*Worst;
}

std::string costLabel(const access::Access &A) {
  const Cost *Worst = worstCost(A);
  const Headline H = Worst ? headline(*Worst) : Headline();
  if (!H.Number)
    return {};
  if (Worst->Sectors && !Worst->Wavefronts && !Worst->Words)
    return fmt::format("{:.3g} sector{}", *H.Number, *H.Number == 1 ? "" : "s");
  if (!H.Ideal || *H.Number <= *H.Ideal)
    return {};
  return Worst->Wavefronts ? fmt::format("{:.3g}-way", *H.Number / *H.Ideal)
                           : fmt::format("{:.3g} words", *H.Number);
}

std::string describeAccess(const access::Kernel &K, const access::Access &A,
                           const profile::RequestLaw &Law) {
  std::string Text = fmt::format(
      "**{} {}**{} of {} bytes a lane in `{}`\n\n", nameOf(A.Memory),
      nameOf(A.Op), A.Object.empty() ? "" : " of `" + A.Object + "`", A.Bytes,
      K.Template);
  const Cost *Worst = worstCost(A);
  if (!Worst)
    return Text;
  const Headline H = headline(*Worst);
  if (H.Number)
    Text += fmt::format("{:.3g} {} per request, ideal {:.3g}", *H.Number,
                        H.Unit, H.Ideal.value_or(0));
  else
    Text += "cost per request not known";
  if (Worst->Low && Worst->High && Worst->State != Proof::Exact)
    Text += fmt::format(" [{:.3g}, {:.3g}]", *Worst->Low, *Worst->High);
  Text += fmt::format("; {:.3g} lanes active  \n{}", Worst->ActiveLanes,
                      sureness(*Worst));
  if (Worst->Launch < K.Launches.size())
    Text += "  \n" + describeLaunch(K.Launches[Worst->Launch]);
  Text += "\n\n";
  if (Worst->Worst)
    Text += laneMap(A, *Worst->Worst, Law);
  return Text;
}

} // namespace warpwise::lsp
