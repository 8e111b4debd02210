//===- CommandLine.cpp ----------------------------------------------------===//

#include "analyzer/tool/CommandLine.h"

#include "analyzer/reuse/launches/UserInput.h"

#include "analyzer/tool/Messages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <sys/stat.h>

namespace warpwise::tool {

namespace cl = llvm::cl;

cl::SubCommand &checkCommand() {
  static cl::SubCommand Command(
      "check", "Report memory accesses that waste what a warp could use");
  return Command;
}

cl::SubCommand &accessesCommand() {
  static cl::SubCommand Command(
      "accesses", "Print the memory accesses of one file and their cost, JSON");
  return Command;
}

cl::SubCommand &reuseCommand() {
  static cl::SubCommand Command(
      "reuse", "Predict cache hit ratios and memory traffic of launches");
  return Command;
}

cl::SubCommand &commandsCommand() {
  static cl::SubCommand Command(
      "commands", "Translate a compile database so that clang tools take it");
  return Command;
}

cl::SubCommand &lspCommand() {
  static cl::SubCommand Command(
      "lsp", "Serve an editor: findings while typing (language server)");
  return Command;
}

cl::SubCommand &explainCommand() {
  static cl::SubCommand Command("explain", "Print the page of a rule");
  return Command;
}

cl::SubCommand &listRulesCommand() {
  static cl::SubCommand Command("list-rules", "List the rules");
  return Command;
}

cl::SubCommand &completionCommand() {
  static cl::SubCommand Command(
      "completion", "Print the completion for a shell: bash, zsh or fish");
  return Command;
}

cl::SubCommand &manualCommand() {
  static cl::SubCommand Command("manual", "Print the manual page, for man");
  return Command;
}

cl::SubCommand &clusterCheckCommand() {
  static cl::SubCommand Command(
      "cluster-check", "Check by a Slurm cluster ('warpwise cluster check')");
  return Command;
}

cl::SubCommand &clusterProfileCommand() {
  static cl::SubCommand Command(
      "cluster-profile",
      "Measure all GPUs of a Slurm cluster ('warpwise cluster profile')");
  return Command;
}

cl::SubCommand &clusterTaskCommand() {
  static cl::SubCommand Command(
      "cluster-task", "Run one task of such a job, as its script does");
  return Command;
}

cl::SubCommand &profileCommand() {
  static cl::SubCommand Command(
      "profile", "Measure this machine's GPU and keep its device profile");
  return Command;
}

cl::SubCommand &profilesCommand() {
  static cl::SubCommand Command(
      "profiles", "List, show, compare, check or draw device profiles");
  return Command;
}

std::vector<cl::SubCommand *> allCommands() {
  return {&checkCommand(),
          &accessesCommand(),
          &reuseCommand(),
          &commandsCommand(),
          &lspCommand(),
          &explainCommand(),
          &listRulesCommand(),
          &profileCommand(),
          &profilesCommand(),
          &clusterCheckCommand(),
          &clusterProfileCommand(),
          &clusterTaskCommand(),
          &completionCommand(),
          &manualCommand()};
}

cl::OptionCategory &optionCategory() {
  static cl::OptionCategory Category("Options");
  return Category;
}

static cl::opt<std::string>
    Database("p", cl::value_desc("path"),
             cl::desc("Folder with compile_commands.json, or that file"),
             cl::cat(optionCategory()), cl::sub(checkCommand()),
             cl::sub(lspCommand()), cl::sub(accessesCommand()),
             cl::sub(reuseCommand()));

static cl::opt<std::string>
    Gpu("gpu", cl::value_desc("name"),
        cl::desc("Judge for this GPU (see 'warpwise profiles list')"),
        cl::cat(optionCategory()), cl::sub(checkCommand()),
        cl::sub(lspCommand()), cl::sub(accessesCommand()),
        cl::sub(reuseCommand()));

static cl::opt<std::string>
    ProfileFile("profile", cl::value_desc("file"),
                cl::desc("Judge by this device profile (a file or a name)"),
                cl::cat(optionCategory()), cl::sub(checkCommand()),
                cl::sub(lspCommand()), cl::sub(accessesCommand()),
                cl::sub(reuseCommand()));

static cl::list<std::string>
    Blocks("block", cl::value_desc("kernel=32x8"),
           cl::desc("Block shape of the kernels whose name matches a glob"),
           cl::cat(optionCategory()), cl::sub(checkCommand()),
           cl::sub(lspCommand()), cl::sub(accessesCommand()));

static cl::list<std::string> Buffers(
    "buffer", cl::value_desc("in=iota"),
    cl::desc("Contents of the memory behind a pointer argument, where "
             "addresses depend on them: zeros, iota, random or sorted with "
             ",count=N, or file:PATH"),
    cl::cat(optionCategory()), cl::sub(checkCommand()), cl::sub(lspCommand()),
    cl::sub(accessesCommand()), cl::sub(reuseCommand()));

static cl::opt<std::string>
    ProgramArguments("program-args", cl::value_desc("\"-n 1024\""),
                     cl::desc("The program's command line, where launches "
                              "depend on it (default: none that is known; for "
                              "'reuse' none)"),
                     cl::cat(optionCategory()), cl::sub(checkCommand()),
                     cl::sub(lspCommand()), cl::sub(accessesCommand()),
                     cl::sub(reuseCommand()));

static cl::opt<std::string>
    CudaPath("cuda-path", cl::value_desc("dir"),
             cl::desc("CUDA toolkit to take the headers from; none: use the "
                      "headers that are built in"),
             cl::cat(optionCategory()), cl::sub(checkCommand()),
             cl::sub(lspCommand()), cl::sub(accessesCommand()),
             cl::sub(reuseCommand()), cl::sub(commandsCommand()));

static cl::opt<bool>
    NoNvcc("no-nvcc",
           cl::desc("Do not ask the toolkit's nvcc about private arrays and, "
                    "for 'reuse', registers"),
           cl::cat(optionCategory()), cl::sub(checkCommand()),
           cl::sub(accessesCommand()), cl::sub(reuseCommand()));

static cl::opt<unsigned>
    TimeLimit("time-limit", cl::value_desc("seconds"),
              cl::desc("Give a file up, or a kernel of 'reuse', after this CPU "
                       "time; 0: never (default: 120, or 3600)"),
              cl::cat(optionCategory()), cl::sub(checkCommand()),
              cl::sub(lspCommand()), cl::sub(accessesCommand()),
              cl::sub(reuseCommand()));

static cl::opt<unsigned>
    MemoryLimit("memory-limit", cl::value_desc("MiB"), cl::init(4096),
                cl::desc("Give a file up, or a kernel of 'reuse', that needs "
                         "more memory; 0: never"),
                cl::cat(optionCategory()), cl::sub(checkCommand()),
                cl::sub(lspCommand()), cl::sub(accessesCommand()),
                cl::sub(reuseCommand()));

static cl::opt<bool> Quiet("quiet",
                           cl::desc("Print results and errors, nothing else"),
                           cl::cat(optionCategory()), cl::sub(checkCommand()),
                           cl::sub(accessesCommand()), cl::sub(reuseCommand()));

static cl::opt<unsigned>
    Jobs("jobs", cl::value_desc("n"),
         cl::desc("Files to analyse at a time (default: all cores)"),
         cl::cat(optionCategory()), cl::sub(checkCommand()),
         cl::sub(lspCommand()), cl::sub(accessesCommand()),
         cl::sub(reuseCommand()));
static cl::alias JobsShort("j", cl::aliasopt(Jobs), cl::desc("Same as --jobs"),
                           cl::cat(optionCategory()));

/// What stands after "--", for the compiler; unset when there is no "--".
static std::optional<std::vector<std::string>> ExtraArguments;

static std::vector<std::string> ParsedArguments;

const std::vector<std::string> &parsedArguments() { return ParsedArguments; }

llvm::StringRef version() { return WARPWISE_VERSION; }

static void printVersion(llvm::raw_ostream &Out) {
  Out << "warpwise " << version() << " (Clang " WARPWISE_CLANG_VERSION ")\n";
}

/// LLVM's complaint in the form of our own errors, its suggestions as notes.
/// Empty for a wrong value, which LLVM has already complained about.
static void printUsageError(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.trim().split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (size_t I = 0; I < Lines.size(); ++I) {
    Lines[I].consume_front("warpwise: ");
    std::string Sentence = Lines[I].take_front(1).lower();
    Sentence += Lines[I].drop_front(1);
    if (I == 0)
      printError(Sentence);
    else
      printNote(Sentence);
  }
}

llvm::Error checkUnambiguous(const char *const *Argv) {
  // Without arguments there is not even a name of the program.
  for (size_t I = 1; Argv[0] && Argv[I]; ++I) {
    const llvm::StringRef Word = Argv[I];
    if (Word == "--") // what follows is the compiler's
      return llvm::Error::success();
    // LLVM takes "@file" for a file of more arguments.
    const bool IsOption = Word.starts_with("-") && Word != "-";
    struct stat Status;
    if ((IsOption || Word.starts_with("@")) && ::lstat(Argv[I], &Status) == 0)
      return llvm::createStringError(
          fmt::format("'{}' is a file here, but reads as an option; the file "
                      "is './{}', and the option works from another folder",
                      Word.str(), Word.str()));
  }
  return llvm::Error::success();
}

/// Options of check that make no sense for a cluster: what they look at is
/// this machine's, or the job has its own.
constexpr llvm::StringLiteral NotForClusters[] = {
    "incremental", "what-if", "verify-config",
    "dump-config", "depfile", "ninja"};

/// Gives cluster-check the options of check.
static void shareOptionsOfCheck() {
  cl::SubCommand &To = clusterCheckCommand();
  if (!To.PositionalOpts.empty())
    return; // it has them
  for (const auto &[Name, Option] : cl::getRegisteredOptions(checkCommand()))
    if (!llvm::is_contained(NotForClusters, Name))
      To.OptionsMap.try_emplace(Name, Option);
  To.PositionalOpts = checkCommand().PositionalOpts;
}

std::vector<std::string> checkOptionsGiven() {
  std::vector<std::string> Given;
  for (const auto &[Name, Option] : cl::getRegisteredOptions(checkCommand()))
    if (Option->getNumOccurrences() != 0 &&
        llvm::is_contained(Option->Categories, &optionCategory()))
      Given.push_back((Name.size() == 1 ? "-" : "--") + Name.str());
  for (const cl::Option *Option : checkCommand().PositionalOpts)
    if (Option->getNumOccurrences() != 0)
      Given.push_back("FILE");
  llvm::sort(Given);
  return Given;
}

std::vector<std::string>
checkArguments(llvm::ArrayRef<llvm::StringRef> Without) {
  const auto &Known = cl::getRegisteredOptions(checkCommand());
  std::vector<std::string> Taken;
  // The first is the command.
  for (size_t I = 1; I < ParsedArguments.size(); ++I) {
    const llvm::StringRef Word = ParsedArguments[I];
    if (Word == "--")
      break;
    if (!Word.starts_with("-") || Word == "-")
      continue; // a file
    const auto [Name, Value] = Word.ltrim('-').split('=');
    const auto At = Known.find(Name);
    const bool HasNext =
        At != Known.end() && !Word.contains('=') &&
        At->second->getValueExpectedFlag() == cl::ValueRequired;
    const bool IsWanted = !llvm::is_contained(Without, Name);
    for (size_t Last = I + HasNext; I <= Last; ++I)
      if (IsWanted && I < ParsedArguments.size())
        Taken.push_back(ParsedArguments[I]);
    --I;
  }
  return Taken;
}

bool parseAgain(const std::vector<std::string> &Arguments) {
  cl::ResetAllOptionOccurrences();
  ExtraArguments.reset();
  std::vector<const char *> Argv = {"warpwise"};
  for (const std::string &Each : Arguments)
    Argv.push_back(Each.c_str());
  return parseCommandLine(int(Argv.size()), Argv.data());
}

/// LLVM knows commands of one word.
static bool joinWords(llvm::SmallVector<const char *> &Arguments) {
  if (Arguments.size() < 2 || Arguments[1] != llvm::StringRef("cluster"))
    return true;
  const llvm::StringRef Second = Arguments.size() > 2 ? Arguments[2] : "";
  for (const cl::SubCommand *Command :
       {&clusterCheckCommand(), &clusterProfileCommand(),
        &clusterTaskCommand()})
    if (Command->getName() == "cluster-" + Second.str()) {
      Arguments.erase(Arguments.begin() + 1);
      Arguments[1] = Command->getName().data();
      return true;
    }
  printError("'warpwise cluster' needs one of check, profile and task; each "
             "has its --help");
  return false;
}

bool parseCommandLine(int Argc, const char *const *Argv) {
  llvm::SmallVector<const char *> Own(Argv, Argv + Argc);
  shareOptionsOfCheck();
  auto *End = std::find(Own.begin(), Own.end(), llvm::StringRef("--"));
  if (End != Own.end()) {
    ExtraArguments.emplace(End + 1, Own.end());
    Own.erase(End, Own.end());
  }
  // Not the path it was started by: that would be repeated in every usage line.
  Own[0] = "warpwise";
  if (!joinWords(Own))
    return false;
  ParsedArguments.assign(Own.begin() + 1, Own.end());
  if (ExtraArguments) {
    ParsedArguments.push_back("--");
    ParsedArguments.insert(ParsedArguments.end(), ExtraArguments->begin(),
                           ExtraArguments->end());
  }
  std::vector<cl::SubCommand *> All = allCommands();
  All.push_back(&cl::SubCommand::getTopLevel());
  for (cl::SubCommand *Command : All) {
    cl::HideUnrelatedOptions(optionCategory(), *Command);
    for (llvm::StringRef Generic : {"help-list", "help-list-hidden"})
      cl::getRegisteredOptions(*Command)[Generic]->setHiddenFlag(
          cl::ReallyHidden);
  }
  cl::SetVersionPrinter(printVersion);
  std::string Problem;
  llvm::raw_string_ostream Stream(Problem);
  if (cl::ParseCommandLineOptions(
          Own.size(), Own.data(),
          "Predicts what each memory access of a CUDA kernel costs a warp.\n",
          &Stream))
    return true;
  printUsageError(Problem);
  return false;
}

/// A job of a cluster has some of the machine's.
static unsigned coresToUse() {
  unsigned Given = 0;
  if (const char *Text = std::getenv("SLURM_CPUS_ON_NODE");
      Text && llvm::to_integer(llvm::StringRef(Text), Given, 10) && Given != 0)
    return Given;
  return std::max(1u, std::thread::hardware_concurrency());
}

/// As a shell would split \p Line.
static std::vector<std::string> wordsOf(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Line, Saver, Words);
  return {Words.begin(), Words.end()};
}

