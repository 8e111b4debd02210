//===- Queue.cpp - What Slurm is asked ------------------------------------===//

#include "analyzer/cluster/Queue.h"

#include "profiler/io/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <map>

namespace warpwise::cluster {

/// Slurm's own limit for an answer is ten seconds.
constexpr unsigned MostSeconds = 60;

static llvm::Error problem(const std::string &Sentence) {
  return llvm::createStringError(Sentence);
}

/// What the program prints.
static llvm::Expected<std::string>
ask(const std::string &Name, const std::vector<std::string> &Arguments) {
  auto Program = llvm::sys::findProgramByName(Name);
  if (!Program)
    return problem(fmt::format("cannot run '{}', which is part of Slurm: {}",
                               Name, Program.getError().message()));
  llvm::SmallString<128> Files[2];
  for (llvm::SmallString<128> &File : Files)
    if (const std::error_code Error =
            llvm::sys::fs::createTemporaryFile("warpwise", "", File))
      return problem(
          fmt::format("cannot make a temporary file: {}", Error.message()));
  const auto Remove = llvm::make_scope_exit([&] {
    for (const llvm::SmallString<128> &File : Files)
      llvm::sys::fs::remove(File);
  });
  llvm::SmallVector<llvm::StringRef> Words = {Name};
  Words.append(Arguments.begin(), Arguments.end());
  std::string Why;
  const int Status = llvm::sys::ExecuteAndWait(
      *Program, Words, /*Env=*/std::nullopt,
      {llvm::StringRef(""), Files[0].str(), Files[1].str()}, MostSeconds,
      /*MemoryLimit=*/0, &Why);
  const auto Out = io::readFile(Files[0].str().str());
  if (Status == 0 && Out)
    return *Out;
  const auto Errors = io::readFile(Files[1].str().str());
  const llvm::StringRef Said =
      Errors ? llvm::StringRef(*Errors).trim() : llvm::StringRef();
  if (!Said.empty())
    Why = Said.split('\n').first.str();
  if (Why.empty())
    Why = fmt::format("its exit status is {}", Status);
  return problem(fmt::format("{} failed: {}", Name, Why));
}

static std::vector<llvm::StringRef> linesOf(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return {Lines.begin(), Lines.end()};
}

//===--- sbatch -----------------------------------------------------------===//

std::string rangesOf(const std::vector<unsigned> &Numbers) {
  std::string Text;
  for (size_t I = 0; I != Numbers.size();) {
    size_t Last = I;
    while (Last + 1 != Numbers.size() && Numbers[Last + 1] == Numbers[Last] + 1)
      ++Last;
    Text += fmt::format("{}{}", Text.empty() ? "" : ",", Numbers[I]);
    if (Last != I)
      Text += fmt::format("-{}", Numbers[Last]);
    I = Last + 1;
  }
  return Text;
}

static std::vector<std::string>
batchArguments(const WorkFolder &Folder, std::vector<std::string> Which,
               const std::vector<std::string> &Own) {
  std::vector<std::string> All = {"--parsable", "--chdir=" + Folder.path()};
  All.insert(All.end(), Which.begin(), Which.end());
  All.insert(All.end(), Own.begin(), Own.end());
  All.push_back(Folder.pathOf("job.sh"));
  return All;
}

std::vector<std::string> batchArguments(const WorkFolder &Folder,
                                        const std::vector<unsigned> &Array,
                                        const std::vector<std::string> &Own) {
  return batchArguments(
      Folder, {"--array=" + rangesOf(Array), "--output=logs/%a"}, Own);
}

std::vector<std::string> batchArguments(const WorkFolder &Folder, unsigned Task,
                                        const std::vector<std::string> &Own) {
  std::vector<std::string> All =
      batchArguments(Folder, {fmt::format("--output=logs/{}", Task)}, Own);
  All.push_back(std::to_string(Task));
  return All;
}

llvm::Expected<std::string> submit(const std::vector<std::string> &Arguments) {
  auto Text = ask("sbatch", Arguments);
  if (!Text)
    return Text.takeError();
  // "12" or "12;cluster".
  const llvm::StringRef Id = llvm::StringRef(*Text).trim().split(';').first;
  if (Id.empty() || !llvm::all_of(Id, llvm::isDigit))
    return problem(fmt::format("sbatch gave no number of a job: '{}'",
                               llvm::StringRef(*Text).trim().str()));
  return Id.str();
}

//===--- squeue -----------------------------------------------------------===//

std::vector<Queued> parseQueue(llvm::StringRef Text) {
  std::vector<Queued> All;
  for (const llvm::StringRef Line : linesOf(Text)) {
    llvm::SmallVector<llvm::StringRef> Parts;
    Line.trim().split(Parts, '|', 2);
    if (Parts.size() != 3)
      continue;
    const auto [Job, Index] = Parts[0].split('_');
    Queued Each = {Job.str(), 0, Parts[1].str(), Parts[2].str()};
    if (!Index.empty() && !llvm::to_integer(Index, Each.Index, 10))
      continue;
    All.push_back(std::move(Each));
  }
  return All;
}

llvm::Expected<std::vector<Queued>> queued() {
  auto Text =
      ask("squeue", {"--noheader", "--array", "--me", "--format=%i|%T|%r"});
  if (!Text)
    return Text.takeError();
  return parseQueue(*Text);
}

//===--- sinfo ------------------------------------------------------------===//

/// Of "gpu:h100:4(S:0-1),mps:100": 4.
static unsigned gpusOf(llvm::StringRef Resources) {
  unsigned Sum = 0;
  while (!Resources.empty()) {
    // Sockets stand between brackets, with commas of their own.
    size_t End = 0, Depth = 0;
    for (; End != Resources.size() && (Depth || Resources[End] != ','); ++End)
      Depth += (Resources[End] == '(') - (Resources[End] == ')');
    const llvm::StringRef Each = Resources.take_front(End).split('(').first;
    Resources = Resources.drop_front(std::min(End + 1, Resources.size()));
    unsigned Count = 0;
    if (Each.starts_with("gpu:") &&
        llvm::to_integer(Each.rsplit(':').second, Count, 10))
      Sum += Count;
    else if (Each == "gpu")
      ++Sum;
  }
  return Sum;
}

bool Node::isUp() const {
  return llvm::is_contained({"idle", "mix", "alloc", "comp", "plnd", "resv"},
                            State);
}

std::vector<Node> parseNodes(llvm::StringRef Text) {
  std::map<std::string, Node> All; // one line for each partition
  for (const llvm::StringRef Line : linesOf(Text)) {
    llvm::SmallVector<llvm::StringRef> Parts;
    Line.trim().split(Parts, '|', 2);
    if (Parts.size() == 3)
      All[Parts[0].str()] = {Parts[0].str(), Parts[1].str(), gpusOf(Parts[2])};
  }
  std::vector<Node> Sorted;
  for (auto &[Name, Each] : All)
    Sorted.push_back(std::move(Each));
  return Sorted;
}

llvm::Expected<std::vector<Node>> nodes(const std::string &Partition) {
  std::vector<std::string> Arguments = {"--Node", "--noheader",
                                        "--format=%N|%t|%G"};
  if (!Partition.empty())
    Arguments.push_back("--partition=" + Partition);
  auto Text = ask("sinfo", Arguments);
  if (!Text)
    return Text.takeError();
  return parseNodes(*Text);
}

} // namespace warpwise::cluster
