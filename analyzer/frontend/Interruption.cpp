//===- Interruption.cpp - Somebody who stops a parse for a while ----------===//

#include "analyzer/frontend/Interruption.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <string>

namespace warpwise::frontend {

LastInclude lastIncludeAtTop(llvm::StringRef Text) {
  const std::string Ended = Text.str(); // the lexer wants a zero behind it
  const llvm::StringRef Top = Text.take_front(
      clang::Lexer::ComputePreamble(Ended, clang::LangOptions()).Size);
  LastInclude Last;
  for (size_t At = 0; At < Top.size();) {
    const size_t End = std::min(Top.find('\n', At), Top.size() - 1) + 1;
    llvm::StringRef Line = Top.slice(At, End).ltrim();
    if (Line.consume_front("#") && Line.ltrim().starts_with("include"))
      Last = {At, End};
    At = End;
  }
  return Last;
}

} // namespace warpwise::frontend
