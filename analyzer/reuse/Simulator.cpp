//===- Simulator.cpp - The caches under a launch --------------------------===//

#include "analyzer/reuse/Simulator.h"

#include "analyzer/reuse/Simulation.h"
#include "analyzer/reuse/StoppingRules.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

/// Simulates R.Simulated, with fewer SMs where the traces of all take too much
/// memory.
static void simulatePart(TraceSource &Source, const CacheOptions &Options,
                         const SimulationSettings &Settings,
                         SimulationResult &R) {
  const unsigned MostStride =
      std::max(R.Simulated.SmStride,
               mostStride(R.Simulated.AllBlocks, Options.Sm.Count));
  while (true) {
    Simulation S(Source, Options, Settings, R.Room, R.Simulated);
    R.Error = S.run();
    if (R.Error.empty() && !R.Simulated.Windows.whole() && !S.windowsAgree()) {
      R.Simulated.Windows =
          S.hasPieces() ? TraceWindows() : R.Simulated.Windows.longer();
      continue;
    }
    if (R.Error.empty())
      return S.report(R);
    if (!S.outOfMemory() || R.Simulated.SmStride >= MostStride)
      return;
    R.Simulated.SmStride = std::min(2 * R.Simulated.SmStride, MostStride);
  }
}

SimulationResult reuse::simulate(TraceSource &Source,
                                 const CacheOptions &Options,
                                 const SimulationSettings &Settings) {
  SimulationResult R;
  if (R.Error = validate(Options); !R.Error.empty())
    return R;
  if (R.Error = residency(Options, Source.shape(), R.Room); !R.Error.empty())
    return R;
  const uint64_t AllBlocks = Source.shape().blocks();
  const uint64_t Wave = uint64_t(R.Room.BlocksPerSm) * Options.Sm.Count;
  R.Waves = (AllBlocks + Wave - 1) / Wave;
  const SampleSettings &Wanted = Settings.Sampling;
  TouchedLines Touched(Source,
                       std::min(AllBlocks, Wave) * Source.shape().warps());
  // Where no SM could be left out anyway, nobody needs to look.
  if (Wanted.MostAccesses != 0 &&
      (AllBlocks > Wave || mostStride(AllBlocks, Options.Sm.Count) > 1))
    if (R.Error = Touched.add(AllBlocks / 2); !R.Error.empty())
      return R;
  R.Simulated = planSample(Wanted, AllBlocks, Wave, Touched.accessesPerBlock(),
                           Options.Sm.Count);
  if (Wanted.Adaptive && Wanted.Waves == 0 && !Settings.ReuseDistances &&
      double(R.Simulated.Blocks) > stopping::WholeWaves * double(Wave)) {
    bool Alike = false;
    if (R.Error = Touched.compareBlocks(Alike); !R.Error.empty())
      return R;
    if (Alike)
      R.Simulated.compareChunksOf(Wave);
  }
  if (Wanted.Adaptive && Wanted.Waves == 0 && !Settings.ReuseDistances &&
      AllBlocks <= Wave && Wanted.SmStride == 0 &&
      Touched.accessesPerBlock() * double(AllBlocks) >
          stopping::LeastLaunchAccesses) {
    if (R.Error =
            findWindows(Source, Touched.accessesPerBlock() * double(AllBlocks),
                        R.Simulated.Windows);
        !R.Error.empty())
      return R;
    // Rather a part of all SMs' time than all of some SMs'.
    if (!R.Simulated.Windows.whole())
      R.Simulated.SmStride = 1;
  }
  simulatePart(Source, Options, Settings, R);
  if (!R.Error.empty())
    return R;
  if (!R.Simulated.all()) {
    if (R.Error = Touched.addCorners(); !R.Error.empty())
      return R;
    R.Bounded = boundMisses(R.Sites, Touched, Options);
  }
  R.SampleText = R.Simulated.describe(R.Bounded);
  for (const Traffic &T : R.Sites)
    R.Total += T;
  return R;
}
