//===- Nvcc.cpp - The CUDA compiler as a measuring device -----------------===//

#include "kernels/local-arrays/Nvcc.h"
#include "kernels/harness/Session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace warpwise::harness {
namespace {

/// A folder that goes away with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code Wrong;
    std::string Name =
        (fs::temp_directory_path(Wrong) / "warpwise-XXXXXX").string();
    if (Wrong || !mkdtemp(Name.data()))
      throw Skip("no temporary folder can be made for the compiler's files");
    Path = Name;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code Ignored;
    fs::remove_all(Path, Ignored);
  }
  fs::path operator/(const char *Name) const { return Path / Name; }

private:
  fs::path Path;
};

struct Answer {
  bool Succeeded = false;
  std::string Text; ///< both outputs in the order of writing
};

/// Runs \p Words, the program first, and waits for it.
Answer execute(std::vector<std::string> Words, const fs::path &Output) {
  std::vector<char *> Arguments;
  Arguments.reserve(Words.size() + 1);
  for (std::string &Word : Words)
    Arguments.push_back(Word.data());
  Arguments.push_back(nullptr);

  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, STDIN_FILENO, "/dev/null", O_RDONLY,
                                   0);
  posix_spawn_file_actions_addopen(&Files, STDOUT_FILENO, Output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&Files, STDOUT_FILENO, STDERR_FILENO);
  pid_t Child = 0;
  const int Wrong = posix_spawn(&Child, Arguments[0], &Files, nullptr,
                                Arguments.data(), environ);
  posix_spawn_file_actions_destroy(&Files);
  if (Wrong != 0)
    return {};
  int State = 0;
  pid_t Ended;
  do
    Ended = waitpid(Child, &State, 0);
  while (Ended == -1 && errno == EINTR);

  std::ifstream In(Output);
  Answer A;
  A.Succeeded = Ended == Child && WIFEXITED(State) && WEXITSTATUS(State) == 0;
  A.Text.assign(std::istreambuf_iterator<char>(In), {});
  return A;
}

fs::path findNvcc() {
  std::vector<fs::path> Folders;
  for (const char *Name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *Root = std::getenv(Name); Root && *Root)
      Folders.push_back(fs::path(Root) / "bin");
  if (const char *Search = std::getenv("PATH")) {
    for (std::string_view Rest = Search; !Rest.empty();) {
      const size_t Colon = std::min(Rest.find(':'), Rest.size());
      if (Colon != 0)
        Folders.emplace_back(Rest.substr(0, Colon));
      Rest.remove_prefix(std::min(Colon + 1, Rest.size()));
    }
  }
  Folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path &Folder : Folders)
    if (const fs::path File = Folder / "nvcc";
        access(File.c_str(), X_OK) == 0 && !fs::is_directory(File))
      return File;
  throw Skip("no nvcc was found in CUDA_PATH, CUDA_HOME, PATH or "
             "/usr/local/cuda");
}

/// The lines of \p Text, one after the other.
class Lines {
public:
  explicit Lines(std::string_view Text) : Rest(Text) {}
  bool next(std::string_view &Line) {
    if (Rest.empty())
      return false;
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Line = Rest.substr(0, End);
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
    return true;
  }

private:
  std::string_view Rest;
};

/// What stands between \p Before and \p After, or nothing.
std::string_view between(std::string_view Line, std::string_view Before,
                         std::string_view After) {
  const size_t From = Line.find(Before);
  if (From == Line.npos)
    return {};
  Line.remove_prefix(From + Before.size());
  return Line.substr(0, Line.find(After));
}

bool toNumber(std::string_view Text, unsigned &Number) {
  Text.remove_prefix(std::min(Text.find_first_not_of(' '), Text.size()));
  const auto [End, Wrong] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Wrong == std::errc() && End != Text.data();
}

} // namespace

std::map<std::string, unsigned> stackFrames(std::string_view PtxasOutput) {
  std::map<std::string, unsigned> Frames;
  std::string_view Kernel;
  Lines All(PtxasOutput);
  for (std::string_view Line; All.next(Line);) {
    if (auto Name = between(Line, "Compiling entry function '", "'");
        !Name.empty())
      Kernel = Name;
    unsigned Bytes = 0;
    const size_t Words = Line.find(" bytes stack frame");
    if (Words != Line.npos && !Kernel.empty() &&
        toNumber(Line.substr(0, Words), Bytes))
      Frames[std::string(Kernel)] = Bytes;
  }
  return Frames;
}

std::vector<unsigned> architecturesIn(std::string_view List) {
  std::vector<unsigned> Found;
  Lines All(List);
  for (std::string_view Line; All.next(Line);)
    if (unsigned Number = 0; toNumber(between(Line, "compute_", " "), Number))
      Found.push_back(Number);
  std::sort(Found.begin(), Found.end());
  return Found;
}

Nvcc::Nvcc() : Program(findNvcc()) {
  TemporaryFolder Folder;
  const Answer A =
      execute({Program.string(), "--list-gpu-arch"}, Folder / "architectures");
  Known = architecturesIn(A.Text);
  if (!A.Succeeded || Known.empty())
    throw Skip(fmt::format("'{}' does not say what it compiles for",
                           Program.string()));
}

std::map<std::string, unsigned>
Nvcc::stackFramesOf(std::string_view Source, unsigned Architecture) const {
  TemporaryFolder Folder;
  const fs::path File = Folder / "arrays.cu";
  std::ofstream Out(File);
  Out << Source;
  Out.close();
  if (!Out)
    throw Skip(fmt::format("'{}' cannot be written", File.string()));
  const Answer A =
      execute({Program.string(), "-cubin", "-O3",
               fmt::format("-arch=sm_{}", Architecture),
               "-Wno-deprecated-gpu-targets", "-Xptxas", "-v", "-o",
               (Folder / "arrays.cubin").string(), File.string()},
              Folder / "output");
  if (!A.Succeeded)
    throw Skip(fmt::format("'{}' failed: {}", Program.string(),
                           A.Text.substr(0, A.Text.find('\n'))));
  return stackFrames(A.Text);
}

} // namespace warpwise::harness
