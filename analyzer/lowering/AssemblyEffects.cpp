//===- AssemblyEffects.cpp - What assembly does beside memory -------------===//

#include "analyzer/lowering/AssemblyEffects.h"

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// bar.sync and bar.cta.sync; all of barrier and mbarrier, and the copies that
/// arrive at an object of the latter.
bool isBlockBarrier(const PtxStatement &S) {
  return (S.Words[0] == "bar" && S.has("sync") && !S.has("warp")) ||
         S.has("barrier") || S.has("mbarrier");
}

bool isWarpBarrier(const PtxStatement &S) {
  return S.Words[0] == "bar" && S.has("warp");
}

/// "mov.u32 $0, %laneid"
StringRef registerRead(const PtxStatement &S) {
  if (!S.Guard.empty() || S.Words[0] != "mov" || S.Operands.size() != 2 ||
      operandNumber(S.Operands[0]) != 0u || !S.Operands[1].starts_with("%"))
    return "";
  return S.Operands[1].ltrim('%'); // Clang keeps "%%" as written
}

} // namespace

AssemblyEffects assemblyEffects(const CallInst &Call) {
  AssemblyEffects Found;
  const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Assembly)
    return Found;
  const std::string Text = withoutComments(Assembly->getAsmString());
  const SmallVector<PtxStatement, 4> Statements = ptxStatements(Text);
  Found.BlockBarrier = any_of(Statements, isBlockBarrier);
  Found.WarpBarrier = any_of(Statements, isWarpBarrier);
  Found.ActiveMask = any_of(Statements, [](const PtxStatement &S) {
    return S.Words[0] == "activemask";
  });
  if (Statements.size() == 1)
    Found.Register = registerRead(Statements[0]).str();
  return Found;
}

} // namespace warpwise::lowering
