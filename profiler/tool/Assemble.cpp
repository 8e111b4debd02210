//===- Assemble.cpp - From a run's recordings to a profile ----------------===//

#include "profiler/tool/Assemble.h"

#include "profiler/inference/Guidelines.h"
#include "profiler/profile/Paths.h"
#include "profiler/profile/Schema.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>

namespace warpwise::tool {

using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

/// Compute capabilities that the kernels were written for.
constexpr unsigned OldestCapability = 70, NewestCapability = 121;

/// Prefix of the paths in which a run keeps its own times.
constexpr std::string_view RunSection = "run.";

void makeNotMeasurable(Profile &P, const std::string &Path,
                       const std::string &Unit, const std::string &Reason) {
  Quantity &Q = P.Quantities[Path];
  Q = {};
  Q.Unit = Unit;
  Q.State = Status::NotMeasurable;
  Q.Method = Reason;
}

/// Takes \p Path out of \p P altogether; false when it was not there.
bool erase(Profile &P, const std::string &Path) {
  constexpr std::string_view InCurves = "curves.", InGuidelines = "guidelines.";
  if (Path.starts_with(InCurves))
    return P.Curves.erase(Path.substr(InCurves.size())) != 0;
  if (Path.starts_with(InGuidelines))
    return P.Guidelines.erase(Path.substr(InGuidelines.size())) != 0;
  return P.Quantities.erase(Path) != 0;
}

/// Takes what \p Wrong names out of \p P: the value of a quantity first, and
/// the whole of it when that does not help. False when there is nothing to take
/// out.
bool refuse(Profile &P, const profile::Violation &Wrong) {
  const std::string &Path = Wrong.Path;
  auto At = P.Quantities.find(Path);
  if (At != P.Quantities.end() && At->second.State != Status::NotMeasurable) {
    const profile::KnownPath *Known = profile::knownPath(Path);
    const std::string Unit = Known ? std::string(Known->Unit) : At->second.Unit;
    makeNotMeasurable(P, Path, Unit.empty() ? "1" : Unit,
                      fmt::format("its result was refused: {}", Wrong.What));
    return true;
  }
  if (!erase(P, Path))
    return false;
  std::string &Refused = P.Environment["refused"];
  Refused += (Refused.empty() ? "" : "; ") + Wrong.text();
  return true;
}

/// Refuses until \p P is valid; the violation that stays, or "".
std::string refuseAll(Profile &P) {
  while (const std::optional<profile::Violation> Wrong = profile::validate(P))
    if (!refuse(P, *Wrong))
      return Wrong->text();
  return "";
}

/// \p Stem as the name of a profile; what the schema does not take becomes '-'.
std::string asName(std::string_view Stem) {
  std::string Name(Stem);
  for (char &C : Name)
    if (!std::isalnum(static_cast<unsigned char>(C)) && C != '.' && C != '_')
      C = '-';
  if (Name.starts_with('.'))
    Name.front() = '-';
  return Name;
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

std::string number(const Quantity &Q) {
  return fmt::format("{:.4g}{}{}", *Q.Value, Q.Unit == "1" ? "" : " ",
                     Q.Unit == "1" ? "" : Q.Unit);
}

/// The best of the bandwidths by data type.
const Quantity *bestBandwidth(const Profile &P) {
  const Quantity *Best = nullptr;
  for (auto It = P.Quantities.lower_bound("bandwidth.");
       It != P.Quantities.end() && It->first.starts_with("bandwidth."); ++It)
    if (It->second.Value && It->second.Unit == "GB/s" &&
        (!Best || *It->second.Value > *Best->Value))
      Best = &It->second;
  return Best;
}

/// "L1 latency 33 clk, ...", without those that the run did not measure.
std::string headline(const Profile &P) {
  std::vector<std::string> Parts;
  const auto Add = [&](std::string_view What, const Quantity *Q) {
    if (Q && Q->Value)
      Parts.push_back(fmt::format("{} {}", What, number(*Q)));
  };
  Add("L1 latency", P.find(paths::levels_l1_latency));
  Add("DRAM latency", P.find(paths::levels_dram_latency));
  Add("best bandwidth", bestBandwidth(P));
  return fmt::format("{}", fmt::join(Parts, ", "));
}

/// The first three of \p Paths and how many more.
std::string shortList(const std::vector<std::string> &Paths) {
  constexpr size_t Shown = 3;
  const size_t First = std::min(Shown, Paths.size());
  std::string Text =
      fmt::format("{}", fmt::join(Paths.begin(), Paths.begin() + First, ", "));
  if (Paths.size() > First)
    Text += fmt::format(" and {} more", Paths.size() - First);
  return Text;
}

} // namespace

std::string kebab(std::string_view Gpu) {
  std::string Name;
  for (char C : Gpu)
    if (std::isalnum(static_cast<unsigned char>(C)))
      Name += static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
    else if (!Name.empty() && Name.back() != '-')
      Name += '-';
  while (!Name.empty() && Name.back() == '-')
    Name.pop_back();
  return Name.empty() ? "gpu" : Name;
}

Profile withHead(const harness::Session &S, const RunFacts &Run) {
  const harness::Device &D = S.device();
  Profile P = S.results();
  P.Name = Run.Name.empty() ? kebab(D.Gpu) : asName(Run.Name);
  // What needs only a compiler was measured on no GPU.
  P.Gpu = D.Gpu.empty() ? "no GPU" : D.Gpu;
  P.Architecture = D.Gpu.empty() ? "sm_00" : D.architecture();
  const std::string Mode = Run.Partial ? "partial"
                           : Run.Quick ? "quick"
                                       : "full";
  P.Origin =
      fmt::format("measured by Warpwise {} on {}, {} run of {:.0f} s",
                  WARPWISE_VERSION, today(), Mode, std::max(1.0, Run.Seconds));
  P.Environment["tool"] = "Warpwise " WARPWISE_VERSION;
  P.Environment["date"] = today();
  P.Environment["mode"] = Mode;
  P.Environment["seed"] = fmt::to_string(Run.Seed);
  if (!D.Driver.empty())
    P.Environment["cuda_driver"] = D.Driver;
  if (!D.Runtime.empty())
    P.Environment["cuda_runtime"] = D.Runtime;
  if (!Run.Disturbed.empty())
    P.Environment["disturbed"] = inference::describe(Run.Disturbed);
  if (!Run.Notes.empty())
    P.Environment["notes"] = fmt::format("{}", fmt::join(Run.Notes, "; "));
  return P;
}

std::string complete(Profile &P, const RunFacts &Run) {
  const std::string Reason = Run.Partial ? "not part of this run"
                             : Run.Quick ? "not part of a quick run"
                                         : "no benchmark has recorded it";
  for (const profile::KnownPath &Each : profile::knownPaths())
    if (Each.Required && !P.find(Each.Path))
      makeNotMeasurable(P, std::string(Each.Path), std::string(Each.Unit),
                        Reason);
  // Before the guidelines are decided, so that none builds on a refused value.
  if (std::string Wrong = refuseAll(P); !Wrong.empty())
    return Wrong;
  inference::deriveGuidelines(P);
  return refuseAll(P);
}

std::vector<std::string> deviceNotes(const harness::Device &D) {
  std::vector<std::string> Notes;
  if (D.Gpu.find("MIG") != D.Gpu.npos || D.SmCount % 2 != 0)
    Notes.push_back(fmt::format("{} SMs: this may be a part of a GPU (MIG), "
                                "which shares L2 and DRAM with others",
                                D.SmCount));
  if (D.capability() > NewestCapability)
    Notes.push_back(fmt::format("compute capability {}.{} is newer than this "
                                "version of Warpwise",
                                D.Major, D.Minor));
  return Notes;
}

std::string tooOld(const harness::Device &D) {
  if (D.capability() >= OldestCapability)
    return "";
  return fmt::format(
      "{} has compute capability {}.{}; profiling needs {}.{} or "
      "newer",
      D.Gpu, D.Major, D.Minor, OldestCapability / 10, OldestCapability % 10);
}

std::string summarize(const Profile &P, double Seconds) {
  size_t Measured = 0, Missing = 0;
  std::map<std::string, std::vector<std::string>> ByReason;
  for (const auto &[Path, Q] : P.Quantities) {
    if (Path.starts_with(RunSection))
      continue;
    Measured += Q.State != Status::NotMeasurable;
    if (Q.State == Status::NotMeasurable)
      ByReason[Q.Method].push_back(Path), ++Missing;
  }
  std::string Text =
      fmt::format("{}, {}: {} quantities in {:.1f} s, {} not "
                  "measurable\n",
                  P.Gpu, P.Architecture, Measured, Seconds, Missing);
  if (const std::string Numbers = headline(P); !Numbers.empty())
    Text += fmt::format("{}\n", Numbers);
  for (const auto &[Reason, Paths] : ByReason)
    Text += fmt::format("not measurable: {}: {}\n", shortList(Paths), Reason);
  return Text;
}

} // namespace warpwise::tool
