//===- AdmissionTest.cpp - What may run in this process -------------------===//

#include "analyzer/execution/Admission.h"
#include "analyzer/execution/Instrument.h"
#include "analyzer/execution/Jit.h"
#include "analyzer/lowering/KnownIntrinsics.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace warpwise::execution {
namespace {

std::unique_ptr<Module> parse(const std::string &Text, LLVMContext &Context) {
  SMDiagnostic Mistake;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Mistake, Context);
  EXPECT_TRUE(M) << Mistake.getMessage().str();
  return M;
}

/// What is wrong with a function of this body.
std::string findIn(const std::string &Body, const std::string &Around = "") {
  LLVMContext Context;
  return findInadmissible(*parse(
      Around + "define void @f(ptr %p, i64 %n) {\n" + Body + "}\n", Context));
}

TEST(AdmissionTest, PlainCodeMayRun) {
  EXPECT_EQ(findIn("  %a = alloca [4 x i32]\n"
                   "  %s = call i64 @llvm.ctpop.i64(i64 %n)\n"
                   "  store i64 %s, ptr %p\n"
                   "  ret void\n",
                   "declare i64 @llvm.ctpop.i64(i64)\n"),
            "");
}

TEST(AdmissionTest, OnlyOurOwnFunctionsAreCalled) {
  EXPECT_EQ(findIn("  call void @warpwise.leave()\n  ret void\n",
                   "declare void @warpwise.leave()\n"),
            "");
  EXPECT_EQ(findIn("  call void @warpwise.unknown.f()\n  ret void\n",
                   "declare void @warpwise.unknown.f()\n"),
            "a call of 'warpwise.unknown.f'");
  EXPECT_EQ(
      findIn("  call void @system()\n  ret void\n", "declare void @system()\n"),
      "a call of 'system'");
  // By the name that the code generator uses, too.
  EXPECT_EQ(
      findIn("  call void @memcpy()\n  ret void\n", "declare void @memcpy()\n"),
      "a call of 'memcpy'");
  EXPECT_EQ(findIn("  call void %p()\n  ret void\n"),
            "a call through a pointer");
  EXPECT_EQ(findIn("  store ptr @system, ptr %p\n  ret void\n",
                   "declare void @system()\n"),
            "a call of 'system'");
}

TEST(AdmissionTest, IntrinsicsOfTheMachineMayNotRun) {
  EXPECT_EQ(findIn("  call void @llvm.eh.sjlj.longjmp(ptr %p)\n"
                   "  unreachable\n",
                   "declare void @llvm.eh.sjlj.longjmp(ptr)\n"),
            "a call of 'llvm.eh.sjlj.longjmp'");
  EXPECT_EQ(findIn("  %a = call ptr @llvm.addressofreturnaddress.p0()\n"
                   "  ret void\n",
                   "declare ptr @llvm.addressofreturnaddress.p0()\n"),
            "a call of 'llvm.addressofreturnaddress.p0'");
  EXPECT_EQ(findIn("  call void @llvm.trap()\n  ret void\n",
                   "declare void @llvm.trap()\n"),
            "a call of 'llvm.trap'");
  EXPECT_EQ(findIn("  call void asm sideeffect \"int3\", \"\"()\n  ret void\n"),
            "inline assembly");
}

TEST(AdmissionTest, NothingJumpsToAddresses) {
  EXPECT_EQ(findIn("  indirectbr ptr %p, [label %a]\na:\n  ret void\n"),
            "a jump to an address");
  EXPECT_EQ(findIn("  callbr void asm \"\", \"!i\"() to label %a [label %b]\n"
                   "a:\n  ret void\nb:\n  ret void\n"),
            "a call that may jump");
}

TEST(AdmissionTest, TypesThatCodeCannotBeGeneratedFor) {
  EXPECT_EQ(findIn("  %a = alloca i8, i64 %n\n  ret void\n"),
            "an array of variable size");
  EXPECT_EQ(findIn("  %v = load <65536 x i8>, ptr %p\n"
                   "  store <65536 x i8> %v, ptr %p\n  ret void\n"),
            "the type '<65536 x i8>'");
  EXPECT_EQ(findIn("  %v = load i100000, ptr %p\n"
                   "  store i100000 %v, ptr %p\n  ret void\n"),
            "the type 'i100000'");
}

TEST(AdmissionTest, WhatTheSourceSaysAboutCompilingIsGone) {
  LLVMContext Context;
  const auto M = parse(
      "module asm \".globl system\"\n"
      "@x = thread_local global i32 1, section \".init_array\"\n"
      "@kernel2 = alias void (ptr), ptr @kernel\n"
      "declare i32 @__gxx_personality_v0(...)\n"
      "define swiftcc void @kernel(ptr byval(i64) inreg %out) naked "
      "\"probe-stack\"=\"system\" "
      "section \".init\" gc \"shadow-stack\" prefix i32 1 personality ptr "
      "@__gxx_personality_v0 {\n"
      "  store i32 1, ptr @x\n"
      "  ret void\n}\n"
      "!nvvm.annotations = !{!0}\n"
      "!0 = !{ptr @kernel, !\"kernel\", i32 1}\n",
      Context);
  instrument(*M);
  EXPECT_EQ(findInadmissible(*M), "");
  const Function &Kernel = *M->getFunction("source.kernel");
  EXPECT_FALSE(Kernel.hasFnAttribute(Attribute::Naked));
  EXPECT_EQ(Kernel.getFnAttribute("probe-stack").getValueAsString(),
            "inline-asm");
  EXPECT_FALSE(Kernel.hasParamAttribute(0, Attribute::InReg));
  EXPECT_EQ(Kernel.getCallingConv(), CallingConv::C);
}

TEST(AdmissionTest, CodeFindsNothingOfThisProcess) {
  Jit Compiler = cantFail(Jit::create(CodeGenOptLevel::None));
  for (const char *Name : {"system", "execve", "dlsym", "printf"}) {
    auto Found = Compiler.find(Name);
    EXPECT_FALSE(Found) << Name;
    consumeError(Found.takeError());
  }
  EXPECT_TRUE(bool(Compiler.find("warpwise.leave")));
}

TEST(KnownIntrinsicsTest, OthersAreOrdinaryFunctions) {
  LLVMContext Context;
  const auto M = parse("declare ptr @llvm.frameaddress.p0(i32 immarg)\n"
                       "declare i64 @llvm.read_register.i64(metadata)\n"
                       "declare i64 @llvm.ctpop.i64(i64)\n"
                       "define void @f(ptr %p) {\n"
                       "  %a = call ptr @llvm.frameaddress.p0(i32 0)\n"
                       "  store ptr %a, ptr %p\n"
                       "  %r = call i64 @llvm.read_register.i64(metadata !0)\n"
                       "  %s = call i64 @llvm.ctpop.i64(i64 %r)\n"
                       "  store i64 %s, ptr %p\n"
                       "  ret void\n}\n"
                       "!0 = !{!\"rsp\"}\n",
                       Context);
  lowering::demoteUnknownIntrinsics(*M);
  EXPECT_TRUE(M->getFunction("llvm_frameaddress_p0"));
  EXPECT_FALSE(M->getFunction("llvm.read_register.i64"));
  EXPECT_TRUE(M->getFunction("llvm.ctpop.i64"));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

} // namespace
} // namespace warpwise::execution
