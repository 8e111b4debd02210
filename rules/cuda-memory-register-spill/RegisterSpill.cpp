//===- RegisterSpill.cpp - Values that registers have no room for ---------===//
//
// What nvcc has no register for it stores to local memory and loads again where
// it is wanted. Where launch bounds or a limit given to nvcc are the reason, it
// can have more.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"
#include "profiler/profile/Profile.h"
#include "rules/Rule.h"
#include "rules/SiteVerdict.h"
#include "rules/Wording.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

using namespace warpwise;
using namespace warpwise::rules;

namespace {

/// In one register.
constexpr uint64_t WordBytes = 4;

/// Registers are handed out to threads in such steps (CUDA C++ Programming
/// Guide, compute capabilities).
constexpr unsigned Step = 8;

/// The launch that is most work, among those that are known if there are any.
std::optional<unsigned> findLaunch(const access::Kernel &K) {
  std::optional<unsigned> Best;
  const auto rank = [&](unsigned N) {
    return std::pair(isKnown(K.Launches[N]),
                     K.Works[N].Blocks * K.Works[N].BlockThreads);
  };
  for (unsigned N = 0; N != K.Works.size() && N != K.Launches.size(); ++N)
    if (!Best || rank(N) > rank(*Best))
      Best = N;
  return Best;
}

class RegisterSpill : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &Device,
             const Sink &Report) const override {
    const auto Launch = findLaunch(Kernel);
    if (!Kernel.Registers || Kernel.SpillStores + Kernel.SpillLoads == 0 ||
        !Launch)
      return;
    const unsigned Wanted = unsigned(
        (*Kernel.Registers + Kernel.SpillBytes / WordBytes + Step - 1) / Step *
        Step);
    auto F = describe(Kernel, *Launch);
    if (Wanted <= profile::MostThreadRegisters) {
      F.Remedy = fmt::format(
          "leave it about {} registers: {}", Wanted,
          bounds(Wanted, Kernel.Works[*Launch].BlockThreads, Device));
      Report(F, {*Launch, {}, price::Reshape{.Registers = Wanted}});
    } else {
      F.Remedy = "keep fewer values at a time: compute some again where they "
                 "are wanted, give a thread less to do, or put an array of "
                 "them into shared memory";
      Report(F, {*Launch, {}, price::Reshape{.SpillsIntoShared = true}});
    }
  }

  /// How to write it: as many blocks on an SM as have room.
  static std::string bounds(unsigned Wanted, unsigned Threads,
                            const profile::Profile &Device) {
    const unsigned Registers =
        profile::closestLimits(Device.Architecture).Limits.SmRegisters;
    const unsigned Blocks = Threads > 0 ? Registers / (Wanted * Threads) : 0;
    if (Blocks == 0)
      return "raise the limit of __launch_bounds__ or -maxrregcount, with "
             "smaller blocks";
    return fmt::format("__launch_bounds__({}, {}), and no -maxrregcount below "
                       "that",
                       Threads, Blocks);
  }

  static advice::Finding describe(const access::Kernel &K, unsigned Launch) {
    advice::Finding F;
    F.Where = K.Where;
    F.Kernel = K.Name;
    F.State = access::Proof::Exact;
    // Private arrays that nvcc has kept in memory may be in the frame, too.
    F.Message = fmt::format(
        "{} registers do not hold what a thread needs: {}{} are spilled to "
        "local memory",
        *K.Registers, K.SpillBytes < K.SpillStores ? "up to " : "",
        counted(double(K.SpillBytes), "byte"));
    addNote(F, fmt::format("nvcc's code has spill stores of {} and spill loads "
                           "of {}",
                           counted(double(K.SpillStores), "byte"),
                           counted(double(K.SpillLoads), "byte")));
    if (K.Launches[Launch].At.isKnown())
      F.Notes.push_back({K.Launches[Launch].At, "launched here"});
    return F;
  }
};

REGISTER_RULE(RegisterSpill);

} // namespace
