//===- Ptxas.cpp - What the assembler makes of a kernel -------------------===//

#include "analyzer/lowering/Ptxas.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// ptxas has needed half a minute for one kernel; confirming is not worth more.
constexpr unsigned TimeoutSeconds = 20;

Error failure(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What);
}

/// A file that is gone when this goes out of scope.
class TemporaryFile {
  SmallString<128> Path;

public:
  Error create(StringRef Suffix) {
    if (const std::error_code Why =
            sys::fs::createTemporaryFile("warpwise", Suffix, Path))
      return failure("cannot create a temporary file: " + Why.message());
    return Error::success();
  }
  ~TemporaryFile() {
    if (!Path.empty())
      sys::fs::remove(Path);
  }
  StringRef path() const { return Path; }
};

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

  TemporaryFile Input, Object, Messages;
  for (auto [File, Suffix] : {std::pair(&Input, "ptx"), std::pair(&Object, "o"),
                              std::pair(&Messages, "txt")})
    if (Error E = File->create(Suffix))
      return std::move(E);
  std::error_code Why;
  raw_fd_ostream Writer(Input.path(), Why);
  Writer << Assembly;
  Writer.close();
  if (Why || Writer.has_error())
    return failure("cannot write " + Input.path());
  const std::string Architecture = ("-arch=" + Arch).str();
  // -c: functions of libdevice stay unresolved.
  const StringRef Arguments[] = {Ptxas,        "-v", "-c",         Architecture,
                                 Input.path(), "-o", Object.path()};
  const std::optional<StringRef> Redirects[] = {StringRef(), Messages.path(),
                                                Messages.path()};
  std::string Failure;
  const int Status = sys::ExecuteAndWait(
      Ptxas, Arguments, std::nullopt, Redirects, TimeoutSeconds, 0, &Failure);
  if (Status != 0)
    return failure(Ptxas + " did not assemble the kernels" +
                   (Failure.empty() ? "" : ": " + Failure));
  auto Text = MemoryBuffer::getFile(Messages.path());
  if (!Text)
    return failure("cannot read what ptxas said");
  return parsePtxasOutput((*Text)->getBuffer());
}

} // namespace warpwise::lowering
