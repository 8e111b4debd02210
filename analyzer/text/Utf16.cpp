//===- Utf16.cpp - How editors and SARIF count characters -----------------===//

#include "analyzer/text/Utf16.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <array>

namespace warpwise::text {

namespace {

/// A character, or what stands for one.
struct Character {
  size_t Bytes, Units;
};

} // namespace

/// Of \p Text, which is not empty.
static Character firstOf(llvm::StringRef Text) {
  const size_t Whole = llvm::getNumBytesForUTF8(llvm::UTF8(Text.front()));
  for (size_t Bytes = std::min(Whole, Text.size()); Bytes > 1; --Bytes) {
    // Some character begins like this if one does that goes on with the least
    // that it can.
    std::array<llvm::UTF8, 6> Begun;
    Begun.fill(0x80);
    std::copy_n(Text.bytes_begin(), Bytes, Begun.begin());
    if (llvm::isLegalUTF8Sequence(Begun.data(), Begun.data() + Whole))
      return {Bytes, Bytes == 4 ? 2u : 1u};
  }
  return {1, 1};
}

size_t utf16Units(llvm::StringRef Text) {
  size_t Units = 0;
  while (!Text.empty()) {
    const Character First = firstOf(Text);
    Units += First.Units;
    Text = Text.drop_front(First.Bytes);
  }
  return Units;
}

size_t bytesBefore(llvm::StringRef Text, size_t Units) {
  llvm::StringRef Rest = Text;
  for (size_t Passed = 0; Passed < Units && !Rest.empty();) {
    const Character First = firstOf(Rest);
    Passed += First.Units;
    Rest = Rest.drop_front(First.Bytes);
  }
  return Text.size() - Rest.size();
}

} // namespace warpwise::text
