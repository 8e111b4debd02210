//===- SourcePlaces.cpp - Clang's locations as plain places ---------------===//

#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace warpwise::frontend {

access::Place placeOf(clang::SourceLocation Location,
                      const clang::SourceManager &Sources) {
  clang::PresumedLoc Presumed =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Location));
  if (Presumed.isInvalid())
    return {};
  llvm::SmallString<128> Path(Presumed.getFilename());
  Sources.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return {Path.str().str(), Presumed.getLine(), Presumed.getColumn()};
}

std::optional<Span> spanOf(clang::SourceRange Tokens,
                           const clang::ASTContext &Context,
                           std::string &Text) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::CharSourceRange Range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(Tokens), Sources,
      Context.getLangOpts());
  if (Range.isInvalid())
    return std::nullopt;
  const auto [File, Begin] = Sources.getDecomposedLoc(Range.getBegin());
  const auto [EndFile, End] = Sources.getDecomposedLoc(Range.getEnd());
  const clang::OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  if (!Entry || File != EndFile || End < Begin ||
      Sources.isInSystemHeader(Range.getBegin()))
    return std::nullopt;
  Text = Sources.getBufferData(File).slice(Begin, End).str();
  llvm::SmallString<128> Path(Entry->getName());
  Sources.getFileManager().makeAbsolutePath(Path);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Span{Path.str().str(), Begin, End - Begin};
}

} // namespace warpwise::frontend
