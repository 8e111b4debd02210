//===- Instructions.cpp - What an IR instruction means to a lane ----------===//

#include "analyzer/evaluate/Instructions.h"

#include "analyzer/lowering/AssemblyEffects.h"
#include "analyzer/lowering/CallAccesses.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/PtxStatement.h"
#include "analyzer/lowering/SharedAtomics.h"
#include "analyzer/lowering/WarpReduction.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace warpwise::access {
namespace {

std::optional<Code> codeOfBinary(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Add:
    return Code::Add;
  case Instruction::Sub:
    return Code::Sub;
  case Instruction::Mul:
    return Code::Mul;
  case Instruction::UDiv:
    return Code::UDiv;
  case Instruction::SDiv:
    return Code::SDiv;
  case Instruction::URem:
    return Code::URem;
  case Instruction::SRem:
    return Code::SRem;
  case Instruction::Shl:
    return Code::Shl;
  case Instruction::LShr:
    return Code::LShr;
  case Instruction::AShr:
    return Code::AShr;
  case Instruction::And:
    return Code::And;
  case Instruction::Or:
    return Code::Or;
  case Instruction::Xor:
    return Code::Xor;
  case Instruction::FAdd:
    return Code::FAdd;
  case Instruction::FSub:
    return Code::FSub;
  case Instruction::FMul:
    return Code::FMul;
  case Instruction::FDiv:
    return Code::FDiv;
  default:
    return std::nullopt;
  }
}

std::optional<Code> codeOfCast(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::ZExt:
    return Code::ZeroExtend;
  case Instruction::SExt:
    return Code::SignExtend;
  case Instruction::Trunc:
    return Code::Truncate;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
    return Code::Copy;
  case Instruction::SIToFP:
    return Code::SignedToFloat;
  case Instruction::UIToFP:
    return Code::UnsignedToFloat;
  case Instruction::FPToSI:
    return Code::FloatToSigned;
  case Instruction::FPToUI:
    return Code::FloatToUnsigned;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return Code::FloatResize;
  default:
    return std::nullopt;
  }
}

std::optional<Code> codeOfCompare(CmpInst::Predicate P) {
  switch (P) {
  case CmpInst::ICMP_EQ:
    return Code::Equal;
  case CmpInst::ICMP_NE:
    return Code::NotEqual;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGT:
    return Code::LessU;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_UGE:
    return Code::LessEqualU;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SGT:
    return Code::LessS;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_SGE:
    return Code::LessEqualS;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return Code::FLess;
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    return Code::FLessEqual;
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return Code::FEqual;
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    return Code::FNotEqual;
  default:
    return std::nullopt;
  }
}

