//===- LocalArray.cpp - Private arrays that registers cannot hold ---------===//
//
// Registers have no index at run time. A private array that is indexed by
// anything but a constant, once loops are unrolled, lives in local memory: in
// DRAM behind the caches, one copy per thread.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/Paths.h"
#include "rules/Rule.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::PrivateArray;
using profile::Profile;

namespace {

constexpr std::string_view Price = paths::warp_local_cycles_per_access;

/// "index 'm' is not a constant", "its address is passed to 'sort'", or nothing
/// when it is not known.
std::string causeText(const PrivateArray &Array) {
  if (Array.OutOfReach)
    return fmt::format("its address is passed to '{}'", Array.EscapesTo);
  if (!Array.IndexText.empty())
    return fmt::format("index '{}' is not a constant", Array.IndexText);
  if (Array.DynamicIndex)
    return "an index is not a constant";
  if (!Array.EscapesTo.empty())
    return fmt::format("its address is passed to '{}'", Array.EscapesTo);
  return "";
}

/// What to do about an index that only data or the lane decides, or nothing
/// where the array is too large for that.
std::string remedyForData(const PrivateArray &Array, const access::Kernel &K) {
  /// Of a block, as long as it is not asked for at the launch (CUDA C++
  /// Programming Guide, compute capabilities).
  constexpr uint64_t SharedBytes = 48 << 10;
  constexpr uint64_t UsualThreads = 128;
  /// A comparison for each takes no longer than an access to L1.
  constexpr uint64_t MostSelected = 16;
  const uint64_t Elements = Array.Of.Bytes ? Array.Bytes / *Array.Of.Bytes : 0;
  if (Array.Of.isScalar() && Elements > 0 && Elements <= MostSelected)
    return fmt::format("compare the index with each of {} constants, so that "
                       "'{}' stays in registers, or keep it in shared memory "
                       "with a column for each thread",
                       Elements, Array.Name);
  if (Elements == 1 && !Array.Of.IsLibrarys && Array.Of.LongestMember > 1 &&
      Array.Of.LongestMember <= MostSelected)
    return fmt::format("let loops go over all {} elements of the arrays in "
                       "'{}' and compare their index with the one that is "
                       "wanted, so that registers hold them",
                       Array.Of.LongestMember, Array.Name);
  /// Of each thread: with more, an SM's 227 KiB are those of a dozen warps. No
  /// measurement says where it stops to pay; rc4-state-in-shared of
  /// test/gpu/pairs has 256 and does.
  constexpr uint64_t MostOfThread = 512;
  uint64_t Threads = 0;
  for (const launch::Shape &S : K.Launches)
    if (S.Source != launch::ShapeSource::Assumed)
      Threads =
          std::max(Threads, uint64_t(S.Block[0]) * S.Block[1] * S.Block[2]);
  if (Threads == 0)
    Threads = UsualThreads;
  // A record that holds an array has no columns.
  return Array.Of.IsLibrarys || Elements == 1 || Array.Bytes > MostOfThread ||
                 Array.Bytes * Threads > SharedBytes
             ? ""
             : fmt::format("keep '{}' in shared memory, with a column for each "
                           "thread",
                           Array.Name);
}

/// What to do about a call of which nvcc has no more than the declaration, or
/// nothing where the array would stay even without its address.
std::string remedyForCall(const PrivateArray &Array) {
  /// More values go to a function in memory as well.
  constexpr uint64_t MostHanded = 32;
  if (!Array.DynamicIndex && Array.Bytes <= MostHanded)
    return fmt::format("hand '{}' values instead of the address of '{}', or "
                       "leave the call out where time matters",
                       Array.EscapesTo, Array.Name);
  return Array.EscapesTo == "printf"
             ? "leave the call of 'printf' out where time matters"
             : "";
}

/// Beside an array of more, of the 1020 bytes of registers that a thread can
/// have at most (CUDA C++ Programming Guide, compute capabilities), little is
/// left for what is computed with it.
constexpr uint64_t MostInRegisters = 384;

/// What it holds could be one table for all threads.
bool isTable(const PrivateArray &Array) {
  return Array.IsTable && Array.DynamicIndex;
}

/// Whether with its loops written out registers would hold the array, as far as
/// there is room for all of them.
bool isForRegisters(const PrivateArray &Array, const access::Kernel &K) {
  uint64_t All = 0;
  for (const PrivateArray &Other : K.PrivateArrays)
    All += Other.Bytes;
  return !isTable(Array) && !Array.OutOfReach && Array.DynamicIndex &&
         Array.CountsRounds && All <= MostInRegisters;
}

std::string remedy(const PrivateArray &Array, const access::Kernel &K) {
  if (isTable(Array))
    return fmt::format("declare '{}' static{}: one table for all threads, "
                       "which is not stored each time",
                       Array.Name,
                       // No static in code of the device may be made by calls,
                       // of make_float4, say.
                       Array.Array ? ""
                                   : ", with numbers in place of what calls "
                                     "in its braces return");
  if (Array.OutOfReach)
    return remedyForCall(Array);
  if (isForRegisters(Array, K))
    return fmt::format("unroll the loops that index '{}': their number of "
                       "rounds has to be a constant",
                       Array.Name);
  if (Array.DynamicIndex)
    return remedyForData(Array, K);
  if (Array.IntoRecursion)
    return fmt::format("'{}' calls itself: make a loop of it to have it "
                       "inlined",
                       Array.EscapesTo);
  if (!Array.EscapesTo.empty())
    return fmt::format("let '{}', which gets '{}', be inlined", Array.EscapesTo,
                       Array.Name);
  return "";
}

/// Executions per warp of all accesses to the array, and the bytes that one of
/// them moves for the warp.
void addTraffic(advice::Finding &F, const access::Kernel &K,
                const PrivateArray &Array) {
  double Executions = 0;
  for (const Access &A : K.Accesses)
    if (A.Memory == access::Space::Local && A.Object == Array.Name) {
      Executions += rankingWeight(A);
      F.ExtraBytes = double(A.Bytes) * access::WarpLanes;
    }
  if (Executions > 0)
    F.Weight = Executions;
}

void addCost(advice::Finding &F, const Profile &Device) {
  const auto *Q = Device.find(Price);
  if (!Q || !Q->Value)
    return;
  F.ExtraCycles = F.ExtraCyclesLow = F.ExtraCyclesHigh = *Q->Value;
  if (Q->Ci95) {
    F.ExtraCyclesLow = (*Q->Ci95)[0];
    F.ExtraCyclesHigh = (*Q->Ci95)[1];
  }
}

/// The array in registers, as columns of shared memory, one for each thread, or
/// as a table that is there already. Where the index stays as it is, selecting
/// from registers may be faster than columns.
Cure whereIndexed(const access::Kernel &K, const PrivateArray &Array) {
  Cure Its;
  double Bytes = double(Array.Bytes);
  for (size_t N = 0; N != K.Accesses.size(); ++N) {
    const Access &A = K.Accesses[N];
    if (A.Memory != access::Space::Local || A.Object != Array.Name)
      continue;
    price::Repair R;
    R.Access = N;
    if (isTable(Array)) {
      // What lanes load of a small table in L1 takes no longer than that.
      R.Share = A.Op == access::Operation::Store ? 0 : 1;
      R.IntoShared = 0;
      Its.Repairs.push_back(R);
      continue;
    }
    if (isForRegisters(Array, K)) {
      R.IntoRegisters = std::exchange(Bytes, 0);
    } else {
      R.IntoShared = std::exchange(Bytes, 0);
      R.MayVanish = true;
    }
    Its.Repairs.push_back(R);
  }
  return Its;
}

std::optional<advice::Rewrite> makeStatic(const PrivateArray &Array,
                                          const access::Kernel &K) {
  if (!isTable(Array) || !Array.Array)
    return std::nullopt;
  const DeclaredArray &Its = K.Arrays[*Array.Array];
  advice::Rewrite Fix;
  Fix.Title = fmt::format("declare '{}' static", Array.Name);
  Fix.Withheld = Its.WhyOfThread;
  if (Fix.Withheld.empty())
    Fix.Changes = {
        {Its.FirstWord, Its.FirstWordText, "static " + Its.FirstWordText}};
  return Fix;
}

class LocalArray : public Rule {
  /// L_1 (size), L_2 (loops) and L_3 (sorting) are three causes of one cost.
  std::string quietOn(const Profile &Device) const override {
    return standing(Device, {"L_1", "L_2", "L_3"}).empty()
               ? refutedBy(Device, "L_1")
               : "";
  }

