//===- Outliers.cpp - GPUs that are not like their peers ------------------===//

#include "profiler/tool/reports/Outliers.h"

#include "profiler/charts/Text.h"
#include "profiler/inference/Statistics.h"
#include "profiler/io/Printable.h"
#include "profiler/tool/reports/ReportText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace warpwise;
using namespace warpwise::charts;
using namespace warpwise::reports;
using inference::median;
using io::printable;
using profile::Profile;
using profile::Quantity;
using profile::Status;

namespace {

constexpr double LeastRelativeNoise = 0.02, LeastNoiseCycles = 1.5;
constexpr double Spreads = 5, NormalDeviation = 1.4826;

bool isOfTheRun(std::string_view Path) {
  return Path.starts_with("validation.") || Path.starts_with("run.");
}

bool isRate(const Quantity &Q) {
  constexpr std::string_view Units[] = {"GB/s", "B/clk", "clk", "ns", "MHz"};
  return Q.Value && Q.State == Status::Measured &&
         std::ranges::find(Units, Q.Unit) != std::end(Units);
}

/// What is the same on all GPUs of a kind, whatever the run.
bool isExact(const Quantity &Q) {
  return !Q.Word.empty() ||
         (Q.Value && (Q.State == Status::Api ||
                      (Q.State == Status::Measured && Q.Unit == "B")));
}

double halfWidth(const Quantity &Q) {
  return Q.Ci95 ? ((*Q.Ci95)[1] - (*Q.Ci95)[0]) / 2 : 0;
}

std::string exactText(const Quantity &Q) {
  return Q.Word.empty() ? withUnit(*Q.Value, Q.Unit) : Q.Word;
}

/// All profiles of one GPU.
class Peers {
public:
  Peers(std::vector<const Profile *> All, std::vector<Outlier> &Found)
      : All(std::move(All)), Found(Found) {}

  void compare() {
    std::set<std::string> Paths;
    for (const Profile *Each : All)
      for (const auto &[Path, Q] : Each->Quantities)
        if (!isOfTheRun(Path))
          Paths.insert(Path);
    for (const std::string &Path : Paths) {
      compareRates(Path);
      compareExact(Path);
      findMissing(Path);
    }
  }

private:
  struct Entry {
    const Profile *Of;
    const Quantity *Its;
  };

  std::vector<Entry> entries(const std::string &Path,
                             bool (*Counts)(const Quantity &)) const {
    std::vector<Entry> Entries;
    for (const Profile *Each : All)
      if (const auto At = Each->Quantities.find(Path);
          At != Each->Quantities.end() && Counts(At->second))
        Entries.push_back({Each, &At->second});
    return Entries;
  }

  void add(const Profile &Of, const std::string &Path, std::string What,
           double Size) {
    Found.push_back({Of.Name, Path, std::move(What), Size});
  }

  void compareRates(const std::string &Path) {
    const std::vector<Entry> Entries = entries(Path, isRate);
    if (Entries.size() < FewestPeers)
      return;
    std::vector<double> Values, Distances, Halves;
    for (const Entry &Each : Entries) {
      Values.push_back(*Each.Its->Value);
      Halves.push_back(halfWidth(*Each.Its));
    }
    const double Median = median(Values);
    for (const double Value : Values)
      Distances.push_back(std::fabs(Value - Median));
    const double Spread = NormalDeviation * median(Distances);
    const double Common =
        std::max({LeastRelativeNoise * std::fabs(Median), Spreads * Spread,
                  median(Halves),
                  Entries.front().Its->Unit == "clk" ? LeastNoiseCycles : 0.0});
    for (const Entry &Each : Entries) {
      const double Away = *Each.Its->Value - Median;
      const double Noise = std::max(Common, halfWidth(*Each.Its));
      if (std::fabs(Away) > Noise)
        add(*Each.Of, Path, rateText(*Each.Its, Median, Noise, Entries.size()),
            std::fabs(Away) / Noise);
    }
  }

