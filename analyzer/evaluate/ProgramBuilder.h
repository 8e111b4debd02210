//===- ProgramBuilder.h - Compiles a kernel into a Program ------*- C++ -*-===//
//
// Internal to two files: ProgramBuilder.cpp has what makes a Program out of a
// function, ProgramSteps.cpp what one instruction becomes. They are one class,
// as both number values by the same slots.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROGRAMBUILDER_H
#define WARPWISE_ANALYZER_EVALUATE_PROGRAMBUILDER_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/UnrolledLoops.h"
#include "analyzer/lowering/CallAccesses.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>

namespace warpwise::access {

/// Builds one Program; used once.
class ProgramBuilder {
  llvm::Function &F;
  const llvm::DataLayout &Layout;
  Program Result;
  llvm::DenseMap<const llvm::Value *, uint32_t> Slots;
  std::map<std::tuple<Preset::Kind, const llvm::Value *, uint64_t>, uint32_t>
      PresetSlots;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> BlockNumbers;
  llvm::DenseSet<const llvm::Instruction *> Relevant;
  uint32_t Current = 0; ///< block being compiled
  int32_t CurrentLoop = -1;
  int Segment = 0; ///< see Site::Segment
  std::map<std::tuple<int, Operation, const llvm::Value *>, int> SegmentNumbers;

public:
  explicit ProgramBuilder(llvm::Function &F)
      : F(F), Layout(F.getParent()->getDataLayout()) {
    Result.Kernel = &F;
  }

  Program build();

private:
  llvm::DenseMap<const llvm::Loop *, int32_t> LoopNumbers;
  std::vector<int32_t> UnrolledIn; ///< Site::UnrolledIn, by innermost loop

  void noteBulkCopies();
  /// Fills in Program::ObjectBytes.
  void measure(const llvm::Value *Object);
  void listLoops(llvm::LoopInfo &Loops, const UnrolledLoops &Unrolled);

  /// What the instructions take, beside what they access.
  void schedule(const std::vector<llvm::BasicBlock *> &Order,
                const llvm::LoopInfo &Loops,
                const llvm::DominatorTree &Dominators,
                const UnrolledLoops &Unrolled);

  uint32_t presetSlot(Preset::Kind What, uint64_t Number,
                      const llvm::Value *Object = nullptr);

  uint32_t constantSlot(uint64_t Value);

  uint32_t slotOf(const llvm::Value *V);

  uint32_t slotOfNew(const llvm::Value *V);

  Step &emit(Code What, const llvm::Instruction &I, uint32_t ResultSlot);

  void compileBlock(llvm::BasicBlock &Block, llvm::LoopInfo &Loops,
                    llvm::PostDominatorTree &PostDominators);

  Phi phi(llvm::PHINode &P);

  void compileEnding(llvm::Instruction &End, BlockCode &Code);

  void compile(llvm::Instruction &I);

  static bool isScalar(const llvm::Instruction &I);

  void fillOperands(uint32_t At, llvm::Instruction &I);

  /// Result is uniform when all operands are, and unknown otherwise.
  void opaque(llvm::Instruction &I, uint32_t From);

  /// Into = Base + Bytes.
  void emitOffset(const llvm::Instruction &I, uint32_t Base, uint64_t Bytes,
                  uint32_t Into);

  void compileExtract(llvm::Instruction &I, llvm::Value *Aggregate,
                      uint64_t Index);

  void compileAddress(const llvm::GEPOperator &Address, llvm::Instruction &I);

  void compileCall(llvm::CallInst &Call);

  int32_t addSite(const llvm::Instruction &I, const llvm::Value *Pointer,
                  Operation Op, unsigned Bytes, Access::Kind Sort);

  /// What one access of the hardware can move: no more than the alignment that
  /// is known.
  static unsigned accessBytes(const llvm::Instruction &I, unsigned Bytes);

  void compileMemory(llvm::Instruction &I);

  void compileCallAccess(const llvm::Instruction &I, uint32_t Base,
                         uint64_t Offset, int32_t SiteNumber);

  static bool isScalarType(const llvm::Type *T);

  void compileCallAccesses(llvm::CallInst &Call,
                           llvm::ArrayRef<lowering::CallAccess> Accesses);

  void compileFragment(llvm::CallInst &Call,
                       const lowering::FragmentAccess &Fragment);

  /// Names what accesses memory and has no site.
  void balance();
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PROGRAMBUILDER_H
