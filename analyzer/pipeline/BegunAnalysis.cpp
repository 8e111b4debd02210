//===- BegunAnalysis.cpp - An analysis that waits for its text ------------===//

#include "analyzer/pipeline/BegunAnalysis.h"

#include "analyzer/frontend/SpacedLaunches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <sys/mman.h>

using namespace llvm;

namespace warpwise::pipeline {

/// What the main file may grow by before it has to be begun anew.
constexpr size_t Room = size_t(256) << 10;

/// Of the parse, below which lies a page that nobody may touch. Memory that is
/// not used costs nothing.
constexpr size_t StackBytes = size_t(64) << 20, GuardBytes = 4096;

/// What \p Path says, from the editor or the disk.
static std::optional<std::string> textOf(const frontend::DeviceCommand &Command,
                                         const std::string &Path) {
  if (Command.Edited)
    if (const auto At = Command.Edited->find(Path); At != Command.Edited->end())
      return At->second;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return std::nullopt;
  return (*Buffer)->getBuffer().str();
}

BegunAnalysis::BegunAnalysis(const frontend::DeviceCommand &Command,
                             const AnalyzeOptions &Options, size_t Target)
    : Command(Command), Options(Options), Read(std::make_shared<Texts>()),
      Target(Target) {
  if (Command.Edited)
    *Read = *Command.Edited;
  std::string Text = textOf(Command, Command.File).value_or("");
  Prefix = Text.substr(0, frontend::lastIncludeAtTop(Text).End);
  const size_t Size = Text.size() + Room;
  Text = Prefix;
  Text.resize(Size, ' ');
  (*Read)[Command.File] = std::move(Text);
  this->Command.Edited = Read;
  this->Options.Begun = nullptr;
}

BegunAnalysis::~BegunAnalysis() {
  // A parse that waits is left as it is: its process ends with it.
  if (Stack && !IsWaiting)
    ::munmap(Stack, StackBytes);
}

/// The one that a new stack is for.
static BegunAnalysis *Entering = nullptr;

void BegunAnalysis::enter() { std::exchange(Entering, nullptr)->run(); }

void BegunAnalysis::run() {
  Result.emplace(analyze(Command, Options, this));
  IsWaiting = false;
  Fiber::change(Parse, Caller);
}

void BegunAnalysis::start() {
  void *Memory =
      ::mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (Memory == MAP_FAILED)
    return;
  Stack = static_cast<char *>(Memory);
  ::mprotect(Stack, GuardBytes, PROT_NONE);
  Parse.prepare(Stack, StackBytes, enter);
  Entering = this;
  Fiber::change(Caller, Parse);
}

std::shared_ptr<BegunAnalysis>
BegunAnalysis::begin(const frontend::DeviceCommand &Command,
                     const AnalyzeOptions &Options) {
  const std::string Text = textOf(Command, Command.File).value_or("");
  // Behind the last #include: where its line begins the one before may end.
  const frontend::LastInclude Last = frontend::lastIncludeAtTop(Text);
  size_t Target = Last.End != 0 ? Last.Begin + 1 : 0;
  // The second time where the last #include is not followed, or where one reads
  // what is edited.
  for (int Round = 0; Round != 2; ++Round) {
    std::shared_ptr<BegunAnalysis> New(
        new BegunAnalysis(Command, Options, Target));
    New->start();
    if (New->IsWaiting)
      return New;
    if (New->Result && !*New->Result)
      consumeError(New->Result->takeError()); // it will be said anew
    Target = New->LastClean;
  }
  return nullptr;
}

/// Whether \p Files has one that is edited, other than the main file.
static bool
hasEdited(const frontend::OpenedFiles &Files,
          const frontend::DeviceCommand &Command,
          function_ref<bool(const std::string &Path, const std::string &Text)>
              Counts) {
  if (!Command.Edited)
    return false;
  return any_of(*Command.Edited, [&](const auto &Entry) {
    const auto &[Path, Text] = Entry;
    return Path != Command.File &&
           (Files.Users.contains(Path) || Files.System.contains(Path)) &&
           Counts(Path, Text);
  });
}

frontend::EditedTexts
BegunAnalysis::afterInclude(size_t Offset,
                            function_ref<frontend::OpenedFiles()> Opened) {
  if (HasWaited)
    return nullptr;
  frontend::OpenedFiles Now = Opened();
  if (hasEdited(Now, Command, [](const auto &, const auto &) { return true; }))
    return nullptr;
  LastClean = Offset;
  if (Offset < Target)
    return nullptr;
  Files = std::move(Now);
  IsWaiting = HasWaited = true;
  Fiber::change(Parse, Caller);
  return Rest;
}

/// Whether \p Before has texts of files that \p Now reads from the disk: the
/// begun parse would go on to read the former.
static bool hasClosed(const frontend::DeviceCommand &Before,
                      const frontend::DeviceCommand &Now) {
  return Before.Edited && any_of(*Before.Edited, [&](const auto &Entry) {
           return Entry.first != Before.File &&
                  !(Now.Edited && Now.Edited->count(Entry.first));
         });
}

bool BegunAnalysis::canFinish(const frontend::DeviceCommand &Other) const {
  if (!IsWaiting || Other.File != Command.File ||
      Other.Directory != Command.Directory ||
      Other.Arguments != Command.Arguments ||
      Other.AnalysedArch != Command.AnalysedArch ||
      Other.Cuda.Path != Command.Cuda.Path || hasClosed(Command, Other))
    return false;
  const auto Text = textOf(Other, Other.File);
  return Text && StringRef(*Text).starts_with(Prefix) &&
         frontend::lastIncludeAtTop(*Text).End == Prefix.size() &&
         Text->size() <= Read->at(Command.File).size() &&
         !hasEdited(Files, Other, [](const auto &Path, const auto &Text) {
           auto OnDisk = MemoryBuffer::getFile(Path);
           return !OnDisk || (*OnDisk)->getBuffer() != Text;
         });
}

Expected<AnalyzeResult>
BegunAnalysis::finish(const frontend::DeviceCommand &Other,
                      const AnalyzeOptions &NewOptions) {
  assert(IsWaiting && "nothing waits to be finished");
  Options = NewOptions;
  Options.Begun = nullptr;
  auto Texts = std::make_shared<std::map<std::string, std::string>>();
  if (Other.Edited)
    *Texts = *Other.Edited;
  Texts->erase(Command.File);
  Rest = std::move(Texts);
  // In place: the parse has this memory before it.
  std::string Text = textOf(Other, Other.File).value_or("");
  if (auto Joined = frontend::joinLaunchBrackets(Text))
    Text = std::move(*Joined);
  std::string &Memory = Read->at(Command.File);
  std::copy(Text.begin() + ptrdiff_t(Prefix.size()), Text.end(),
            Memory.begin() + ptrdiff_t(Prefix.size()));
  IsWaiting = false;
  Fiber::change(Caller, Parse);
  return std::move(*Result);
}

} // namespace warpwise::pipeline
