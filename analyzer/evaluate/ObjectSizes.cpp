//===- ObjectSizes.cpp - How large what an access goes to is --------------===//

#include "analyzer/evaluate/ObjectSizes.h"

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/proof/Proof.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <cmath>

namespace warpwise::access {

const launch::Argument *argumentOf(const LaunchPlan &Plan, const Site &S) {
  const auto *Pointer = llvm::dyn_cast_or_null<llvm::Argument>(S.Object);
  return Pointer && Pointer->getArgNo() < Plan.Arguments.size()
             ? &Plan.Arguments[Pointer->getArgNo()]
             : nullptr;
}

/// Bytes of the small allocation that \p S stays in, if it is one.
static std::optional<uint64_t> tableBytes(const LaunchPlan &Plan,
                                          const Site &S) {
  const launch::Argument *Its = argumentOf(Plan, S);
  return S.IsWithinObject && Its ? Its->TableBytes : std::nullopt;
}

std::optional<uint64_t> likelyBytes(const Program &Code, const LaunchPlan &Plan,
                                    const Site &S) {
  if (llvm::isa_and_nonnull<llvm::Argument>(S.Object)) {
    const launch::Argument *Its = argumentOf(Plan, S);
    return Its ? Its->AllocationBytes : std::nullopt;
  }
  const auto Known = Code.ObjectBytes.find(S.Object);
  return Known != Code.ObjectBytes.end() && Known->second != 0
             ? std::optional<uint64_t>(Known->second)
             : std::nullopt;
}

std::optional<uint64_t> certainBytes(const Program &Code,
                                     const LaunchPlan &Plan, const Site &S) {
  if (const std::optional<uint64_t> Table = tableBytes(Plan, S))
    return Table;
  const auto Known = Code.ObjectBytes.find(S.Object);
  if (!llvm::isa_and_nonnull<llvm::GlobalVariable>(S.Object) ||
      Known == Code.ObjectBytes.end())
    return std::nullopt;
  const uint64_t Bytes = Known->second;
  // extern __shared__ T x[]: what the launch asks for.
  const uint64_t Given = Bytes ? Bytes : Plan.Shape.DynamicSharedBytes;
  return Given ? std::optional(Given) : std::nullopt;
}

std::optional<double> mostWithin(const Program &Code, const LaunchPlan &Plan,
                                 const profile::RequestLaw &Law,
                                 const Site &S) {
  if (S.Memory == Space::Global) {
    const std::optional<uint64_t> Bytes = tableBytes(Plan, S);
    return Bytes ? std::optional(std::ceil(double(*Bytes) / Law.SectorBytes))
                 : std::nullopt;
  }
  // Lanes with the same word take turns in an atomic operation.
  const auto *Array = llvm::dyn_cast_or_null<llvm::GlobalVariable>(S.Object);
  if (S.Memory != Space::Shared || !S.IsWithinObject || !Array ||
      S.Op == Operation::Atomic || S.Serialises || S.IsEmulated)
    return std::nullopt;
  const std::optional<uint64_t> Bytes = likelyBytes(Code, Plan, S);
  if (!Bytes)
    return std::nullopt; // extern, as large as the launch wants it
  const bool IsAligned = Array->getAlign().valueOrOne() >= Law.BankBytes;
  const uint64_t Words =
      (*Bytes + Law.BankBytes - 1) / Law.BankBytes + !IsAligned;
  const unsigned Phases = WarpLanes / Law.lanesOfPass(S.Bytes);
  return Phases * std::ceil(double(Words) / Law.Banks);
}

void keepWithinTables(const Program &Code, const LaunchPlan &Plan,
                      const profile::RequestLaw &Law,
                      proof::LaunchProof &Proven) {
  for (uint32_t N = 0; N != Code.Sites.size(); ++N) {
    const std::optional<double> Most =
        mostWithin(Code, Plan, Law, Code.Sites[N]);
    if (!Most)
      continue;
    proof::SiteProof &P = Proven.Sites[N];
    if (P.IsUnreached || (P.Holds && P.Low > *Most))
      continue; // nor has a program that leaves it any meaning
    if (!P.Holds)
      P = {.Holds = true, .Low = 1, .High = *Most, .IsScattered = true};
    P.High = std::min(P.High, *Most);
    P.HighWhole = std::min(P.HighWhole, P.High);
  }
}

} // namespace warpwise::access
