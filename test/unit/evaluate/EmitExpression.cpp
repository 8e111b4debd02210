//===- EmitExpression.cpp - A generated expression as LLVM IR -------------===//

#include "test/unit/evaluate/EmitExpression.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace warpwise::test {
namespace {

Intrinsic::ID specialRegister(Op What) {
  switch (What) {
  case Op::TidX:
    return Intrinsic::nvvm_read_ptx_sreg_tid_x;
  case Op::TidY:
    return Intrinsic::nvvm_read_ptx_sreg_tid_y;
  case Op::TidZ:
    return Intrinsic::nvvm_read_ptx_sreg_tid_z;
  case Op::NtidX:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_x;
  case Op::NtidY:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_y;
  case Op::NtidZ:
    return Intrinsic::nvvm_read_ptx_sreg_ntid_z;
  case Op::CtaidX:
    return Intrinsic::nvvm_read_ptx_sreg_ctaid_x;
  case Op::CtaidY:
    return Intrinsic::nvvm_read_ptx_sreg_ctaid_y;
  case Op::CtaidZ:
    return Intrinsic::nvvm_read_ptx_sreg_ctaid_z;
  case Op::NctaidX:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_x;
  case Op::NctaidY:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_y;
  case Op::NctaidZ:
    return Intrinsic::nvvm_read_ptx_sreg_nctaid_z;
  default: // LaneId
    return Intrinsic::nvvm_read_ptx_sreg_laneid;
  }
}

CmpInst::Predicate predicateOf(Op What) {
  switch (What) {
  case Op::Equal:
    return CmpInst::ICMP_EQ;
  case Op::NotEqual:
    return CmpInst::ICMP_NE;
  case Op::LessU:
    return CmpInst::ICMP_ULT;
  case Op::LessEqualU:
    return CmpInst::ICMP_ULE;
  case Op::GreaterU:
    return CmpInst::ICMP_UGT;
  case Op::LessS:
    return CmpInst::ICMP_SLT;
  case Op::GreaterS:
    return CmpInst::ICMP_SGT;
  default: // GreaterEqualS
    return CmpInst::ICMP_SGE;
  }
}

} // namespace

Value *ExpressionEmitter::emit(const Expression &E) {
  if (!E.A)
    return emitLeaf(E);
  Value *A = emit(*E.A);
  if (!E.B)
    return emitUnary(E, A);
  Value *B = emit(*E.B);
  if (E.What == Op::Choose)
    return Builder.CreateSelect(A, B, emit(*E.C));
  return emitBinary(E, A, B);
}

Value *ExpressionEmitter::emitLeaf(const Expression &E) {
  switch (E.What) {
  case Op::Constant:
    return ConstantInt::getSigned(Builder.getIntNTy(E.Bits), E.Number);
  case Op::Argument:
    return Arguments[size_t(E.Number)];
  case Op::Variable:
    return Variables[size_t(E.Number)];
  case Op::LoadedByThread:
    return emitLoaded();
  default:
    return Builder.CreateIntrinsic(specialRegister(E.What), {}, {});
  }
}

/// data[blockIdx.x * blockDim.x + threadIdx.x]
Value *ExpressionEmitter::emitLoaded() {
  Value *Tid = Builder.CreateIntrinsic(specialRegister(Op::TidX), {}, {});
  Value *Block = Builder.CreateIntrinsic(specialRegister(Op::CtaidX), {}, {});
  Value *Size = Builder.CreateIntrinsic(specialRegister(Op::NtidX), {}, {});
  Value *Index = Builder.CreateAdd(Builder.CreateMul(Block, Size), Tid);
  Index = Builder.CreateZExt(Index, Builder.getInt64Ty());
  Type *Number = Builder.getInt32Ty();
  return Builder.CreateLoad(Number, Builder.CreateGEP(Number, Data, Index));
}

Value *ExpressionEmitter::emitUnary(const Expression &E, Value *A) {
  Type *Result = Builder.getIntNTy(E.Bits);
  switch (E.What) {
  case Op::SignExtend:
    return Builder.CreateSExt(A, Result);
  case Op::ZeroExtend:
    return Builder.CreateZExt(A, Result);
  case Op::Truncate:
    return Builder.CreateTrunc(A, Result);
  case Op::SignExtend8:
    return Builder.CreateSExt(Builder.CreateTrunc(A, Builder.getInt8Ty()),
                              Result);
  case Op::ZeroExtend16:
    return Builder.CreateZExt(Builder.CreateTrunc(A, Builder.getInt16Ty()),
                              Result);
  case Op::CountOnes:
    return Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, A);
  case Op::LeadingZeros:
    return Builder.CreateBinaryIntrinsic(Intrinsic::ctlz, A,
                                         Builder.getFalse());
  case Op::ReverseBits:
    return Builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, A);
  case Op::Absolute:
    return Builder.CreateBinaryIntrinsic(Intrinsic::abs, A, Builder.getFalse());
  default: // Not
    return Builder.CreateNot(A);
  }
}

Value *ExpressionEmitter::emitBinary(const Expression &E, Value *A, Value *B) {
  const bool Nuw = !E.WrapsUnsigned, Nsw = !E.WrapsSigned;
  switch (E.What) {
  case Op::Add:
    return Builder.CreateAdd(A, B, "", Nuw, Nsw);
  case Op::Sub:
    return Builder.CreateSub(A, B, "", Nuw, Nsw);
  case Op::Mul:
    return Builder.CreateMul(A, B, "", Nuw, Nsw);
  case Op::Shl:
    return Builder.CreateShl(A, B, "", Nuw, Nsw);
  case Op::UDiv:
    return Builder.CreateUDiv(A, B);
  case Op::SDiv:
    return Builder.CreateSDiv(A, B);
  case Op::URem:
    return Builder.CreateURem(A, B);
  case Op::SRem:
    return Builder.CreateSRem(A, B);
  case Op::LShr:
    return Builder.CreateLShr(A, B);
  case Op::AShr:
    return Builder.CreateAShr(A, B);
  case Op::And:
    return Builder.CreateAnd(A, B);
  case Op::Or:
    return Builder.CreateOr(A, B);
  case Op::Xor:
  case Op::OneOf:
    return Builder.CreateXor(A, B);
  case Op::MinS:
    return Builder.CreateBinaryIntrinsic(Intrinsic::smin, A, B);
  case Op::MaxS: // as code without such intrinsics has it
    return Builder.CreateSelect(Builder.CreateICmpSGT(A, B), A, B);
  case Op::MinU:
    return Builder.CreateSelect(Builder.CreateICmpULT(A, B), A, B);
  case Op::MaxU:
    return Builder.CreateBinaryIntrinsic(Intrinsic::umax, A, B);
  case Op::MulHighU:
    return Builder.CreateIntrinsic(Intrinsic::nvvm_mulhi_ui, {}, {A, B});
  case Op::RotateLeft:
    return Builder.CreateIntrinsic(Intrinsic::fshl, {A->getType()}, {A, A, B});
  case Op::BothOf:
    return E.Number ? Builder.CreateLogicalAnd(A, B) : Builder.CreateAnd(A, B);
  case Op::EitherOf:
    return E.Number ? Builder.CreateLogicalOr(A, B) : Builder.CreateOr(A, B);
  default:
    return Builder.CreateICmp(predicateOf(E.What), A, B);
  }
}

} // namespace warpwise::test
