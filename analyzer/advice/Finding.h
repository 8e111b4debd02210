//===- Finding.h - One piece of advice --------------------------*- C++ -*-===//
//
// What a rule has to say about one place in the source, ready to be printed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_FINDING_H
#define WARPWISE_ANALYZER_ADVICE_FINDING_H

#include "analyzer/advice/Rewrite.h"
#include "analyzer/model/AccessModel.h"
#include "analyzer/price/Gain.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace warpwise::advice {

/// A line below the finding that explains it.
struct Note {
  access::Place Where;
  std::string Message;

  auto operator<=>(const Note &) const = default;
};

/// Another access that the cause of a finding spoils, and what it costs there.
struct AffectedAccess {
  access::Place Where;
  double ExtraCycles = 0, ExtraBytes = 0; ///< as in Finding
  double Weight = 1;
  std::string Fingerprint = {}; ///< as in Finding

  bool operator==(const AffectedAccess &) const = default;
};

/// What a request of a warp needs and what it would need at best.
struct Need {
  std::string Unit; ///< "sectors", "wavefronts", "words"
  double Actual = 0, Ideal = 0;
  double Low = 0, High = 0; ///< bounds of Actual

  bool operator==(const Need &) const = default;
};

/// The costliest request of the access, lane by lane.
struct Request {
  access::Space Memory = access::Space::Generic;
  access::Operation Op = access::Operation::Load;
  unsigned Bytes = 0; ///< per lane
  access::LanePattern Lanes;

  bool operator==(const Request &Other) const {
    return std::tie(Memory, Op, Bytes, Lanes.ActiveMask, Lanes.Offsets,
                    Lanes.Stride, Lanes.Warp) ==
           std::tie(Other.Memory, Other.Op, Other.Bytes, Other.Lanes.ActiveMask,
                    Other.Lanes.Offsets, Other.Lanes.Stride, Other.Lanes.Warp);
  }
};

/// A warning asks for a change. A remark tells what the source alone cannot
/// settle, and never makes a run fail.
enum class Severity { Warning, Remark };

struct Finding {
  access::Place Where;
  Severity Level = Severity::Warning;
  /// The fact: lower case, one line, no full stop. What it costs and what its
  /// repair gains is in members of their own.
  std::string Message;
  std::string Rule;                    ///< "cuda-memory-bank-conflict"
  std::vector<std::string> Guidelines; ///< "S_1": Fang's guideline ids
  /// The first at the finding's own place is the reason, which is always shown;
  /// the others are the evidence for those who ask (--explain).
  std::vector<Note> Notes;
  /// What to do about it, or empty. Lower case, no full stop.
  std::string Remedy;
  /// What would do it, where a rewrite of the source is known.
  std::optional<Rewrite> Fix;

  std::string Kernel;     ///< demangled name of the (costliest) kernel
  std::string KernelFile; ///< where that is, as others may have its name
  std::string Object;     ///< the variable, or empty
  /// Findings of one rule in one kernel with the same cause are one thing to
  /// change (joinCauses). A name that only its rule can read; empty: it stands
  /// alone.
  std::string Cause;
  /// Findings of one kernel with the same choice are several ways to one end,
  /// of which the one that gains most is said. Empty: there is no other.
  std::string Choice;
  /// The other accesses with that cause, costliest first.
  std::vector<AffectedAccess> Also;
  access::Proof State = access::Proof::Exact;
  /// Unset where the fact is no number per request.
  std::optional<Need> PerRequest;
  /// Unset where the finding is not about an access, or no address is known.
  std::optional<Request> Worst;
  /// Extra cycles per warp request against the ideal, from the profile, and
  /// the interval: the bounds of the access and of the profile's quantity.
  double ExtraCycles = 0, ExtraCyclesLow = 0, ExtraCyclesHigh = 0;
  /// Bytes moved per request in excess of the ideal.
  double ExtraBytes = 0;
  /// How much faster the kernel gets when the advice is followed; unset where
  /// that is not known.
  std::optional<price::Gain> Faster;
  /// What is wrong costs nothing by itself, only where the kernel waits for it:
  /// without a gain that is likely it is no finding.
  bool OnlyByGain = false;
  /// Executions per warp, when known: the weight for the ranking.
  double Weight = 1;
  /// Kernels (template instantiations, and others that inline the place) in
  /// which it was found wanting, and in how many it was judged at all.
  unsigned Instances = 1, Judged = 1;
  /// The names behind these two counts, sorted. They are kept so that merging
  /// over translation units does not count a header's kernels twice.
  std::vector<std::string> FoundIn, CleanIn;
  /// The calls that lead from each kernel to the place, outwards; sorted, each
  /// way once. A way without calls is the kernel's own body.
  std::vector<std::vector<access::Place>> CalledFrom;
  /// What the finding is known by when lines move (Fingerprint.h); empty until
  /// all findings of a run are there.
  std::string Fingerprint;

  bool operator==(const Finding &) const = default;
};

/// Findings whose repair makes a kernel at most so many times faster are left
/// out, unless somebody wants them.
constexpr double UsualMinGain = 1.05;

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_FINDING_H
