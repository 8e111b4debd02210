//===- Wording.h - How rules phrase numbers and evidence --------*- C++ -*-===//
//
// The sentences that all rules share, so that a cost, a launch and a piece of
// evidence read the same whichever rule speaks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_WORDING_H
#define WARPWISE_RULES_WORDING_H

#include "analyzer/advice/Finding.h"
#include "analyzer/model/AccessModel.h"
#include "profiler/profile/Profile.h"
#include "rules/SiteVerdict.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::rules {

/// "32", "2.5", "0.86": three digits are enough for a person.
std::string number(double Value);
/// What is only likely has no third digit.
std::string estimated(double Value);
/// "1 byte", "2.5 sectors"
std::string counted(double Value, std::string_view Unit);
/// "at least 3 wavefronts" or "3 wavefronts"
std::string asserted(const SiteVerdict &V, std::string_view Unit);

/// The same "per request". Where it is likely since lanes are taken to lie far
/// apart, it says of which arguments that is taken: "32 sectors per request
/// where 'Pitch' is large". \p IsEnough: what one of them is, \p AreEnough:
/// several.
std::string perRequest(const SiteVerdict &V, std::string_view Unit,
                       std::string_view IsEnough = "is large",
                       std::string_view AreEnough = "are large");

/// "'tile'", or "this memory" when the variable is not known.
std::string quotedObject(const access::Access &A);

/// Active lanes that lie in rows: \p Lanes of them \p Step bytes apart, and
/// each row \p Jump bytes from the one before. A warp of a block that is 16
/// threads wide has two such rows.
struct RowPattern {
  size_t Lanes = 0;
  int64_t Step = 0, Jump = 0;
};

/// The rows of \p P, or nothing when the lanes lie in one row or in none.
std::optional<RowPattern> findRows(const access::LanePattern &P);

/// Whether the lanes of \p P have neither a distance from one to the next nor
/// rows of them.
bool areScattered(const access::LanePattern &P);

/// Whether the rows of a warp are those of the block: it is narrower than a
/// warp.
bool isNarrowBlock(const launch::Shape &S, const RowPattern &Rows);

/// "128 bytes", unless the distances of \p P are made up.
std::string distance(const access::LanePattern &P, int64_t Bytes);

/// How the lanes of \p P lie, in words: "neighbouring lanes are 128 bytes
/// apart".
std::string describeLanes(const access::LanePattern &P, unsigned Bytes);

/// How often a warp makes the request \p A of \p K under the launch of \p C:
/// "16 times", or "at least 16 times" where loops were not followed to their
/// end; empty where nobody knows how often they run.
std::string timesOfWarp(const access::Kernel &K, const access::Access &A,
                        const access::Cost &C);

/// Whether a count of what the rounds of the loops around \p A do may be said:
/// somebody knows them.
bool areRoundsKnown(const access::Access &A);

/// Why \p Id keeps a rule quiet on \p Device, or empty when it does not.
std::string refutedBy(const profile::Profile &Device, std::string_view Id);
/// Why the lack of \p Price keeps a rule quiet on \p Device, or empty when it
/// has one. \p Means: "how fast an SM gets new blocks".
std::string unpriced(const profile::Profile &Device, std::string_view Price,
                     std::string_view Means);
/// Those of \p Ids that are not refuted on \p Device.
std::vector<std::string> standing(const profile::Profile &Device,
                                  std::initializer_list<std::string_view> Ids);

/// Extra units that are worth at least one cycle on \p Device, by the price of
/// a unit at \p PricePath. Without a price every extra unit counts.
double unitsWorthACycle(const profile::Profile &Device,
                        std::string_view PricePath);

/// A finding about \p A with everything but the message: the cost from \p V
/// and the price of a unit at \p PricePath, and how the code got there.
advice::Finding startFinding(const access::Kernel &K, const access::Access &A,
                             const SiteVerdict &V,
                             const profile::Profile &Device,
                             std::string_view PricePath);

/// The demand of \p V as data; \p Unit is plural: "sectors".
advice::Need needOf(const SiteVerdict &V, std::string_view Unit);

/// Leaves out the cost that the price of a unit would make: what is found costs
/// nothing by itself, or in no clock of the warp.
void dropCost(advice::Finding &F);
void addNote(advice::Finding &F, std::string Message);
/// Says what to do about \p A. Accesses to one object, or through one pointer,
/// for which the same is to be done have one cause.
void setRemedy(advice::Finding &F, const access::Access &A, std::string Remedy);
/// Says where \p S is launched, if that is known.
void addLaunchedHere(advice::Finding &F, const launch::Shape &S);
/// "A, B and C".
std::string listed(const std::vector<std::string> &Texts);
/// "block 32x8 (host.cu:88)", or nothing where it is the only launch of \p K.
std::string launchText(const access::Kernel &K, unsigned Launch);
/// Which launches show it, and which do not.
void addLaunchNote(advice::Finding &F, const access::Kernel &K,
                   const SiteVerdict &V);
/// What the profile says at \p Path: value, unit, interval, where from.
void addEvidenceNote(advice::Finding &F, const profile::Profile &Device,
                     std::string_view Path);

/// Executions per warp for the ranking. A loop whose trip count is not known
/// counts as 64 trips.
double rankingWeight(const access::Access &A);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_WORDING_H
