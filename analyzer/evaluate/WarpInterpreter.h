//===- WarpInterpreter.h - Runs one warp of a program -----------*- C++ -*-===//
//
// Executes a Program with the 32 lanes of a warp in lockstep. The lanes at the
// first waiting block of the convergent order run first, which is how diverged
// lanes meet again. What the run cannot know it decides, and says so: a lane on
// a path that rests on memory contents is speculative, a loop that does not end
// by itself is left after a few rounds.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_WARPINTERPRETER_H
#define WARPWISE_ANALYZER_EVALUATE_WARPINTERPRETER_H

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/PrivateMemory.h"
#include "analyzer/evaluate/Program.h"

#include <array>
#include <map>
#include <vector>

namespace warpwise::access {

/// Receives the memory requests of a run.
class RequestSink {
public:
  virtual ~RequestSink() = default;
  /// Lanes in \p Active make the access \p Site. Those of them in
  /// \p Speculative may in truth be switched off.
  virtual void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
                       uint32_t Speculative) = 0;
  /// From here on each request stands for \p Times of its kind.
  virtual void repeat(double Times) {}
  /// Memory may change behind the back of the warp.
  virtual void barrier() {}
  /// The lanes leave basic block \p Number.
  virtual void endOfBlock(uint32_t Number) {}
  /// No lane wants basic block \p Number, which the warp goes through switched
  /// off (BlockCode::IsPredicated).
  virtual void passOver(uint32_t Number) {}
};

/// How far loops are followed, by what their exit condition rests on.
struct LoopLimits {
  unsigned Known = 1 << 20;
  unsigned Assumed = 16;
  unsigned Unknown = 3; ///< and of rounds that change nothing
  /// Steps after which every loop is left at the next chance, except innermost
  /// ones of up to InnerKnown rounds.
  uint64_t Steps = 200000;
  unsigned InnerKnown = 4096;
  /// Then one round of a counted loop stands for all that are left, instead.
  bool CountsRest = true;
  /// Rounds of a counted loop that are run; the others are skipped. Multiples
  /// of 32, so that every alignment of a step counts the same.
  unsigned InnerSamples = 64, OuterSamples = 32;
  /// After its first round a counted loop goes on with its last one, in which
  /// kernels write out what they have summed up.
  bool EndsOnly = false;
};

/// Ways that a run must take at branches it cannot decide: block -> target.
using Decisions = std::map<uint32_t, uint32_t>;

/// What runs have seen of a program's control flow, summed up over warps.
struct Coverage {
  std::vector<uint8_t> Visited; ///< by block
  /// By block: its ending rested on a made-up number or on memory contents in
  /// some execution, so that another way could have been taken.
  std::vector<uint8_t> Undecided;
  bool Assumed = false; ///< some branch rested on a made-up number
  /// One of these decides what is accessed, or how many rounds a loop has.
  bool AssumedWork = false;
  bool Truncated = false; ///< some loop was not followed to its end
  bool Skipped = false;   ///< rounds of some loop stand for others

  explicit Coverage(size_t Blocks) : Visited(Blocks), Undecided(Blocks) {}
};

/// By loop of \p Code: how many rounds it has, or one around it, rested on what
/// is not known in some execution.
std::vector<uint8_t> openLoops(const Program &Code, const Coverage &Seen);

class WarpInterpreter {
public:
  WarpInterpreter(const Program &Code, const Environment &Where,
                  const LoopLimits &Limits, const Decisions &Forced,
                  Coverage &Seen, RequestSink &Sink);

  /// Runs warp \p Warp of block \p Block, whose existing lanes are \p Lanes.
  /// Returns the steps taken.
  uint64_t run(const launch::Dim3 &Block, unsigned Warp, uint32_t Lanes);

private:
  const Program &Code;
  const Environment &Where;
  LoopLimits Limits;
  const Decisions &Forced;
  Coverage &Seen;
  RequestSink &Sink;

