//===- SpacedLaunches.cpp -------------------------------------------------===//

#include "analyzer/frontend/SpacedLaunches.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace llvm;
namespace tok = clang::tok;

namespace warpwise::frontend {
namespace {

/// A launch has no longer configuration.
constexpr size_t MostWords = 2000;

struct Word {
  tok::TokenKind Kind;
  size_t Begin, End;
  bool IsOperator; ///< the keyword
};

/// Three brackets in a row with nothing but blanks between them.
struct Bracket {
  size_t First, Last; ///< words
};

/// Whether the text can have what is looked for at all: "<", blanks, "<".
bool hasSpaced(StringRef Text, char C) {
  for (size_t At = Text.find(C); At != StringRef::npos;
       At = Text.find(C, At + 1)) {
    const StringRef Rest = Text.drop_front(At + 1);
    const StringRef Behind = Rest.ltrim();
    if (Behind.size() != Rest.size() && Behind.starts_with(StringRef(&C, 1)))
      return true;
  }
  return false;
}

class Joiner {
public:
  explicit Joiner(std::string &Text) : Text(Text) { readWords(); }

  /// True when something was changed.
  bool run() {
    bool Changed = false;
    for (size_t I = 1; I < Words.size(); ++I) {
      const std::optional<Bracket> Open = bracketAt(I, '<');
      // "operator<< <int>(...)" is a name with template arguments.
      if (!Open || !endsExpression(Words[I - 1]))
        continue;
      const std::optional<Bracket> Close = closing(Open->Last + 1);
      if (!Close)
        continue;
      for (const Bracket &B : {*Open, *Close})
        Changed |= join(B);
      I = Open->Last;
    }
    return Changed;
  }

private:
  void readWords() {
    clang::LangOptions Language;
    Language.CPlusPlus = Language.CPlusPlus11 = Language.CPlusPlus14 = true;
    Language.CPlusPlus17 = Language.CPlusPlus20 = true;
    Language.LineComment = Language.RawStringLiterals = Language.CUDA = true;
    clang::Lexer Lexer(clang::SourceLocation(), Language, Text.data(),
                       Text.data(), Text.data() + Text.size());
    clang::Token Token;
    do {
      const bool IsLast = Lexer.LexFromRawLexer(Token);
      const size_t End = size_t(Lexer.getBufferLocation() - Text.data());
      const size_t Begin = End - Token.getLength();
      if (!IsLast || Token.isNot(tok::eof))
        Words.push_back({Token.getKind(), Begin, End,
                         Token.is(tok::raw_identifier) &&
                             Token.getRawIdentifier() == "operator"});
    } while (Token.isNot(tok::eof));
  }

  /// How many \p C the word at \p I consists of; 0 when it is another one.
  unsigned bracketsIn(size_t I, char C) const {
    if (I >= Words.size())
      return 0;
    const StringRef Spelling(Text.data() + Words[I].Begin,
                             Words[I].End - Words[I].Begin);
    return Spelling.size() <= 3 &&
                   Spelling.find_first_not_of(C) == StringRef::npos
               ? unsigned(Spelling.size())
               : 0;
  }

  bool onlyBlanksBetween(size_t I, size_t J) const {
    return StringRef(Text).slice(Words[I].End, Words[J].Begin).trim().empty();
  }

  std::optional<Bracket> bracketAt(size_t I, char C) const {
    unsigned Count = 0;
    for (size_t Last = I; unsigned Here = bracketsIn(Last, C); ++Last) {
      if (Last != I && !onlyBlanksBetween(Last - 1, Last))
        return std::nullopt;
      Count += Here;
      if (Count == 3)
        return Bracket{I, Last};
      if (Count > 3)
        return std::nullopt;
    }
    return std::nullopt;
  }

  static bool endsExpression(const Word &W) {
    switch (W.Kind) {
    case tok::raw_identifier:
      return !W.IsOperator;
    case tok::greater: // of template arguments
    case tok::greatergreater:
    case tok::greatergreatergreater:
    case tok::r_paren:
    case tok::r_square:
      return true;
    default:
      return false;
    }
  }

  /// The brackets that end the configuration which begins at \p I.
  std::optional<Bracket> closing(size_t I) const {
    const size_t End = std::min(Words.size(), I + MostWords);
    for (unsigned Depth = 0; I < End; ++I) {
      switch (Words[I].Kind) {
      case tok::l_paren:
      case tok::l_square:
      case tok::l_brace:
        ++Depth;
        continue;
      case tok::r_paren:
      case tok::r_square:
      case tok::r_brace:
        if (Depth-- == 0)
          return std::nullopt;
        continue;
      default:
        break;
      }
      if (Depth != 0)
        continue;
      if (Words[I].Kind == tok::semi)
        return std::nullopt;
      if (const auto Found = bracketAt(I, '>');
          Found && Found->Last + 1 < Words.size() &&
          Words[Found->Last + 1].Kind == tok::l_paren)
        return Found;
    }
    return std::nullopt;
  }

  /// Moves the blanks behind the brackets.
  bool join(const Bracket &B) {
    const size_t Begin = Words[B.First].Begin, End = Words[B.Last].End;
    if (End - Begin == 3)
      return false;
    const char C = Text[Begin];
    std::string Blanks;
    for (size_t I = Begin; I != End; ++I)
      if (Text[I] != C)
        Blanks += Text[I];
    Text.replace(Begin, End - Begin, std::string(3, C) + Blanks);
    return true;
  }

  std::string &Text;
  std::vector<Word> Words;
};

/// A file with another text of the same length.
class JoinedFile : public vfs::File {
public:
  explicit JoinedFile(std::unique_ptr<vfs::File> Base)
      : Base(std::move(Base)) {}

  ErrorOr<vfs::Status> status() override { return Base->status(); }
  ErrorOr<std::string> getName() override { return Base->getName(); }
  std::error_code close() override { return Base->close(); }

  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t FileSize,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    auto Buffer =
        Base->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Buffer)
      return Buffer;
    if (const auto Joined = joinLaunchBrackets((*Buffer)->getBuffer()))
      return MemoryBuffer::getMemBufferCopy(*Joined, Name);
    return Buffer;
  }

private:
  std::unique_ptr<vfs::File> Base;
};

class JoinedFiles : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (!File)
      return File;
    return std::make_unique<JoinedFile>(std::move(*File));
  }
};

} // namespace

std::optional<std::string> joinLaunchBrackets(StringRef Source) {
  // Nearly every file has none, and most have no "< <" at all.
  const bool MayOpen = hasSpaced(Source, '<');
  if (!MayOpen && !(Source.contains("<<<") && hasSpaced(Source, '>')))
    return std::nullopt;
  std::string Text = Source.str();
  if (!Joiner(Text).run())
    return std::nullopt;
  return Text;
}

IntrusiveRefCntPtr<vfs::FileSystem>
joinLaunchBrackets(IntrusiveRefCntPtr<vfs::FileSystem> Base) {
  return makeIntrusiveRefCnt<JoinedFiles>(std::move(Base));
}

} // namespace warpwise::frontend