  static std::string rateText(const Quantity &Its, double Median, double Noise,
                              size_t Count) {
    const double Away = *Its.Value - Median;
    const auto Relative = [&](double Part) {
      return Median == 0 ? withUnit(std::fabs(Part), Its.Unit)
                         : fmt::format("{:.1f} %", 100 * std::fabs(Part) /
                                                       std::fabs(Median));
    };
    return fmt::format("{}, {} {} the median {} of {} GPUs (noise {})",
                       withUnit(*Its.Value, Its.Unit), Relative(Away),
                       Away < 0 ? "below" : "above", withUnit(Median, Its.Unit),
                       Count, Relative(Noise));
  }

  void compareExact(const std::string &Path) {
    const std::vector<Entry> Entries = entries(Path, isExact);
    std::map<std::string, size_t> Votes;
    for (const Entry &Each : Entries)
      ++Votes[exactText(*Each.Its)];
    const auto Most = std::ranges::max_element(
        Votes, {}, [](const auto &Vote) { return Vote.second; });
    if (Entries.size() < FewestPeers || 2 * Most->second <= Entries.size())
      return; // no majority: nobody is the odd one
    for (const Entry &Each : Entries)
      if (exactText(*Each.Its) != Most->first)
        add(*Each.Of, Path,
            fmt::format("{}, where {} of {} GPUs have {}", exactText(*Each.Its),
                        Most->second, Entries.size(), Most->first),
            std::numeric_limits<double>::infinity());
  }

  /// A quantity that most could measure, and some could not, or did not get
  /// stable. A profile without the path may be of another selection.
  void findMissing(const std::string &Path) {
    const size_t Have =
        entries(Path, isRate).size() + entries(Path, isExact).size();
    const std::vector<Entry> Lack = entries(Path, [](const Quantity &Q) {
      return Q.State == Status::NotMeasurable ||
             Q.State == Status::NotConverged;
    });
    if (Have + Lack.size() < FewestPeers || Have <= Lack.size())
      return;
    for (const Entry &Each : Lack)
      add(*Each.Of, Path,
          fmt::format("{}, where {} of {} GPUs have a value",
                      profile::statusName(Each.Its->State), Have,
                      Have + Lack.size()),
          std::numeric_limits<double>::infinity());
  }

  std::vector<const Profile *> All;
  std::vector<Outlier> &Found;
};

} // namespace

OutlierSearch
reports::findOutliers(const std::vector<profile::Profile> &Profiles) {
  std::map<std::pair<std::string, std::string>, std::vector<const Profile *>>
      Kinds;
  for (const Profile &Each : Profiles)
    Kinds[{Each.Gpu, Each.Architecture}].push_back(&Each);
  OutlierSearch Search;
  for (auto &[Kind, All] : Kinds) {
    if (All.size() < FewestPeers) {
      for (const Profile *Each : All)
        Search.Alone.push_back(Each->Name);
      continue;
    }
    Search.Compared += All.size();
    Peers(std::move(All), Search.Outliers).compare();
  }
  std::ranges::sort(Search.Outliers, [](const Outlier &A, const Outlier &B) {
    if (A.Profile != B.Profile)
      return naturallyLess(A.Profile, B.Profile);
    return A.Size != B.Size ? A.Size > B.Size : A.Path < B.Path;
  });
  return Search;
}

std::string reports::outlierPage(const OutlierSearch &Found) {
  std::string Text;
  std::set<std::string> Names;
  for (const Outlier &Each : Found.Outliers) {
    Names.insert(Each.Profile);
    Text += printable(fmt::format("{}: {} is {}", Each.Profile, Each.Path,
                                  Each.What)) +
            "\n";
  }
  if (!Found.Alone.empty())
    Text += printable(fmt::format(
                "not compared, because fewer than {} are of the same kind: {}",
                FewestPeers, fmt::join(Found.Alone, ", "))) +
            "\n";
  Text += fmt::format("{} of {} GPUs {} away from their peers\n", Names.size(),
                      Found.Compared, Names.size() == 1 ? "is" : "are");
  return Text;
}
