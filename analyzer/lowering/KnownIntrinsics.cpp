//===- KnownIntrinsics.cpp - The intrinsics that code may contain ---------===//

#include "analyzer/lowering/KnownIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

bool isPlain(Intrinsic::ID Id) {
  switch (Id) {
  // What describes the program.
  case Intrinsic::annotation:
  case Intrinsic::assume:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::donothing:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_end:
  case Intrinsic::invariant_start:
  case Intrinsic::is_constant:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::objectsize:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ssa_copy:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::var_annotation:
  // Copies.
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  // The end of a thread, and hints.
  case Intrinsic::debugtrap:
  case Intrinsic::prefetch:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  // Whole numbers.
  case Intrinsic::abs:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::ptrmask:
  case Intrinsic::sadd_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::scmp:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::sshl_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::uadd_sat:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ucmp:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::ushl_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_xor:
  // Reals.
  case Intrinsic::arithmetic_fence:
  case Intrinsic::canonicalize:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::cos:
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::exp2:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::frexp:
  case Intrinsic::is_fpclass:
  case Intrinsic::ldexp:
  case Intrinsic::llrint:
  case Intrinsic::llround:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::log2:
  case Intrinsic::lrint:
  case Intrinsic::lround:
  case Intrinsic::maximum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::sin:
  case Intrinsic::sqrt:
  case Intrinsic::tan:
  case Intrinsic::trunc:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmul:
    return true;
  default:
    return false;
  }
}

bool isNvidias(const Function &F) {
  return F.getName().starts_with("llvm.nvvm.");
}

/// Whether \p F is declared as the intrinsic that its name says.
bool isDeclaredAsIntrinsic(const Function &F) {
  const Intrinsic::ID Id = F.getIntrinsicID();
  if (Id == Intrinsic::not_intrinsic || !F.isDeclaration())
    return false;
  SmallVector<Intrinsic::IITDescriptor, 8> Table;
  Intrinsic::getIntrinsicInfoTableEntries(Id, Table);
  ArrayRef<Intrinsic::IITDescriptor> Rest = Table;
  SmallVector<Type *, 4> Overloaded;
  FunctionType *T = F.getFunctionType();
  if (Intrinsic::matchIntrinsicSignature(T, Rest, Overloaded) !=
          Intrinsic::MatchIntrinsicTypes_Match ||
      Intrinsic::matchIntrinsicVarArg(T->isVarArg(), Rest))
    return false;
  // Passes look at arguments that have to be constants without asking.
  const AttributeList Known = Intrinsic::getAttributes(F.getContext(), Id);
  for (const User *U : F.users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F || Call->getFunctionType() != T)
      return false;
    for (unsigned N = 0; N != Call->arg_size(); ++N)
      if (Known.hasParamAttr(N, Attribute::ImmArg) &&
          !isa<ConstantInt, ConstantFP>(Call->getArgOperand(N)))
        return false;
  }
  return true;
}

/// No function but an intrinsic can take or return such a value.
bool isOnlyForIntrinsics(const Type *T) {
  return T->isMetadataTy() || T->isTokenTy();
}

void demote(Function &F) {
  const FunctionType *T = F.getFunctionType();
  if (isOnlyForIntrinsics(T->getReturnType()) ||
      any_of(T->params(), isOnlyForIntrinsics)) {
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U)) {
        if (!Call->getType()->isVoidTy())
          Call->replaceAllUsesWith(
              Call->getType()->isTokenTy()
                  ? cast<Value>(ConstantTokenNone::get(F.getContext()))
                  : PoisonValue::get(Call->getType()));
        Call->eraseFromParent();
      }
    if (F.use_empty())
      F.eraseFromParent();
    return;
  }
  std::string Name = F.getName().str();
  std::replace(Name.begin(), Name.end(), '.', '_');
  // What LLVM knows of the intrinsic does not hold for anything else.
  F.setAttributes({});
  F.setName(Name);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledOperand() == &F)
      Call->setAttributes({});
}

} // namespace

bool isPlainIntrinsic(const Function &F) { return isPlain(F.getIntrinsicID()); }

void demoteUnknownIntrinsics(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with("llvm.") &&
        (!isDeclaredAsIntrinsic(F) || !(isNvidias(F) || isPlainIntrinsic(F))))
      demote(F);
  // The variables that LLVM reserves cannot be declared in a source: they are
  // appended to each other.
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getName().starts_with("llvm.") &&
        !Variable.hasAppendingLinkage()) {
      std::string Name = Variable.getName().str();
      std::replace(Name.begin(), Name.end(), '.', '_');
      Variable.setName(Name);
    }
}

} // namespace warpwise::lowering