std::optional<Code> codeOfIntrinsic(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::smin:
    return Code::MinS;
  case Intrinsic::smax:
    return Code::MaxS;
  case Intrinsic::umin:
    return Code::MinU;
  case Intrinsic::umax:
    return Code::MaxU;
  case Intrinsic::sadd_sat:
    return Code::AddSaturateS;
  case Intrinsic::uadd_sat:
    return Code::AddSaturateU;
  case Intrinsic::ssub_sat:
    return Code::SubSaturateS;
  case Intrinsic::usub_sat:
    return Code::SubSaturateU;
  case Intrinsic::abs:
    return Code::Abs;
  case Intrinsic::ctlz:
    return Code::CountLeadingZeros;
  case Intrinsic::cttz:
    return Code::CountTrailingZeros;
  case Intrinsic::ctpop:
    return Code::CountOnes;
  case Intrinsic::bitreverse:
    return Code::ReverseBits;
  case Intrinsic::fshl:
    return Code::FunnelLeft;
  case Intrinsic::fshr:
    return Code::FunnelRight;
  case Intrinsic::nvvm_mulhi_i:
  case Intrinsic::nvvm_mulhi_ll:
    return Code::MulHighS;
  case Intrinsic::nvvm_mulhi_ui:
  case Intrinsic::nvvm_mulhi_ull:
    return Code::MulHighU;
  case Intrinsic::floor:
  case Intrinsic::nvvm_floor_f:
  case Intrinsic::nvvm_floor_d:
    return Code::FFloor;
  case Intrinsic::ceil:
  case Intrinsic::nvvm_ceil_f:
  case Intrinsic::nvvm_ceil_d:
    return Code::FCeil;
  case Intrinsic::trunc:
  case Intrinsic::nvvm_trunc_f:
  case Intrinsic::nvvm_trunc_d:
    return Code::FTrunc;
  case Intrinsic::round:
    return Code::FRound;
  case Intrinsic::roundeven:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::nvvm_round_f:
  case Intrinsic::nvvm_round_d: // cvt.rni
    return Code::FRoundEven;
  case Intrinsic::sqrt:
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
    return Code::FSqrt;
  case Intrinsic::fabs:
  case Intrinsic::nvvm_fabs_f:
  case Intrinsic::nvvm_fabs_d:
    return Code::FAbs;
  case Intrinsic::minnum:
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_d:
    return Code::FMin;
  case Intrinsic::maxnum:
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_d:
    return Code::FMax;
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_d:
    return Code::FMul;
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
  case Intrinsic::nvvm_div_approx_f:
    return Code::FDiv;
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_d:
    return Code::FAdd;
  case Intrinsic::nvvm_f2i_rz:
  case Intrinsic::nvvm_f2ll_rz:
  case Intrinsic::nvvm_d2i_rz:
  case Intrinsic::nvvm_d2ll_rz:
    return Code::FloatToSigned;
  case Intrinsic::nvvm_f2ui_rz:
  case Intrinsic::nvvm_f2ull_rz:
  case Intrinsic::nvvm_d2ui_rz:
  case Intrinsic::nvvm_d2ull_rz:
    return Code::FloatToUnsigned;
  case Intrinsic::nvvm_i2f_rn:
  case Intrinsic::nvvm_ll2f_rn:
  case Intrinsic::nvvm_i2d_rn:
  case Intrinsic::nvvm_ll2d_rn:
    return Code::SignedToFloat;
  case Intrinsic::nvvm_ui2f_rn:
  case Intrinsic::nvvm_ull2f_rn:
  case Intrinsic::nvvm_ui2d_rn:
  case Intrinsic::nvvm_ull2d_rn:
    return Code::UnsignedToFloat;
  default:
    return std::nullopt;
  }
}

/// A special register by its PTX name without the percent sign.
std::optional<Preset::Kind> registerNamed(StringRef Name) {
  using Kind = Preset::Kind;
  return StringSwitch<std::optional<Kind>>(Name)
      .Case("tid.x", Kind::TidX)
      .Case("tid.y", Kind::TidY)
      .Case("tid.z", Kind::TidZ)
      .Case("ntid.x", Kind::NtidX)
      .Case("ntid.y", Kind::NtidY)
      .Case("ntid.z", Kind::NtidZ)
      .Case("ctaid.x", Kind::CtaidX)
      .Case("ctaid.y", Kind::CtaidY)
      .Case("ctaid.z", Kind::CtaidZ)
      .Case("nctaid.x", Kind::NctaidX)
      .Case("nctaid.y", Kind::NctaidY)
      .Case("nctaid.z", Kind::NctaidZ)
      .Case("laneid", Kind::LaneId)
      .Cases("lanemask.lt", "lanemask_lt", Kind::LaneMaskLess)
      .Cases("lanemask.le", "lanemask_le", Kind::LaneMaskLessEqual)
      .Cases("lanemask.eq", "lanemask_eq", Kind::LaneMaskEqual)
      .Cases("lanemask.gt", "lanemask_gt", Kind::LaneMaskGreater)
      .Cases("lanemask.ge", "lanemask_ge", Kind::LaneMaskGreaterEqual)
      .Default(std::nullopt);
}

/// Whether \p Callee, "__nv_" and \p Name, is a function of libdevice whose
/// pointers lead to results. Anybody may declare functions of such names; those
/// that take no pointer access nothing.
bool isMathFunction(StringRef Name, const Function &Callee) {
  if (none_of(Callee.args(), [](const Argument &Formal) {
        return Formal.getType()->isPointerTy();
      }))
    return true;
  Name.consume_back("f"); // modf, too
  return StringSwitch<bool>(Name)
      .Cases("fast_sincos", "frexp", "mod", "nan", true)
      .Cases("remquo", "sincos", "sincospi", true)
      .Default(false);
}

