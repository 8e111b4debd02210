//===- GridRuns.h - Which blocks of a launch are run ------------*- C++ -*-===//
//
// A grid may have millions of blocks, and the budget is enough for some. Those
// that are run stand for the others, each for as many as its weight says.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_GRIDRUNS_H
#define WARPWISE_ANALYZER_EVALUATE_GRIDRUNS_H

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/LaunchPlans.h"
#include "analyzer/evaluate/Tally.h"
#include "analyzer/evaluate/WarpInterpreter.h"

namespace warpwise::access {

/// Runs blocks of one launch, and remembers what they were like.
class GridRuns {
  const Program &Code;
  const LaunchPlan &Plan;
  const profile::RequestLaw &Law;
  unsigned Threads, Warps;
  uint64_t Spent = 0;
  bool LeftOut = false; ///< blocks of the grid stand for others
  /// See workingPart(); of a grid that is not known nothing.
  launch::Dim3 Working{};
  /// The block that took the most steps so far: where others have nothing to
  /// do, as in a grid that is larger than the data, it says the most alone. At
  /// first any but block 0, which is special in most guards.
  launch::Dim3 Busiest{5, 3, 2};
  uint64_t BusiestSteps = 0;
  /// The first that took about as many.
  launch::Dim3 Usual = Busiest;
  uint64_t UsualSteps = 0;

public:
  GridRuns(const Program &Code, const LaunchPlan &Plan,
           const profile::RequestLaw &Law);

  /// Runs as many blocks as \p Allowed steps are enough for, but at least one,
  /// with what is not known as in \p Where and branches as in \p Forced.
  /// Returns what all of the grid does.
  Tally run(const Environment &Where, const Decisions &Forced, Coverage &Seen,
            uint64_t Allowed);
  /// The same from the busiest block so far alone.
  Tally runBusiest(const Environment &Where, const Decisions &Forced,
                   Coverage &Seen, const LoopLimits &Limits);
  /// Every block of the grid, which has to be known.
  Tally runAll(const Environment &Where, Coverage &Seen, uint64_t Allowed);

  Environment environment(MadeUp Made) const {
    return Environment(Code, Plan.Shape, Plan.Arguments, Made);
  }
  /// For a run of all warps of a block in \p Steps.
  LoopLimits limitsFor(uint64_t Steps) const;

  /// Blocks of the grid, which has to be known.
  double blocks() const;
  unsigned threads() const { return Threads; }
  unsigned warps() const { return Warps; }
  /// The lanes of a warp that are threads of the block.
  uint32_t lanesOf(unsigned Warp) const;

  const launch::Dim3 &busiest() const { return Busiest; }
  uint64_t stepsOfBusiest() const { return BusiestSteps; }
  /// The block by which footprints are taken: where the middle one does as much
  /// as any, one beside it whose numbers are odd. Rows of any length begin at
  /// the start of a sector where their number is a multiple of a power of two,
  /// as that of the middle block often is.
  launch::Dim3 typicalBlock() const;

  /// Of all runs.
  uint64_t spent() const { return Spent; }
  /// Whether blocks of the grid were left out.
  bool leftOut() const { return LeftOut; }

private:
  uint64_t runBlock(WarpInterpreter &Run, Tally &Into,
                    const launch::Dim3 &Block, double Weight);
  Tally runOne(const Environment &Where, const Decisions &Forced,
               Coverage &Seen, const LoopLimits &Limits,
               const launch::Dim3 &Block, uint64_t &Steps);
  /// \p One, the run of a block, for all of the grid.
  Tally forGrid(Tally One) const;

  /// Of \p Grid the part from the first block on behind which all blocks have
  /// nothing to do, whatever is not known: there may be far more of them than
  /// data, and a sample of the grid would hardly meet one that works.
  launch::Dim3 workingPart(const launch::Dim3 &Grid);
  /// Of a grid that is not known a block like most: where one half of a matrix
  /// is left out, one of the other.
  launch::Dim3 blockWithWork();
  bool asksForSomething(const Environment &Where, const launch::Dim3 &Block,
                        Coverage &Seen);
  /// Whether \p Block certainly ends without having asked for anything.
  bool isIdle(const Environment &Where, const launch::Dim3 &Block);

  Tally runWorking(const Environment &Where, const Decisions &Forced,
                   Coverage &Seen, uint64_t Allowed);
  /// Where the budget is enough for few blocks, some stand for all of a kind.
  /// How far a warp of each of some gets in few steps tells kinds apart: in a
  /// grid that is larger than the data many have nothing to do. So does what
  /// code it reaches, where blocks do different work.
  Tally runKinds(const Environment &Where, const Decisions &Forced,
                 Coverage &Seen, uint64_t Allowed);
  /// Has \p First, the run of the middle block, stand for all that lie between
  /// the ends of the grid, and adds the others; false when blocks that witness
  /// it do something else, or a sample would not take many more.
  bool coverWithWitnesses(Tally &First, const Environment &Where,
                          const Decisions &Forced, Coverage &Seen,
                          uint64_t Allowed, uint64_t PerBlock);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_GRIDRUNS_H
