//===- RequestBounds.cpp - What a request can cost at most ----------------===//

#include "analyzer/evaluate/proof/RequestBounds.h"

#include "profiler/warp/WarpCost.h"

#include "llvm/ADT/iterator_range.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace warpwise::access::proof {
namespace {

/// After how many bytes costs repeat: the sector, or one word of a bank. (All
/// banks are alike: moving every address by a word changes nothing.)
unsigned periodOf(const Site &S, const profile::RequestLaw &Law) {
  switch (S.Memory) {
  case Space::Shared:
    return Law.RowsPerPass == 1 ? Law.BankBytes : Law.passBytes();
  case Space::Constant:
    return Law.constantBytes(S.Bytes);
  default:
    return Law.SectorBytes;
  }
}

unsigned costOf(const Site &S, const profile::RequestLaw &Law,
                const warp::LaneAddresses &A, uint32_t Active, bool Alone) {
  switch (S.Memory) {
  case Space::Shared:
    if (S.IsEmulated)
      return warp::swapLoop(Law, A, S.lanesThatAsk(Active), S.Bytes)
          .wavefrontsOfRound();
    if (S.Serialises)
      return warp::atomicWavefronts(Law, A, Active, S.Bytes);
    // Halves of a warp are served together only if no other lane objects:
    // beside other groups each is served by itself.
    return S.Op == Operation::Store || !Alone
               ? warp::storeWavefronts(Law, A, Active, S.Bytes)
               : warp::wavefronts(Law, A, Active, S.Bytes);
  case Space::Constant:
    return warp::distinctWords(Law, A, Active, S.Bytes);
  default:
    return warp::sectors(Law, A, Active, S.Bytes);
  }
}

/// Bytes that the lanes cover, each once.
uint64_t bytesOf(const warp::LaneAddresses &A, uint32_t Active,
                 unsigned Bytes) {
  std::array<uint64_t, WarpLanes> Starts;
  auto End = Starts.begin();
  forEach(Active, [&](unsigned L) { *End++ = A[L]; });
  if (!std::is_sorted(Starts.begin(), End))
    std::sort(Starts.begin(), End);
  uint64_t Sum = 0, Reached = 0;
  for (uint64_t Start : llvm::make_range(Starts.begin(), End)) {
    const uint64_t From = std::max(Start, Reached);
    if (Start + Bytes > From)
      Sum += Start + Bytes - From;
    Reached = std::max(Reached, Start + Bytes);
  }
  return Sum;
}

struct Group {
  uint32_t Lanes = 0;
  uint64_t Step = 0; ///< its addresses move by multiples of this; 0: not at all
};

std::vector<Group> groupsOf(const Form &Address, uint32_t Active) {
  std::vector<Group> Groups;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (Address.Top >> L & 1) {
      Groups.push_back({1u << L, 1});
      continue;
    }
    bool Found = false;
    for (Group &G : Groups) {
      const unsigned R = std::countr_zero(G.Lanes);
      if (Address.Top >> R & 1)
        continue;
      Found = std::all_of(
          Address.Terms.begin(), Address.Terms.end(),
          [&](const Term &T) { return T.Factor[L] == T.Factor[R]; });
      if (Found) {
        G.Lanes |= 1u << L;
        break;
      }
    }
    if (Found)
      continue;
    uint64_t Step = 0;
    for (const Term &T : Address.Terms)
      Step = std::gcd(Step, T.Factor[L] < 0 ? -uint64_t(T.Factor[L])
                                            : uint64_t(T.Factor[L]));
    Groups.push_back({1u << L, Step});
  }
  return Groups;
}