/// Library functions that do not touch memory that the model looks at.
bool isHarmless(const Function &Callee) {
  StringRef Name = Callee.getName();
  if (Name.consume_front("__nv_"))
    return isMathFunction(Name, Callee);
  return Name.starts_with("__warpwise_") || Name.starts_with("__nvvm") ||
         Name == "vprintf" || Name == "malloc" || Name == "free" ||
         Name == "__assertfail" || Name == "__assert_fail" ||
         Callee.onlyAccessesInaccessibleMemory() ||
         Callee.doesNotAccessMemory();
}

StringRef calleeName(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

} // namespace

std::optional<Code> simpleCode(const Instruction &I) {
  // Without a carry it is a sum, of which more is known.
  if (const auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
      Or && Or->isDisjoint())
    return Code::Add;
  if (I.isBinaryOp())
    return codeOfBinary(I.getOpcode());
  if (I.isCast())
    return codeOfCast(I.getOpcode());
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return codeOfCompare(Compare->getPredicate());
  if (isa<SelectInst>(I))
    return Code::Select;
  if (isa<FreezeInst>(I))
    return Code::Copy;
  if (I.getOpcode() == Instruction::FNeg)
    return Code::FNeg;
  if (auto *Call = dyn_cast<CallInst>(&I))
    return codeOfIntrinsic(Call->getIntrinsicID());
  return std::nullopt;
}

bool swapsOperands(const Instruction &I) {
  auto *Compare = dyn_cast<CmpInst>(&I);
  if (!Compare)
    return false;
  switch (Compare->getPredicate()) {
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return true;
  default:
    return false;
  }
}

bool isBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  const StringRef Name = calleeName(*Call);
  return Name.starts_with("llvm.nvvm.barrier") ||
         Name.starts_with("llvm.nvvm.bar.") ||
         lowering::assemblyEffects(*Call).BlockBarrier;
}

bool hasBarrier(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, isBarrier);
  });
}

