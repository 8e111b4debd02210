//===- RequestLaw.cpp - The law of a profile ------------------------------===//

#include "profiler/profile/RequestLaw.h"
#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <cmath>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

class LawReader {
  const Profile &P;
  KnownLaw &Into;

public:
  LawReader(const Profile &P, KnownLaw &Into) : P(P), Into(Into) {}

  /// Takes the number at \p Path if it is a power of two in reach.
  void size(std::string_view Path, std::string_view Says, unsigned Least,
            unsigned Most, unsigned &To) {
    const std::optional<double> Value = P.value(Path);
    if (!Value)
      return assume(Path, "has no value", Says, To);
    if (*Value < Least || *Value > Most || *Value != std::floor(*Value) ||
        !std::has_single_bit(unsigned(*Value)))
      return assume(Path,
                    fmt::format("is {}, no power of two from {} to {}", *Value,
                                Least, Most),
                    Says, To);
    To = unsigned(*Value);
  }

  /// A bank's words of one pass show in what all banks deliver in a cycle. That
  /// is measured a little below its true value.
  void rowsPerPass() {
    constexpr std::string_view Path = paths::levels_shared_bytes_per_clock;
    RequestLaw &Law = Into.Law;
    const std::optional<double> Value = P.value(Path);
    if (!Value)
      return assume(Path, "has no value", "words of a bank in one pass",
                    Law.RowsPerPass);
    const double Rows = *Value / (Law.Banks * Law.BankBytes);
    if (Rows < 0.75 || Rows > 4)
      return assume(
          Path,
          fmt::format("is {:.4g}, not one to four words of each bank", *Value),
          "words of a bank in one pass", Law.RowsPerPass);
    Law.RowsPerPass = std::bit_floor(unsigned(std::lround(Rows)));
  }

  /// Nothing rests on it where it is not known, so that is nothing to say.
  void constantCache() {
    const std::optional<double> Line = P.value(paths::levels_constant_line);
    const std::optional<double> All = P.value(paths::levels_constant_capacity);
    if (!Line || !All || *Line < 4 || *All < *Line || *All > 1e6)
      return;
    Into.Law.ConstantLineBytes = unsigned(*Line);
    Into.Law.ConstantLines = unsigned(*All / *Line);
  }

private:
  void assume(std::string_view Path, std::string_view Cause,
              std::string_view Says, unsigned Default) {
    Into.Assumed.push_back(
        fmt::format("{}: {} ({} {})", Says, Default, Path, Cause));
  }
};

} // namespace

KnownLaw profile::requestLaw(const Profile &P) {
  KnownLaw Known;
  RequestLaw &Law = Known.Law;
  LawReader Read(P, Known);
  Read.size(paths::levels_sector, "bytes of a sector", 8, 1024,
            Law.SectorBytes);
  Read.size(paths::levels_l1_line, "bytes of a line", 8, 4096, Law.LineBytes);
  Read.size(paths::levels_shared_banks, "banks", 1, RequestLaw::MostBanks,
            Law.Banks);
  Read.size(paths::levels_shared_bank_width, "bytes of a bank's word", 1, 16,
            Law.BankBytes);
  Read.rowsPerPass();
  Read.constantCache();
  Law.VectorBytes = closestLimits(P.Architecture).Limits.VectorBytes;
  return Known;
}
