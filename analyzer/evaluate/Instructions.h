//===- Instructions.h - What an IR instruction means to a lane --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONS_H
#define WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONS_H

#include "analyzer/evaluate/Program.h"

#include <optional>

namespace llvm {
class CallInst;
class DominatorTree;
class Instruction;
class LoopInfo;
class Value;
class Loop;
} // namespace llvm

namespace warpwise::access {

/// The step that computes \p I lane by lane from its operands in order, if
/// there is one.
std::optional<Code> simpleCode(const llvm::Instruction &I);

/// True when simpleCode's step wants the first two operands swapped ("greater
/// than" is computed as "less than").
bool swapsOperands(const llvm::Instruction &I);

/// True for __syncthreads and its kin.
bool isBarrier(const llvm::Instruction &I);
bool hasBarrier(const llvm::Loop &L);

/// The special register that \p Call reads (threadIdx.x, %laneid ...).
std::optional<Preset::Kind> specialRegister(const llvm::CallInst &Call);

/// A shuffle or vote with its operands; null: it has none of that kind.
struct WarpExchange {
  Code What;
  const llvm::Value *Value = nullptr, *Lane = nullptr, *Clamp = nullptr;
};
std::optional<WarpExchange> warpExchange(const llvm::CallInst &Call);

/// Whether nothing is done with what \p Ballot says but to count the votes of
/// some lanes, to find the first one, and to name who goes on together: what
/// hands out places to those that have something to store.
bool isOnlyCounted(const llvm::CallInst &Ballot);

/// True when the result may differ between lanes although all operands are the
/// same in each (clock, unknown inline assembly).
bool variesByLane(const llvm::CallInst &Call);

/// True for an atomic whose lanes take turns when they hit the same word of
/// shared memory. Adding the same constant does not: the hardware counts the
/// lanes (ATOMS.POPC.INC). Neither do those on floats, of which nvcc makes a
/// loop that compares and swaps in all lanes at once. Read off the counters of
/// an H200 and an H100.
bool serialises(const llvm::Instruction &Atomic, const llvm::LoopInfo &Loops);

/// Whether nvcc sees that \p V is the same in all lanes of a warp: made of
/// arguments, block indices and what lies at such addresses. With \p Loops,
/// what their rounds count is the same, too, as seen from within (with \p User,
/// which uses \p V, of the loops around that alone: lanes leave a loop after
/// rounds of their own); with \p Order, what branches choose that the whole
/// warp takes.
bool isWarpUniform(const llvm::Value &V, const llvm::LoopInfo *Loops = nullptr,
                   const llvm::DominatorTree *Order = nullptr,
                   const llvm::Instruction *User = nullptr);

/// True for an atomic that nvcc carries out once for all lanes of a warp, which
/// it first adds up (VOTE and POPC, REDUX, or shuffles where the result is
/// used): integers at a place that it sees is one. Read off cubins of nvcc 13
/// for sm_90; floats, exchanges and increments with a limit are not joined.
bool isJoined(const llvm::Instruction &Atomic, const llvm::LoopInfo &Loops);

/// Whether parts of what \p Atomic adds up may be added up elsewhere before.
bool accumulates(const llvm::Instruction &Atomic);

/// How many atomics like \p Atomic a word takes until the next one changes
/// nothing, if their operands are random: one for each bit of an "or". 1 of an
/// extreme, which is passed ever less often; 0 where it never ends.
unsigned settlesAfter(const llvm::Instruction &Atomic);

/// Whether \p Ptx fetches from a texture.
bool isTextureFetch(llvm::StringRef Ptx);

/// What a texture or a surface holds is data, though the model does not follow
/// where it lies.
bool fetchesTexture(const llvm::CallInst &Call);

/// What the model leaves out when a kernel calls this ("a texture fetch"), or
/// nothing.
std::string uncoveredBy(const llvm::CallInst &Call);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_INSTRUCTIONS_H