std::optional<Preset::Kind> specialRegister(const CallInst &Call) {
  StringRef Name = calleeName(Call);
  if (Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return registerNamed(Name);
  return registerNamed(lowering::assemblyEffects(Call).Register);
}

std::optional<WarpExchange> warpExchange(const CallInst &Call) {
  StringRef Name = calleeName(Call);
  if (Name == "llvm.nvvm.activemask" ||
      lowering::assemblyEffects(Call).ActiveMask)
    return WarpExchange{Code::ActiveMask};
  if (!Name.consume_front("llvm.nvvm."))
    return std::nullopt;
  // With .sync the mask of participating lanes comes first.
  const unsigned First = Name.contains(".sync") ? 1 : 0;
  auto operand = [&](unsigned N) -> const Value * {
    return First + N < Call.arg_size() ? Call.getArgOperand(First + N)
                                       : nullptr;
  };
  if (Name.consume_front("shfl.")) {
    if (!Call.getType()->isIntegerTy() && !Call.getType()->isFloatTy())
      return std::nullopt; // the form that also returns a predicate
    Name.consume_front("sync.");
    const std::optional<Code> Mode =
        StringSwitch<std::optional<Code>>(Name.split('.').first)
            .Case("idx", Code::ShuffleIndex)
            .Case("up", Code::ShuffleUp)
            .Case("down", Code::ShuffleDown)
            .Case("bfly", Code::ShuffleXor)
            .Default(std::nullopt);
    if (!Mode)
      return std::nullopt;
    return WarpExchange{*Mode, operand(0), operand(1), operand(2)};
  }
  if (const auto Reduction = lowering::warpReduction(Call)) {
    // Lanes that name others have a sum of their own.
    const auto *Mask = dyn_cast<ConstantInt>(Reduction->Mask);
    if (!Mask || !Mask->isMinusOne())
      return std::nullopt;
    return WarpExchange{Code::WarpReduce, Reduction->Of};
  }
  if (Name.starts_with("vote.ballot"))
    return WarpExchange{Code::Ballot, operand(0)};
  if (Name.starts_with("vote.any"))
    return WarpExchange{Code::VoteAny, operand(0)};
  if (Name.starts_with("vote.all"))
    return WarpExchange{Code::VoteAll, operand(0)};
  return std::nullopt;
}

bool isOnlyCounted(const CallInst &Ballot) {
  SmallVector<const Value *, 8> Open{&Ballot};
  while (!Open.empty()) {
    const Value *Votes = Open.pop_back_val();
    for (const User *U : Votes->users()) {
      if (const auto *Compare = dyn_cast<ICmpInst>(U)) {
        const auto *With = dyn_cast<ConstantInt>(Compare->getOperand(1));
        if (!Compare->isEquality() || !With || !With->isZero())
          return false;
        continue;
      }
      if (const auto *Part = dyn_cast<BinaryOperator>(U);
          Part && (Part->getOpcode() == Instruction::And ||
                   (Part->isShift() && Part->getOperand(0) == Votes))) {
        Open.push_back(Part);
        continue;
      }
      const auto *Call = dyn_cast<CallInst>(U);
      if (!Call)
        return false;
      switch (Call->getIntrinsicID()) {
      case Intrinsic::ctpop:
      case Intrinsic::cttz:
      case Intrinsic::ctlz:
        break;
      case Intrinsic::bitreverse:
        Open.push_back(Call);
        break;
      default:
        if (!calleeName(*Call).contains(".sync") ||
            Call->getArgOperand(0) != Votes)
          return false;
      }
    }
  }
  return true;
}

bool variesByLane(const CallInst &Call) {
  if (Call.isInlineAsm()) {
    // Registers that belong to the grid, the SM or the warp.
    const std::string Register = lowering::assemblyEffects(Call).Register;
    return none_of(
        ArrayRef<StringRef>{"envreg", "smid", "nsmid", "warpid", "nwarpid",
                            "gridid", "cluster", "dynamic_smem", "total_smem"},
        [&](StringRef Name) { return StringRef(Register).starts_with(Name); });
  }
  const StringRef Name = calleeName(Call);
  return Name.empty() || Name.contains("clock") || Name.contains("match.") ||
         Name.contains("sreg.");
}

static bool isOfBlock(Preset::Kind Register) {
  return Register >= Preset::Kind::NtidX && Register <= Preset::Kind::NctaidZ;
}

/// What decides from where \p Block is come to, once the warp has come to the
/// block that dominates it: the ends of all blocks between. False where that is
/// no branch.
static bool addDecisions(const BasicBlock &Block, const DominatorTree &Order,
                         SmallVectorImpl<const Value *> &Decisions) {
  const DomTreeNode *Node = Order.getNode(&Block);
  if (!Node || !Node->getIDom())
    return false;
  const BasicBlock *First = Node->getIDom()->getBlock();
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Open(predecessors(&Block));
  while (!Open.empty()) {
    const BasicBlock *Next = Open.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    const Instruction *End = Next->getTerminator();
    if (!isa<BranchInst, SwitchInst>(End))
      return false;
    if (End->getNumSuccessors() > 1)
      Decisions.push_back(End->getOperand(0));
    if (Next != First)
      Open.append(pred_begin(Next), pred_end(Next));
  }
  return true;
}

bool isWarpUniform(const Value &V, const llvm::LoopInfo *Loops,
                   const DominatorTree *Order, const Instruction *User) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Open{&V};
  while (!Open.empty()) {
    const Value *Next = Open.pop_back_val();
    const auto *I = dyn_cast<Instruction>(Next);
    if (!I || !Seen.insert(I).second)
      continue;
    const bool Counts =
        Loops && isa<PHINode>(I) && Loops->isLoopHeader(I->getParent()) &&
        (!User || Loops->getLoopFor(I->getParent())->contains(User));
    if (I->isAtomic())
      return false;
    // Which way a lane came decides.
    if (isa<PHINode>(I) && !Counts &&
        !(Order && addDecisions(*I->getParent(), *Order, Open)))
      return false;
    if (const auto *Call = dyn_cast<CallInst>(I)) {
      const std::optional<Preset::Kind> Register = specialRegister(*Call);
      if (Register ? !isOfBlock(*Register) : variesByLane(*Call))
        return false;
      if (!Register && !Call->doesNotAccessMemory())
        return false;
    }
    if (isa<AllocaInst>(I))
      return false;
    Open.append(I->op_begin(), I->op_end());
  }
  return true;
}