  void check(const access::Kernel &Kernel, const Profile &Device,
             const Sink &Report) const override {
    // A call of what nvcc does not see takes addresses, whatever is done here.
    if (Kernel.CallsElsewhere)
      return;
    for (const PrivateArray &Array : Kernel.PrivateArrays) {
      const std::string Advice = remedy(Array, Kernel),
                        Cause = causeText(Array);
      // Where the index is the cause and nothing helps, there is nothing to
      // say, nor where nobody knows what the cause is: the stack frame may be
      // of other arrays.
      if (((Array.DynamicIndex || Array.OutOfReach) && Advice.empty()) ||
          Cause.empty())
        continue;
      // nvcc has the last word.
      if (Array.Confirmed.value_or(!Array.MayBeSelected))
        Report(describe(Kernel, Array, Device, Cause, Advice),
               whereIndexed(Kernel, Array));
    }
  }

  static advice::Finding describe(const access::Kernel &Kernel,
                                  const PrivateArray &Array,
                                  const Profile &Device,
                                  const std::string &Cause,
                                  const std::string &Advice) {
    const bool IsConfirmed = Array.Confirmed.value_or(false);
    advice::Finding F;
    F.Where = Array.Declared;
    F.Kernel = Kernel.Name;
    F.Object = Array.Name;
    F.State = IsConfirmed ? access::Proof::Exact : access::Proof::Bounded;
    F.Guidelines = standing(Device, {"L_1", "L_2", "L_3"});
    addTraffic(F, Kernel, Array);
    addCost(F, Device);
    const std::string_view InView = IsConfirmed ? "" : " in Clang's view";
    F.Message =
        isTable(Array)
            ? fmt::format("each thread stores the table '{}' in its local "
                          "memory{}, because {}",
                          Array.Name, InView, Cause)
            : fmt::format("private array '{}' stays in local memory{}, because "
                          "{}",
                          Array.Name, InView, Cause);
    if (Array.DynamicIndex && !Array.OutOfReach)
      F.Notes.push_back({*Array.DynamicIndex,
                         "this index is not a constant after unrolling"});
    addNote(F, IsConfirmed
                   ? "nvcc gives this kernel a stack frame that holds it"
                   : "nvcc was not asked or does not compile this kernel; "
                     "'nvcc -Xptxas -v' shows a stack frame when it agrees");
    addEvidenceNote(F, Device, Price);
    F.Remedy = Advice;
    F.Fix = makeStatic(Array, Kernel);
    return F;
  }
};

REGISTER_RULE(LocalArray);

} // namespace
