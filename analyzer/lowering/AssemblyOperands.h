//===- AssemblyOperands.h - The values in inline assembly -------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_ASSEMBLYOPERANDS_H
#define WARPWISE_ANALYZER_LOWERING_ASSEMBLYOPERANDS_H

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace warpwise::lowering {

constexpr unsigned WordBits = 64; ///< of a pointer, and of wide registers

/// A register of the environment: where the driver keeps what grids need.
bool isEnvironment(llvm::StringRef Operand);

/// The inputs, outputs and registers of a call of assembly, as IR built before
/// the call.
class AssemblyOperands {
protected:
  llvm::CallInst &Call;
  llvm::IRBuilder<> Builder;
  /// By number in the text: outputs, then inputs. Null: not known.
  llvm::SmallVector<llvm::Value *, 8> Values;
  llvm::SmallVector<llvm::Type *, 4> OutputTypes;
  llvm::StringMap<llvm::Value *> Locals;

public:
  explicit AssemblyOperands(llvm::CallInst &Call)
      : Call(Call), Builder(&Call) {}

  /// False when some operand has an unsupported form.
  bool bind(const llvm::InlineAsm &Assembly);

protected:
  /// The operand's value in its own type; null when it is not known.
  llvm::Value *valueOf(llvm::StringRef Text);
  llvm::Value *valueOf(llvm::StringRef Text, unsigned Bits,
                       bool Signed = false);
  /// Gives an output or a register a value; false when it is no such operand.
  bool set(llvm::StringRef Text, llvm::Value *V);
  /// The same bits, as far as they fit.
  static llvm::Value *convertedBy(llvm::IRBuilderBase &B, llvm::Value *V,
                                  llvm::Type *T, bool Signed);
  llvm::Value *converted(llvm::Value *V, llvm::Type *T, bool Signed) {
    return convertedBy(Builder, V, T, Signed);
  }
  /// The number of the shared or the generic address space.
  static unsigned addressSpaceOf(const PtxStatement &S);
  /// "[$1+16]"; null when it is not known.
  llvm::Value *address(llvm::StringRef Text, unsigned Space);
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_ASSEMBLYOPERANDS_H