bool isJoined(const Instruction &Atomic, const llvm::LoopInfo &Loops) {
  const auto *Modify = dyn_cast<AtomicRMWInst>(&Atomic);
  if (!Modify || !Modify->getType()->isIntegerTy() ||
      !isWarpUniform(*Modify->getPointerOperand(), &Loops))
    return false;
  const bool IsWord = Modify->getType()->isIntegerTy(32);
  switch (Modify->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return IsWord || (Modify->use_empty() &&
                      isWarpUniform(*Modify->getValOperand(), &Loops));
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
    return IsWord && Modify->use_empty();
  default:
    return false;
  }
}

/// As those on halves are written in the toolkit's headers.
static bool addsByAssembly(const Instruction &Atomic) {
  const auto *Call = dyn_cast<CallInst>(&Atomic);
  const auto *Assembly =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (!Assembly)
    return false;
  const std::string Text = lowering::withoutComments(Assembly->getAsmString());
  return any_of(lowering::ptxStatements(Text),
                [](const lowering::PtxStatement &S) {
                  const lowering::PtxMemory Does = lowering::memoryOf(S);
                  return (Does == lowering::PtxMemory::Atomic ||
                          Does == lowering::PtxMemory::Reduction) &&
                         S.has("add");
                });
}

bool accumulates(const Instruction &Atomic) {
  const auto *Modify = dyn_cast<AtomicRMWInst>(&Atomic);
  if (!Modify)
    return addsByAssembly(Atomic);
  switch (Modify->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::FMax:
    return true;
  default:
    return false; // exchanges, and counters that wrap round
  }
}

unsigned settlesAfter(const Instruction &Atomic) {
  const auto *Modify = dyn_cast<AtomicRMWInst>(&Atomic);
  if (!Modify)
    return 0;
  switch (Modify->getOperation()) {
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
    return Modify->getType()->getScalarSizeInBits();
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::FMax:
    return 1;
  default:
    return 0;
  }
}

bool serialises(const Instruction &Atomic, const llvm::LoopInfo &Loops) {
  auto *Modify = dyn_cast<AtomicRMWInst>(&Atomic);
  if (isJoined(Atomic, Loops))
    return false;
  // nvcc makes a loop of it that compares and swaps: all lanes try in each
  // round, and one succeeds.
  if (Modify && lowering::isEmulated(*Modify))
    return false;
  if (Modify && (Modify->getOperation() == AtomicRMWInst::Add ||
                 Modify->getOperation() == AtomicRMWInst::Sub ||
                 Modify->getOperation() == AtomicRMWInst::UIncWrap))
    return !isa<ConstantInt>(Modify->getValOperand());
  return true;
}

bool isTextureFetch(StringRef Ptx) {
  return Ptx.starts_with("tex.") || Ptx.starts_with("tld4.");
}

bool fetchesTexture(const CallInst &Call) {
  if (Call.isInlineAsm()) {
    const StringRef Text =
        cast<InlineAsm>(Call.getCalledOperand())->getAsmString();
    return isTextureFetch(Text) || Text.starts_with("suld.");
  }
  const lowering::NvidiaMemory Memory =
      lowering::nvidiaMemory(calleeName(Call));
  return Memory == lowering::NvidiaMemory::Texture ||
         Memory == lowering::NvidiaMemory::Surface;
}

std::string uncoveredBy(const CallInst &Call) {
  if (Call.isInlineAsm()) {
    std::string Unread;
    lowering::callAccesses(Call, &Unread);
    return Unread.empty() ? "" : "inline assembly '" + Unread + "'";
  }
  const StringRef Name = calleeName(Call);
  if (lowering::nvidiaMemory(Name) == lowering::NvidiaMemory::Texture)
    return "a texture fetch";
  if (lowering::nvidiaMemory(Name) == lowering::NvidiaMemory::Surface)
    return "a surface access";
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "a call through a pointer";
  if (!Callee->isDeclaration()) // everything else has been inlined
    return "a call of '" + demangle(Name) + "', which calls itself";
  if (!Callee->isIntrinsic() && !isHarmless(*Callee))
    return "a call of '" + demangle(Name) +
           "', which this file does not define";
  return "";
}

} // namespace warpwise::access
