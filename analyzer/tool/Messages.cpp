//===- Messages.cpp -------------------------------------------------------===//

#include "analyzer/tool/Messages.h"

#include "analyzer/output/Paths.h"
#include "profiler/io/Printable.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <cstdlib>
#include <unistd.h>

namespace warpwise::tool {

using llvm::raw_ostream;

static ColorChoice Colors = ColorChoice::Auto;

void setColors(ColorChoice Choice) { Colors = Choice; }

static bool wantsColors(bool Terminal) {
  if (Colors != ColorChoice::Auto)
    return Colors == ColorChoice::Always;
  const char *Off = std::getenv("NO_COLOR");
  return Terminal && (!Off || !*Off);
}

bool colorsOnOutput() {
  return wantsColors(llvm::sys::Process::StandardOutIsDisplayed());
}

static void print(llvm::StringRef Where, llvm::StringRef Severity,
                  raw_ostream::Colors Color, llvm::StringRef Sentence) {
  raw_ostream &Out = llvm::errs();
  bool Colored = wantsColors(llvm::sys::Process::StandardErrIsDisplayed());
  Out.enable_colors(Colored);
  if (Colored)
    Out.changeColor(raw_ostream::SAVEDCOLOR, true);
  Out << io::printable(Where);
  if (Colored)
    Out.changeColor(Color, true);
  Out << Severity << ": ";
  if (Colored)
    Out.resetColor();
  Out << io::shortened(io::printable(Sentence)) << '\n';
}

std::string workingDirectory() {
  llvm::SmallString<256> Here;
  if (llvm::sys::fs::current_path(Here))
    return {};
  return Here.str().str();
}

std::string displayPath(const std::string &File) {
  return output::shortenPath(File, workingDirectory());
}

static std::string spell(const access::Place &Where) {
  return fmt::format("{}:{}:{}: ", displayPath(Where.File), Where.Line,
                     Where.Column);
}

void printError(llvm::StringRef Sentence) {
  print("", "error", raw_ostream::RED, Sentence);
}

void printError(llvm::Error Problem) {
  printError(llvm::toString(std::move(Problem)));
}

void printErrorAt(const access::Place &Where, llvm::StringRef Sentence) {
  print(spell(Where), "error", raw_ostream::RED, Sentence);
}

void printNote(llvm::StringRef Sentence) {
  print("", "note", raw_ostream::CYAN, Sentence);
}

void printNoteAt(const access::Place &Where, llvm::StringRef Sentence) {
  print(spell(Where), "note", raw_ostream::CYAN, Sentence);
}

void printLine(llvm::StringRef Line) { llvm::errs() << Line << '\n'; }

static int ProgressFile = STDERR_FILENO;

void Progress::showOn(int File) { ProgressFile = File; }

static void show(llvm::StringRef Text) {
  llvm::raw_fd_ostream(ProgressFile, /*shouldClose=*/false,
                       /*unbuffered=*/true)
      << Text;
}

Progress::Progress(size_t Total, bool Quiet)
    : Total(Total),
      Shown(!Quiet && Total > 1 &&
            llvm::sys::Process::FileDescriptorIsDisplayed(ProgressFile)) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (Shown && Done)
    show("\r\033[K");
}

/// ", about 40 s left", once that can be told.
std::string Progress::timeLeft() const {
  using std::chrono::duration, std::chrono::steady_clock;
  constexpr double SoonestSeconds = 2;
  constexpr double Minute = 60;
  const double Passed = duration<double>(steady_clock::now() - Begun).count();
  if (Passed < SoonestSeconds || Done == Total)
    return {};
  const double Left = Passed / double(Done) * double(Total - Done);
  return Left < 2 * Minute
             ? fmt::format(", about {:.0f} s left", Left)
             : fmt::format(", about {:.0f} min left", Left / Minute);
}

void Progress::step(llvm::StringRef Name) {
  if (!Shown)
    return;
  ++Done;
  show(fmt::format("\r\033[K[{}/{}] {}{}", Done, Total,
                   io::printable(Name.take_back(60)), timeLeft()));
}

} // namespace warpwise::tool
