//===- Text.cpp - Findings as compiler warnings ---------------------------===//

#include "analyzer/output/findings/Text.h"

#include "analyzer/advice/Wording.h"
#include "analyzer/output/Paths.h"
#include "analyzer/output/findings/SourcePositions.h"
#include "profiler/io/Printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace warpwise::output {

using llvm::raw_ostream;

namespace {

/// Bold or coloured text in clang's colours, as long as it lives. Escape
/// sequences of its own, because raw_ostream's depend on the kind of stream.
class Style {
public:
  Style(raw_ostream &Out, bool On, const char *Code) : Out(Out), On(On) {
    if (On)
      Out << "\033[" << Code << "m";
  }
  Style(const Style &) = delete;
  ~Style() {
    if (On)
      Out << "\033[0m";
  }

private:
  raw_ostream &Out;
  bool On;
};

constexpr const char *Bold = "1";
constexpr const char *Magenta = "1;35"; // clang's warning
constexpr const char *Cyan = "1;36";    // its note
constexpr const char *Green = "1;32";   // its caret
constexpr unsigned TabWidth = 8;

/// The columns that \p Text takes: a character of several bytes takes one.
size_t widthOf(llvm::StringRef Text) {
  return size_t(
      llvm::count_if(Text, [](char C) { return (C & 0xC0) != 0x80; }));
}

/// \p Line as it can be shown, tabs as spaces and control characters escaped.
std::string expand(llvm::StringRef Line) {
  std::string Text;
  for (bool First = true; First || !Line.empty(); First = false) {
    const size_t End = std::min(Line.find('\t'), Line.size());
    Text += io::printable(Line.take_front(End));
    if (End != Line.size())
      Text.append(TabWidth - widthOf(Text) % TabWidth, ' ');
    Line = Line.drop_front(std::min(End + 1, Line.size()));
  }
  return Text;
}

/// What is shown of \p Line, and the screen column of its byte \p Column (from
/// 1) there. llvm::SourceMgr would show lines of any length whole, with
/// whatever a foreign file has in it.
std::pair<std::string, size_t> excerpt(llvm::StringRef Line, unsigned Column) {
  const LineExcerpt Part = excerptOf(Line, Column);
  const std::string Before = Part.IsCutBefore ? "... " : "";
  const std::string After = Part.IsCutAfter ? " ..." : "";
  return {Before + expand(Part.Text) + After,
          Before.size() + widthOf(expand(Part.Text.take_front(Part.At)))};
}

class TextWriter {
public:
  TextWriter(const FindingsReport &Report, raw_ostream &Out)
      : Report(Report), Out(Out), Sources(Report.Source) {}

  void write(const advice::Finding &F);

private:
  void writeLine(const access::Place &Where, llvm::StringRef Severity,
                 const std::string &Message, llvm::StringRef Rule);
  void writeNote(const advice::Finding &F, const access::Place &Where,
                 const std::string &Message);
  void writeSnippet(const access::Place &Where);

  const FindingsReport &Report;
  raw_ostream &Out;
  access::Place Last; ///< of the line that was written last
  ReportSources Sources;
};

} // namespace

void TextWriter::writeSnippet(const access::Place &Where) {
  const SourcePositions &In = Sources.of(Where.File);
  if (Where.Line == 0 || Where.Line > In.lines())
    return;
  const auto [Text, Caret] = excerpt(In.line(Where.Line), Where.Column);
  Out << fmt::format("{:>5} | {}\n", Where.Line, Text);
  if (Where.Column == 0)
    return;
  Out << "      | " << std::string(Caret, ' ');
  {
    const Style S(Out, Report.Color, Green);
    Out << '^';
  }
  Out << '\n';
}

void TextWriter::writeLine(const access::Place &Where, llvm::StringRef Severity,
                           const std::string &Message, llvm::StringRef Rule) {
  const bool IsNote = Severity == "note";
  if (!Where.File.empty()) {
    const Style S(Out, Report.Color, Bold);
    Out << io::printable(shortenPath(Where.File, Report.WorkingDirectory))
        << ':';
    if (Where.Line)
      Out << Where.Line << ':';
    if (Where.Line && Where.Column)
      Out << Where.Column << ':';
    Out << ' ';
  }
  {
    const Style S(Out, Report.Color, IsNote ? Cyan : Magenta);
    Out << Severity << ": ";
  }
  {
    const Style S(Out, Report.Color && !IsNote, Bold);
    Out << io::shortened(io::printable(Message));
    if (!Rule.empty())
      Out << " [" << Rule << ']';
  }
  Out << '\n';
}

void TextWriter::writeNote(const advice::Finding &F, const access::Place &Where,
                           const std::string &Message) {
  writeLine(Where, "note", Message, "");
  if (Where != Last && Where != F.Where) // has just been shown
    writeSnippet(Where);
  Last = Where;
}

/// Four lines, one of them with its caret: the fact and the gain, the source,
/// the reason, the remedy.
void TextWriter::write(const advice::Finding &F) {
  writeLine(F.Where, advice::nameOf(F.Level), advice::headline(F), F.Rule);
  writeSnippet(F.Where);
  Last = F.Where;
  for (const advice::Note &N :
       advice::explanation(F, {Report.Explain, Report.TriedFixes, Report.Gpu}))
    writeNote(F, N.Where, N.Message);
}

void writeFindingsAsText(const FindingsReport &Report, raw_ostream &Out) {
  TextWriter Writer(Report, Out);
  for (const advice::Finding &F : Report.Findings)
    Writer.write(F);
}

} // namespace warpwise::output
