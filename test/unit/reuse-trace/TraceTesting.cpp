//===- TraceTesting.cpp - Traces of kernels written in tests --------------===//

#include "TraceTesting.h"

#include "analyzer/frontend/TranslationUnit.h"
#include "analyzer/lowering/DevicePipeline.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <bit>

using namespace llvm;

namespace warpwise::reuse::test {

std::shared_ptr<KernelProgram> TraceTest::compile(const std::string &Source) {
  SmallString<128> Path;
  cantFail(errorCodeToError(sys::fs::createTemporaryFile("trace", "cu", Path)));
  const FileRemover Remove(Path);
  std::error_code Failed;
  raw_fd_ostream(Path, Failed) << Source;
  frontend::CommandOptions Options;
  Options.CudaPath = "none";
  Options.PreferredArch = "sm_90";
  frontend::DeviceCommand Command =
      cantFail(frontend::defaultCommand(Path, Options));
  frontend::ParseResult Parsed = cantFail(
      frontend::parseForDevice(Command, Context, [](clang::ASTContext &) {}));
  for (const frontend::DroppedFunction &F : Parsed.Dropped)
    ADD_FAILURE() << F.Name << ": " << F.Cause.Message;
  const std::unique_ptr<TargetMachine> Machine =
      cantFail(lowering::createTargetMachine("sm_90"));
  lowering::inlineIntoKernels(*Parsed.Module, *Machine);
  std::string Name = "kernel";
  for (Function *F : lowering::kernelsOf(*Parsed.Module))
    Name = F->getName().str();
  Expected<std::unique_ptr<KernelProgram>> Program =
      KernelProgram::compile(*Parsed.Module, Name, *Machine);
  if (!Program) {
    Problem = toString(Program.takeError());
    return nullptr;
  }
  return std::move(*Program);
}

std::unique_ptr<KernelTrace> TraceTest::launch(const std::string &Source,
                                               const LaunchInput &Input) {
  const std::shared_ptr<KernelProgram> Program = compile(Source);
  if (!Program)
    return nullptr;
  Expected<std::unique_ptr<KernelTrace>> Trace =
      KernelTrace::create(Program, Input);
  if (!Trace) {
    Problem = toString(Trace.takeError());
    return nullptr;
  }
  return std::move(*Trace);
}

std::vector<WarpTrace> TraceTest::run(KernelTrace &Trace) {
  std::vector<WarpTrace> Warps;
  BlockTrace Block;
  for (uint64_t B = 0; B != Trace.shape().blocks(); ++B) {
    EXPECT_EQ(Trace.block(B, Block), "");
    Warps.insert(Warps.end(), Block.Warps.begin(), Block.Warps.end());
  }
  return Warps;
}

std::vector<WarpTrace>
TraceTest::runBothWays(const std::shared_ptr<KernelProgram> &Program,
                       LaunchInput Input) {
  std::vector<std::vector<WarpTrace>> Seen;
  for (bool SideBySide : {false, true}) {
    Input.SideBySide = SideBySide;
    Expected<std::unique_ptr<KernelTrace>> Made =
        KernelTrace::create(Program, Input);
    if (!Made) {
      ADD_FAILURE() << toString(Made.takeError());
      return {};
    }
    const KernelTrace *Trace = Made->get();
    EXPECT_EQ(Trace->runsSideBySide(), SideBySide);
    std::vector<WarpTrace> Warps = run(**Made);
    // The two number their sites differently.
    for (WarpTrace &Warp : Warps)
      for (LineAccess &A : Warp)
        A.Site = Trace->sites()[A.Site].Line;
    Seen.push_back(std::move(Warps));
  }
  EXPECT_EQ(Seen[0].size(), Seen[1].size());
  for (size_t W = 0; W != Seen[0].size(); ++W)
    EXPECT_TRUE(Seen[0][W] == Seen[1][W]) << "warp " << W;
  return Seen[0];
}

Totals total(const std::vector<WarpTrace> &Warps) {
  Totals Sum;
  for (const WarpTrace &Warp : Warps)
    for (const LineAccess &A : Warp) {
      const auto Sectors = unsigned(std::popcount(A.Sectors));
      Sum.Local += A.Local;
      switch (A.What) {
      case LineAccess::Kind::Load:
        Sum.Loads += A.Last;
        Sum.LoadSectors += Sectors;
        break;
      case LineAccess::Kind::Store:
        Sum.Stores += A.Last;
        Sum.StoreSectors += Sectors;
        break;
      case LineAccess::Kind::Atomic:
        Sum.Atomics += A.Last;
        break;
      case LineAccess::Kind::Barrier:
        ++Sum.Barriers;
        break;
      }
    }
  return Sum;
}

} // namespace warpwise::reuse::test
