//===- UserNames.cpp - Names that the user gives, checked -----------------===//

#include "analyzer/reuse/launches/UserNames.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warpwise::reuse {
namespace {

using Names = std::set<std::string>;

/// Variables of the device code that a buffer can be the contents of.
void addVariables(const llvm::Module &M, Names &Into) {
  for (const llvm::GlobalVariable &V : M.globals())
    if (V.getAddressSpace() != lowering::SharedSpace &&
        !V.hasPrivateLinkage() && !V.getName().starts_with("llvm."))
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

/// "a 32-bit integer", from the size that the kernel's signature says.
std::string typeName(const Parameter &P) {
  if (P.What == Parameter::Kind::Real)
    return P.Bytes == sizeof(float) ? "a float" : "a double";
  return fmt::format("a {}-bit integer", P.Bytes * 8);
}

/// Why \p Value cannot be that of \p P, or nothing. An integer may be meant to
/// have a sign or not: the signature does not say.
std::string whyNotA(const Parameter &P, const launch::Argument &Value) {
  if (P.What == Parameter::Kind::Pointer)
    return "is a pointer; --buffer says what it points to";
  if (P.What == Parameter::Kind::Real) {
    const bool Fits = !Value.Real || std::isfinite(*Value.Real);
    return Fits ? "" : fmt::format("is {}, a finite number", typeName(P));
  }
  const unsigned Bits = unsigned(std::min<uint64_t>(P.Bytes * 8, 64));
  if (Bits == 0)
    return "";
  const std::string Range =
      fmt::format("is {}, a whole number from {} to {}", typeName(P),
                  llvm::minIntN(Bits), llvm::maxUIntN(Bits));
  if (!Value.Integer)
    return Range;
  const bool Fits =
      Bits == 64 || (*Value.Integer >= llvm::minIntN(Bits) &&
                     *Value.Integer <= int64_t(llvm::maxUIntN(Bits)));
  return Fits ? "" : Range;
}

} // namespace

llvm::Error checkNames(const llvm::Module &M,
                       llvm::ArrayRef<llvm::StringRef> Kernels,
                       const UserInput &User) {
  if (User.Arguments.empty() && User.Buffers.empty())
    return llvm::Error::success();
  Names Arguments, Memory;
  std::map<std::string, std::string> Wrong;
  for (llvm::StringRef Kernel : Kernels) {
    const std::vector<Parameter> Parameters = parametersOf(M, Kernel);
    // Members of structures have no option.
    for (const Parameter &P : Parameters)
      if (P.What != Parameter::Kind::Struct) {
        Arguments.insert(P.Name);
        for (const ArgumentInput &A : User.Arguments)
          if (A.Name == P.Name)
            if (std::string Why = whyNotA(P, A.Value); !Why.empty())
              Wrong.emplace(P.Name, std::move(Why));
      }
    addPointers(Parameters, Memory);
  }
  addVariables(M, Memory);
  for (const ArgumentInput &A : User.Arguments)
    if (!Arguments.count(A.Name))
      return missing("arg", A.Name, "an argument", Arguments);
  for (const ArgumentInput &A : User.Arguments)
    if (const auto At = Wrong.find(A.Name); At != Wrong.end())
      return llvm::createStringError(fmt::format("'--arg={}={}': {} {}", A.Name,
                                                 A.Text, A.Name, At->second));
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
