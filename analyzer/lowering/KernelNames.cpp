//===- KernelNames.cpp - What kernels are called --------------------------===//

#include "analyzer/lowering/KernelNames.h"

#include "llvm/ADT/Twine.h"

using llvm::StringRef;

namespace warpwise::lowering {

std::string linkerName(StringRef Symbol) {
  for (StringRef Mark : {"__static__", "__intern__", ".static.", ".intern."})
    if (const size_t At = Symbol.rfind(Mark); At != StringRef::npos && At > 0)
      Symbol = Symbol.take_front(At);
  if (Symbol.consume_front("_ZL"))
    return ("_Z" + llvm::Twine(Symbol)).str();
  return Symbol.str();
}

std::string templateName(StringRef Demangled) {
  StringRef Name = Demangled.take_until([](char C) { return C == '('; });
  Name = Name.take_until([](char C) { return C == '<'; });
  if (const size_t Space = Name.rfind(' '); Space != StringRef::npos)
    Name = Name.drop_front(Space + 1); // the return type of an instance
  return Name.str();
}

} // namespace warpwise::lowering