/// What is left of a shared request whose lanes go to rows of their own but
/// whose banks are known, as in "Bin * 128 + threadIdx.x": lanes that may share
/// a bank cost a pass each if they are in different rows, and one if not.
/// Nothing when that is not known.
std::optional<RequestBounds> boundsOfBanks(const Site &S,
                                           const profile::RequestLaw &Law,
                                           const Form &Address,
                                           uint32_t Active) {
  if (S.Memory != Space::Shared || S.IsEmulated || !(Address.Top & Active) ||
      Address.Torn || Law.RowsPerPass != 1 || S.Bytes > Law.BankBytes ||
      !std::has_single_bit(S.Bytes))
    return std::nullopt;
  uint64_t Step = 0; // by which all lanes move together
  for (const Term &T : Address.Terms) {
    const int64_t First = T.Factor[std::countr_zero(Active)];
    Step = std::gcd(Step, First < 0 ? -uint64_t(First) : uint64_t(First));
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
      if (T.Factor[std::countr_zero(Left)] != First)
        return std::nullopt;
  }
  const uint64_t Span =
      std::min<uint64_t>(uint64_t(1) << Address.LowBits, Law.passBytes());
  if (Span <= Law.BankBytes)
    return std::nullopt;
  Step = Step ? std::gcd<uint64_t>(Step, Law.BankBytes) : Law.BankBytes;
  unsigned Most = 0;
  for (uint64_t R = 0; R < Law.BankBytes; R += Step) {
    std::map<uint64_t, unsigned> Lanes; // by bank, as far as that is known
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const uint64_t At = uint64_t(Address.Base[std::countr_zero(Left)]) + R;
      Most = std::max(Most, ++Lanes[At % Span / Law.BankBytes]);
    }
  }
  // Atomics on one word take turns, which costs more than a pass.
  if (S.Serialises && Most > 1)
    return std::nullopt;
  RequestBounds B;
  B.Low = B.LowFull = B.LowApart = B.Ideal = 1;
  B.High = B.HighWhole = Most;
  B.IsScattered = true;
  return B;
}

/// More numbers than this of one lane are not tried.
constexpr uint64_t MostChoices = 256;

/// Where the lanes of a bounded address can start, without what they share,
/// ascending. Lanes that walk through the same table have most in common.
std::vector<uint64_t> startsOf(const Form &Address, uint32_t Active) {
  const uint64_t Apart = uint64_t(1) << Address.LowBits;
  struct Walk { // steps of Apart
    uint64_t First, Steps;
  };
  std::vector<Walk> Walks;
  forEach(Active, [&](unsigned L) {
    const uint64_t Reach = Address.Top >> L & 1 ? Address.Reach : 0;
    Walks.push_back({uint64_t(Address.Base[L]), Reach / Apart});
  });
  std::sort(Walks.begin(), Walks.end(), [&](const Walk &A, const Walk &B) {
    return std::tuple(A.First % Apart, A.First) <
           std::tuple(B.First % Apart, B.First);
  });
  std::vector<uint64_t> Starts;
  for (const Walk &W : Walks) {
    uint64_t Step = 0;
    if (!Starts.empty() && Starts.back() >= W.First &&
        Starts.back() % Apart == W.First % Apart) // it went this way before
      Step = (Starts.back() - W.First) / Apart + 1;
    for (; Step <= W.Steps; ++Step)
      Starts.push_back(W.First + Step * Apart);
  }
  if (std::adjacent_find(Starts.begin(), Starts.end(),
                         std::greater_equal<>()) != Starts.end()) {
    std::sort(Starts.begin(), Starts.end());
    Starts.erase(std::unique(Starts.begin(), Starts.end()), Starts.end());
  }
  return Starts;
}

