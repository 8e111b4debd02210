//===- KernelResources.cpp - What the compiler makes of a kernel ----------===//

#include "analyzer/nvcc/KernelResources.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace warpwise::nvcc {
namespace {

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

/// The name as a person reads it. Clang marks static kernels with "_ZL" or with
/// "__static__" and a hash at the end; unnamed namespaces demangle to the same
/// words whatever nvcc put into their names.
std::string readableName(StringRef Mangled) {
  for (StringRef Mark : {"__static__", "__intern__", ".static.", ".intern."})
    if (const size_t At = Mangled.rfind(Mark); At != StringRef::npos && At > 0)
      Mangled = Mangled.take_front(At);
  if (Mangled.consume_front("_ZL"))
    return demangle("_Z" + Mangled.str());
  return demangle(Mangled.str());
}

} // namespace

ResourceTable parseResourceUsage(std::string_view Text) {
  ResourceTable Found;
  KernelResources *Current = nullptr;
  SmallVector<StringRef, 64> Lines;
  StringRef(Text).split(Lines, '\n');
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

const KernelResources *findKernel(const ResourceTable &Table,
                                  const std::string &Mangled) {
  if (auto Same = Table.find(Mangled); Same != Table.end())
    return &Same->second;
  const std::string Wanted = readableName(Mangled);
  for (const auto &[Name, Resources] : Table)
    if (readableName(Name) == Wanted)
      return &Resources;
  return nullptr;
}

} // namespace warpwise::nvcc