  std::vector<LaneValue> Registers;
  std::vector<uint32_t> Defined; ///< lanes that hold a value, by slot
  std::vector<LaneValue> Made;   ///< scratch of joinPhis
  std::vector<uint32_t> Waiting; ///< lanes at each block
  std::vector<uint64_t> WaitingBits;
  std::vector<unsigned> Rounds; ///< of each loop since it was entered
  /// Of each loop that does not count: what its variables held at the last
  /// round's start, and how many rounds ago that was already so. Such a loop
  /// waits for somebody else.
  std::vector<uint64_t> Variables;
  std::vector<unsigned> Idle;
  /// Of each counted loop: the stride through its rounds, and what the current
  /// round stands for.
  std::vector<uint64_t> Strides, Stands;
  /// Of each loop, the lanes that were at its head last, and in how many rounds
  /// the first of them leaves, where that can be counted.
  struct CountedRounds {
    uint32_t Active = 0;
    std::optional<uint64_t> Left;
  };
  std::vector<CountedRounds> Counted;
  double Times = 1;             ///< last told to the sink
  std::vector<unsigned> Visits; ///< of each block's undecided ending
  std::array<uint32_t, 32> CameFrom{};
  std::array<uint32_t, 32> SpeculativeUntil{};
  uint32_t Speculative = 0, Alive = 0;
  /// Lanes that went one of the ways of a branch that meet at a block, and
  /// could as well have gone another; and what those branches rest on.
  struct Chances {
    uint32_t Lanes = 0, From = 0;
  };
  std::vector<Chances> ByChance; ///< by block
  uint64_t StepsTaken = 0;
  PrivateMemory Private;
  uint64_t PrivateStores = 0;
  /// Exit edges by block: the targets that leave the innermost loop.
  std::vector<uint32_t> ExitTargets;

  void setUp(const launch::Dim3 &Block, unsigned Warp);
  void wait(uint32_t Block, uint32_t Lanes, uint32_t From);
  uint32_t firstWaiting() const;
  /// Lanes that go on and hold in \p Slot what \p Active do not write.
  uint32_t keptIn(uint32_t Slot, uint32_t Active) const;
  void assign(uint32_t Slot, const LaneValue &Value, uint32_t Active);
  void enter(uint32_t Number, uint32_t Active);
  void enterLoop(const BlockCode &Block, uint32_t Active, Chances Chosen);
  void noteProgress(const BlockCode &Block, uint32_t Active, bool Again);
  void skipRounds(const Countdown &Count, uint64_t Rounds, uint32_t Active);
  void tellRepeat(const BlockCode &Block);
  void joinPhis(const BlockCode &Block, uint32_t Active, Chances Chosen);
  uint32_t commonOrigin(uint32_t Active) const;
  void join(const Phi &P, uint32_t Active, uint32_t Common,
            LaneValue &Joined) const;
  const LaneValue *findNumber(const BlockCode &Block, const Phi &P,
                              uint32_t Lanes) const;
  uint32_t differing(const BlockCode &Block, const Phi &P,
                     uint32_t Lanes) const;
  void execute(const Step &S, uint32_t Active);
  void load(const Step &S, uint32_t Active);
  void fragment(const Step &S, uint32_t Active);
  LaneValue handedOut(const Step &S, const LaneValue &Address,
                      uint32_t Active) const;
  void exchange(const Step &S, uint32_t Active);
  bool decidesWork(const BlockCode &Block) const;
  void leave(uint32_t Number, uint32_t Active);
  /// \p Lanes, if any, go from block \p From to \p Target.
  void goEither(uint32_t Target, uint32_t Lanes, uint32_t From);
  uint32_t targetOf(const BlockCode &Block, uint64_t Condition) const;
  uint32_t decide(uint32_t Number, uint32_t Lanes, bool Uncertain);
  bool isRestCounted(int32_t Loop) const;
  bool mustLeave(const BlockCode &Block, const LaneValue &Condition,
                 uint32_t Active) const;
  void truncate(const BlockCode &Block, uint32_t Unknown);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_WARPINTERPRETER_H