llvm::Expected<AnalysisOptions> analysisOptions() {
  AnalysisOptions Options;
  Options.Database = Database;
  Options.Gpu = Gpu;
  Options.ProfileFile = ProfileFile;
  Options.CudaPath = CudaPath;
  if (ExtraArguments) {
    Options.ExtraArguments = *ExtraArguments;
    Options.SearchDatabase = false;
  }
  Options.UseNvcc = !NoNvcc;
  if (TimeLimit.getNumOccurrences() != 0)
    Options.TimeLimit = TimeLimit;
  Options.MemoryLimit = MemoryLimit;
  Options.Quiet = Quiet;
  Options.Jobs = Jobs ? Jobs : coresToUse();
  if (!Gpu.empty() && !ProfileFile.empty())
    return llvm::createStringError("--gpu and --profile exclude each other");
  if (ProgramArguments.getNumOccurrences() != 0)
    Options.ProgramArguments = wordsOf(ProgramArguments);
  for (const std::string &Text : Blocks) {
    llvm::Expected<BlockOverride> Block = parseBlock(Text);
    if (!Block)
      return Block.takeError();
    Options.Blocks.push_back(std::move(*Block));
  }
  for (const std::string &Text : Buffers) {
    llvm::Expected<reuse::Buffer> Buffer = reuse::parseBuffer(Text);
    if (!Buffer)
      return Buffer.takeError();
    Options.Buffers.push_back(std::move(*Buffer));
  }
  return Options;
}

} // namespace warpwise::tool