/// What a request can cost at most, as no lane leaves its reach ("Table[X &
/// 15]"): all that can be reached, as if lanes went everywhere. Nothing when
/// that is not known.
std::optional<unsigned> mostWithinReach(const Site &S,
                                        const profile::RequestLaw &Law,
                                        const Form &Address, uint32_t Active) {
  const uint64_t Apart = uint64_t(1) << Address.LowBits;
  if (!(Address.Top & Active) || !Address.isBounded() || Address.Torn ||
      Address.Reach / Apart >= MostChoices)
    return std::nullopt;
  const bool IsShared = S.Memory == Space::Shared;
  if (IsShared && (S.Serialises || S.IsEmulated || Law.RowsPerPass != 1 ||
                   S.Bytes > Law.BankBytes))
    return std::nullopt;
  const unsigned First = unsigned(std::countr_zero(Active));
  uint64_t Step = 0; // by which all lanes move together
  for (const Term &T : Address.Terms) {
    if (!isUniformTerm(T, Active))
      return std::nullopt;
    Step = std::gcd(Step, T.Factor[First] < 0 ? -uint64_t(T.Factor[First])
                                              : uint64_t(T.Factor[First]));
  }
  const unsigned Period = periodOf(S, Law);
  Step = Step ? std::gcd<uint64_t>(Step, Period) : Period;
  const std::vector<uint64_t> Starts = startsOf(Address, Active);
  unsigned Most = 0;
  for (uint64_t R = 0; R < Period; R += Step) {
    std::vector<uint64_t> Units; // sectors, words of a bank or of constants
    for (uint64_t Start : Starts) {
      const uint64_t Last = Start + R + S.Bytes - 1;
      // Starts ascend, so that what is not beyond the last unit is there.
      for (uint64_t U = (Start + R) / Period; U <= Last / Period; ++U)
        if (Units.empty() || Units.back() < U)
          Units.push_back(U);
    }
    if (!IsShared) {
      Most = std::max(Most, unsigned(Units.size()));
      continue;
    }
    std::map<uint64_t, unsigned> Words; // by bank
    for (uint64_t U : Units)
      Most = std::max(Most, ++Words[U % Law.Banks]);
  }
  return Most;
}

} // namespace

RequestBounds boundsOf(const Site &S, const profile::RequestLaw &Law,
                       const Form &Address, uint32_t Active, uint32_t Sure) {
  const auto Reached = mostWithinReach(S, Law, Address, Active);
  if (auto Banks = boundsOfBanks(S, Law, Address, Active)) {
    Banks->High = std::min(Banks->High, Reached.value_or(~0u));
    Banks->HighWhole = Banks->High;
    return *Banks;
  }
  const std::vector<Group> Groups = groupsOf(Address, Active);
  const unsigned Period = periodOf(S, Law);
  // The hardware insists on natural alignment, so no other place is possible.
  const unsigned Aligned =
      std::has_single_bit(S.Bytes) ? std::min(S.Bytes, Law.VectorBytes) : 1;
  RequestBounds Sum;
  Sum.IsScattered = (Address.Top & Active) != 0;
  Sum.HasRows = !Sum.IsScattered && Groups.size() > 1;
  uint64_t Bytes = 0;
  unsigned Rows = 0; // what rows cost, each by itself
  for (const Group &G : Groups)
    Sum.Apart |= G.Lanes & ~(G.Lanes >> 1) & (Active >> 1);
  const bool Alone = Groups.size() == 1;
  for (const Group &G : Groups) {
    const uint64_t Step = G.Step ? std::gcd<uint64_t>(G.Step, Period) : Period;
    const uint64_t First = uint64_t(Address.Base[std::countr_zero(G.Lanes)]);
    bool AnyAligned = false;
    for (uint64_t R = 0; R < Period; R += Step)
      AnyAligned |= (First + R) % Aligned == 0;
    unsigned Low = ~0u, LowFull = ~0u, High = 0;
    for (uint64_t R = 0; R < Period; R += Step) {
      if (AnyAligned && (First + R) % Aligned != 0)
        continue;
      warp::LaneAddresses A{};
      for (uint32_t Left = G.Lanes; Left != 0; Left &= Left - 1) {
        const unsigned L = std::countr_zero(Left);
        A[L] = uint64_t(Address.Base[L]) + R;
      }
      const unsigned Full = costOf(S, Law, A, G.Lanes, Alone);
      High = std::max(High, Full);
      LowFull = std::min(LowFull, Full);
      const uint32_t Certain = G.Lanes & Sure;
      Low = std::min(Low, !Certain ? 1
                          : Alone && Certain == G.Lanes
                              ? Full
                              : costOf(S, Law, A, Certain, true));
    }
    warp::LaneAddresses A{};
    for (unsigned L = 0; L != WarpLanes; ++L)
      A[L] = uint64_t(Address.Base[L]);
    const uint64_t Covered = bytesOf(A, G.Lanes, S.Bytes);
    Bytes += Covered;
    const unsigned Whole = High;
    // Lanes that are torn apart share nothing any more. If that happens at the
    // boundary of a sector, they shared no sector before.
    if (Address.Torn && Address.TornAt == Form::AnyLanes)
      High *= Address.Torn + 1;
    else if (Address.Torn && S.Memory != Space::Shared &&
             (Address.TornAt != 0 || Period > 32))
      High += Address.Torn;
    const unsigned Units =
        AnyAligned ? (S.Bytes + Period - 1) / Period : S.Bytes / Period + 2;
    High = std::min(High, unsigned(std::popcount(G.Lanes)) * Units *
                              (S.Memory == Space::Shared ? 4 : 1));
    Sum.HighWhole += std::min(Whole, High);
    Sum.Low = std::max(Sum.Low, Low);
    Sum.LowFull = std::max(Sum.LowFull, LowFull);
    // Less than half a sector may be a pair, or one element for all, at a small
    // stride.
    if (2 * Covered >= Period)
      Rows += LowFull;
    Sum.High += High;
  }
  Sum.High = std::max(std::min(Sum.High, Reached.value_or(~0u)), Sum.Low);
  Sum.HighWhole = std::clamp(Sum.HighWhole, Sum.Low, Sum.High);
  const unsigned Unit =
      S.Memory == Space::Shared ? Law.passBytes() : Law.SectorBytes;
  Sum.Ideal = unsigned((Bytes + Unit - 1) / Unit);
  Sum.LowApart = Sum.LowFull;
  if (Groups.size() > 1)
    Sum.LowApart =
        std::max({Sum.LowFull, Rows, unsigned((Bytes + Period - 1) / Period)});
  if (S.Memory == Space::Shared)
    Sum.LowApart = Sum.LowFull;
  return Sum;
}

