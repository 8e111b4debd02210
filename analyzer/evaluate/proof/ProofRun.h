//===- ProofRun.h - One warp, for every value of the unknown ----*- C++ -*-===//
//
// Runs a Program like WarpInterpreter does, but on forms. A branch that the
// symbols decide is taken both ways, and what the ways disagree on is joined
// where they meet. A loop whose end is not known is run round by round as long
// as that is possible, then once more for all further rounds together: its
// variables are generalised (a counter becomes start + step * symbol) until one
// more round changes nothing.
//
// What comes out holds for every value of every symbol, or the run says that
// it gave up.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_PROOFRUN_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_PROOFRUN_H

#include "analyzer/evaluate/Environment.h"
#include "analyzer/evaluate/PrivateMemory.h"
#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/proof/Algebra.h"
#include "analyzer/evaluate/proof/Contexts.h"
#include "analyzer/evaluate/proof/PresetForms.h"

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace warpwise::access::proof {

/// Receives the requests of a run.
class ProofSink {
public:
  virtual ~ProofSink() = default;
  /// Lanes in \p Active may make the access; if it is made, those in \p Sure
  /// take part. \p Taken: it is made exactly once here by each warp of the
  /// thread blocks that go these ways, which are all blocks if there are none;
  /// without \p Taken any number of warps make it any number of times.
  /// \p Known are the symbols of \p Address.
  virtual void request(uint32_t Site, const Form &Address, const Symbols &Known,
                       uint32_t Active, uint32_t Sure,
                       const std::optional<Ways> &Taken) = 0;
};

class ProofRun {
public:
  ProofRun(const Program &Code, const launch::Shape &Shape,
           const std::vector<launch::Argument> &Arguments,
           const Environment &Where, ProofSink &Sink);

  /// Runs the existing lanes \p Lanes of the warps in \p Which. False when more
  /// than \p MostSteps steps would be needed, or something happens that the
  /// engine does not cover: then nothing is proven.
  bool run(const Range &Which, uint32_t Lanes, uint64_t MostSteps);
  uint64_t steps() const { return Steps; }
  /// OriginPlace bits of what decided which way the run went: where there are
  /// none, it goes no other way in one block (warp) than in all.
  uint32_t place() const { return Place; }

private:
  struct Arrival {
    uint32_t From = 0, Lanes = 0;
    uint64_t Number = 0; ///< arrivals are counted
    std::array<Context, 32> In{};
  };
  /// How a variable of a loop changes from round to round.
  struct Generalised {
    enum class Kind {
      Untried,
      Fixed,   ///< not at all
      Counted, ///< by the same numbers each time
      Shared,  ///< by something that is the same in all lanes
      Anything
    } How = Kind::Untried;
    LaneNumbers Step{};  ///< Counted
    int64_t Content = 1; ///< Shared: divides each change
    bool Signed = true, Unsigned = true;
    Form Start, Now;
  };
  struct LoopState {
    bool Widened = false, Finished = false;
    bool OwnExit = false; ///< lanes leave one by one
    unsigned Rounds = 0, Restarts = 0;
    uint64_t WidenedSince = 0; ///< arrivals from here on may be taken back
    std::vector<Generalised> Variables; ///< as the header's phis
    Form Round;                         ///< the number of the round
    /// Rounds that all lanes still make, if that is known.
    std::optional<uint64_t> Left;
    uint32_t Lanes = 0; ///< that began the round, and in which contexts
    std::array<Context, 32> In{};
  };

  const Program &Code;
  const launch::Shape &Shape;
  const std::vector<launch::Argument> &Arguments;
  const Environment &Where;
  ProofSink &Sink;
  Algebra Forms;
  Contexts Around;

  std::vector<Form> Registers;
  std::array<Form, 3> Rooms; ///< for viewed(); filling them takes time
  std::vector<uint32_t> Defined;
  std::vector<std::vector<Arrival>> Waiting;
  std::vector<LoopState> Loops;
  std::vector<uint8_t> ReadsPrivate; ///< by step
  /// What is computed in each loop.
  std::vector<std::vector<uint32_t>> ComputedIn;
  PrivateMemory Private;
  /// Of by-value arguments, by address, bytes and bits.
  std::map<std::tuple<uint64_t, unsigned, unsigned>, Form> Members;
  std::array<Context, 32> In{}; ///< of the lanes that are running
  uint32_t Sure = 0;            ///< see ProofSink
  std::optional<Ways> Taken;    ///< see ProofSink
  uint32_t Place = 0;           ///< see place()
  uint64_t Steps = 0, Arrivals = 0;
  bool GaveUp = false;

  void arrive(uint32_t Block, uint32_t Lanes, uint32_t From,
              const std::array<Context, 32> &In);
  std::optional<uint32_t> next() const;
  bool isInLoop(uint32_t Block, int32_t Loop) const {
    return isWithin(Code.Loops, Code.Blocks[Block].Loop, Loop);
  }
  void assign(uint32_t Slot, Form Value, uint32_t Active);

  uint32_t enter(uint32_t Number);
  void partLanes(uint32_t Block, const std::vector<Arrival> &From);
  uint32_t enterHeader(uint32_t Number, const std::vector<Arrival> &From,
                       uint32_t Lanes);
  std::vector<Form> joinPhis(const BlockCode &Block,
                             const std::vector<Arrival> &From);
  Form joinPhi(const Phi &P, const std::vector<Arrival> &From);
  void setContexts(uint32_t Block, const std::vector<Arrival> &From);

  std::optional<uint64_t> roundsLeft(const LoopInfo &L, uint32_t Active);
  void widen(int32_t Loop);
  void restart(int32_t Loop);
  void generalise(int32_t Loop);
  bool isStable(int32_t Loop, const std::vector<Form> &Next, uint32_t Lanes);
  uint32_t exitOf(int32_t Loop) const;

  Form member(uint64_t Address, const Step &Load);
  uint32_t placeOfAddress(const Form &Address, uint32_t Active) const;
  void execute(const Step &S, uint32_t Number, uint32_t Active);
  void request(uint32_t Site, const Form &Address, uint32_t Active);
  void load(const Step &S, uint32_t Number, uint32_t Active);
  std::optional<Form> loadInGroups(const Step &S, const Form &Address,
                                   uint32_t From, uint32_t Active);
  void store(const Step &S, uint32_t Active);
  void fragment(const Step &S, uint32_t Active);
  Form exchange(const Step &S, uint32_t Active);
  Form shuffle(const Step &S, const Form &Value, uint32_t Active);
  const Form &viewed(uint32_t Slot, unsigned Bits, Form &Room) const;
  Form viewed(uint32_t Slot, unsigned Bits) const;
  static uint32_t sendLanes(const BlockCode &Block, const Form &Condition,
                            uint32_t Active, std::vector<uint32_t> &Going);
  void leave(uint32_t Number, uint32_t Active);
};

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_PROOFRUN_H
