//===- Ptxas.cpp - What the assembler makes of a kernel -------------------===//

#include "analyzer/lowering/Ptxas.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

Error failure(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What);
}

/// The number in front of \p What, such as 16 in "16 bytes stack frame".
uint64_t numberBefore(StringRef Line, StringRef What) {
  const size_t At = Line.find(What);
  if (At == StringRef::npos)
    return 0;
  StringRef Before = Line.take_front(At).rtrim();
  const size_t Start = Before.find_last_not_of("0123456789");
  uint64_t Number = 0;
  Before.drop_front(Start == StringRef::npos ? 0 : Start + 1)
      .getAsInteger(10, Number);
  return Number;
}

} // namespace

std::map<std::string, KernelResources> parsePtxasOutput(StringRef Text) {
  std::map<std::string, KernelResources> Found;
  KernelResources *Current = nullptr;
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (Line.contains("Compiling entry function '")) {
      Current = &Found[Line.split('\'').second.split('\'').first.str()];
    } else if (Line.contains("Function properties for ")) {
      // Comes for callees too; only entries are kernels.
      const StringRef Name = Line.rsplit(' ').second.trim();
      auto Entry = Found.find(Name.str());
      Current = Entry == Found.end() ? nullptr : &Entry->second;
    }
    if (!Current)
      continue;
    if (Line.contains("bytes stack frame")) {
      Current->StackBytes = numberBefore(Line, "bytes stack frame");
      Current->SpillStoreBytes = numberBefore(Line, "bytes spill stores");
      Current->SpillLoadBytes = numberBefore(Line, "bytes spill loads");
    } else if (Line.contains("Used ") && Line.contains(" registers")) {
      Current->Registers = unsigned(numberBefore(Line, "registers"));
    }
  }
  return Found;
}

confinement::Tool ptxasTool(StringRef Ptxas, StringRef Arch) {
  // -c: functions of libdevice stay unresolved. ptxas has needed half a minute
  // for one kernel; confirming is not worth more than the usual limit.
  return {Ptxas.str(),
          {"-v", "-c", ("-arch=" + Arch).str(), confinement::InputFile, "-o",
           confinement::ScratchFile}};
}

Expected<std::map<std::string, KernelResources>>
askPtxas(Module &Optimised, TargetMachine &Machine, StringRef Ptxas,
         StringRef Arch) {
  StripDebugInfo(Optimised);
  SmallString<0> Assembly;
  raw_svector_ostream Out(Assembly);
  legacy::PassManager Passes;
  if (Machine.addPassesToEmitFile(Passes, Out, nullptr,
                                  CodeGenFileType::AssemblyFile))
    return failure("this LLVM cannot write PTX");
  Passes.run(Optimised);

  Expected<confinement::ToolAnswer> Answer =
      confinement::runTool(ptxasTool(Ptxas, Arch), Assembly);
  if (!Answer)
    return failure(Ptxas + " " + toString(Answer.takeError()));
  if (Answer->Status != 0)
    return failure(Ptxas + " did not assemble the kernels");
  return parsePtxasOutput(Answer->Output);
}

} // namespace warpwise::lowering