bool costTheSame(const Site &S, const profile::RequestLaw &Law, const Form &A,
                 const Form &B, uint32_t Lanes) {
  if (Lanes == 0)
    return true;
  const unsigned First = unsigned(std::countr_zero(Lanes));
  const uint64_t Moved = uint64_t(B.Base[First]) - uint64_t(A.Base[First]);
  if (int64_t(Moved) % int64_t(periodOf(S, Law)) != 0)
    return false;
  return isSame(A, B, Lanes, Moved);
}

uint32_t placeOfBounds(const Site &S, const profile::RequestLaw &Law,
                       const Form &Address, const Symbols &Known,
                       uint32_t Active) {
  uint32_t Place =
      (Address.Top & Active) || Address.Torn ? Address.From & OriginPlace : 0;
  // What moves all lanes to where something else moves them anyway makes no
  // difference.
  std::array<uint64_t, WarpLanes> Anyway;
  Anyway.fill(periodOf(S, Law));
  const auto sizeOf = [](int64_t Factor) {
    return Factor < 0 ? -uint64_t(Factor) : uint64_t(Factor);
  };
  for (const Term &T : Address.Terms)
    if (!Known.placeOf(T))
      forEach(Active, [&](unsigned L) {
        Anyway[L] = std::gcd(Anyway[L], sizeOf(T.Factor[L]));
      });
  for (const Term &T : Address.Terms)
    if (Known.placeOf(T) &&
        (!isUniformTerm(T, Active) || !all(Active, [&](unsigned L) {
          return sizeOf(T.Factor[L]) % Anyway[L] == 0;
        })))
      Place |= Known.placeOf(T);
  return Place;
}

} // namespace warpwise::access::proof
