//===- UserNames.cpp - Names that the user gives, checked -----------------===//

#include "analyzer/reuse/launches/UserNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace warpwise::reuse {
namespace {

using Names = std::set<std::string>;

/// Variables of the device code that a buffer can be the contents of.
void addVariables(const llvm::Module &M, Names &Into) {
  constexpr unsigned SharedSpace = 3;
  for (const llvm::GlobalVariable &V : M.globals())
    if (V.getAddressSpace() != SharedSpace && !V.hasPrivateLinkage() &&
        !V.getName().starts_with("llvm."))
      Into.insert(V.getName().str());
}

/// Pointers whose memory a buffer can be.
void addPointers(const std::vector<Parameter> &Parameters, Names &Into) {
  for (const Parameter &P : Parameters)
    if (P.What == Parameter::Kind::Pointer)
      Into.insert(P.Name);
}

llvm::Error missing(const char *Option, const std::string &Name,
                    const char *What, const Names &Known) {
  return llvm::createStringError(fmt::format(
      "--{} {}: no kernel that is chosen has {} of this name; {}", Option, Name,
      What,
      Known.empty() ? std::string("there is none")
                    : fmt::format("there is {}", fmt::join(Known, ", "))));
}

} // namespace

llvm::Error checkNames(const llvm::Module &M,
                       llvm::ArrayRef<llvm::StringRef> Kernels,
                       const UserInput &User) {
  if (User.Arguments.empty() && User.Buffers.empty())
    return llvm::Error::success();
  Names Arguments, Memory;
  for (llvm::StringRef Kernel : Kernels) {
    const std::vector<Parameter> Parameters = parametersOf(M, Kernel);
    // Members of structures have no option.
    for (const Parameter &P : Parameters)
      if (P.What != Parameter::Kind::Struct)
        Arguments.insert(P.Name);
    addPointers(Parameters, Memory);
  }
  addVariables(M, Memory);
  for (const ArgumentInput &A : User.Arguments)
    if (!Arguments.count(A.Name))
      return missing("arg", A.Name, "an argument", Arguments);
  for (const Buffer &B : User.Buffers)
    if (!Memory.count(B.Name))
      return missing("buffer", B.Name, "a pointer argument or variable",
                     Memory);
  return llvm::Error::success();
}

UserInput inputOf(const llvm::Module &M,
                  const std::vector<Parameter> &Parameters, UserInput User) {
  if (User.Buffers.empty())
    return User;
  Names Memory;
  addPointers(Parameters, Memory);
  addVariables(M, Memory);
  llvm::erase_if(User.Buffers,
                 [&](const Buffer &B) { return !Memory.count(B.Name); });
  return User;
}

} // namespace warpwise::reuse
