//===- ReuseCommand.cpp - warpwise reuse ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/output/ReuseHtml.h"
#include "analyzer/output/ReuseJson.h"
#include "analyzer/output/ReuseText.h"
#include "analyzer/reuse/launches/ModelKernel.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/ReuseUnit.h"
#include "analyzer/tool/Session.h"
#include "analyzer/tool/SourceFiles.h"
#include "analyzer/tool/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>

#include <set>

namespace cl = llvm::cl;

namespace warpwise::tool {

/// The file, and what follows --explore: "--explore l1.ways=4,8 l1.index=xor".
static cl::list<std::string> Words(cl::Positional,
                                   cl::desc("<file> [-- compiler flags]"),
                                   cl::cat(optionCategory()),
                                   cl::sub(reuseCommand()));

static cl::list<std::string>
    Kernels("kernel", cl::value_desc("glob"),
            cl::desc("Only the kernels whose name matches"),
            cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<std::string>
    Launch("launch", cl::value_desc("grid=32x32,block=16x16"),
           cl::desc("Shape of the launch, where the source does not tell, and "
                    "shared=BYTES of dynamic shared memory"),
           cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::list<std::string> Arguments("arg", cl::value_desc("n=4096"),
                                       cl::desc("Value of a kernel's argument"),
                                       cl::cat(optionCategory()),
                                       cl::sub(reuseCommand()));

static cl::list<std::string>
    Buffers("buffer", cl::value_desc("in=iota"),
            cl::desc("Contents of the memory behind a pointer argument, where "
                     "addresses depend on them: zeros, iota or random with "
                     ",count=N, or file:PATH"),
            cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<std::string>
    Invocations("invocation", cl::value_desc("1,64"),
                cl::desc("Which launches of a kernel that is launched in a "
                         "loop (default: first, middle and last)"),
                cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::list<std::string>
    HostSources("host", cl::value_desc("main.cpp"),
                cl::desc("Another file of the program, with host code that "
                         "leads to the launches (default: found in the compile "
                         "database or beside the file)"),
                cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<std::string>
    ProgramArguments("program-args", cl::value_desc("\"-n 1024\""),
                     cl::desc("The program's command line, where launches "
                              "depend on it (default: no arguments)"),
                     cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::list<std::string>
    Settings("set", cl::value_desc("l1.ways=8"),
             cl::desc("A parameter of the caches; --set=help lists them"),
             cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::list<std::string>
    Explore("explore", cl::value_desc("l1.ways=4,8 l1.capacity=64K,128K"),
            cl::desc("Also try these values of parameters, in all "
                     "combinations; can be given several times"),
            cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<std::string>
    Samples("samples", cl::value_desc("all|accesses=50M,waves=2,sms=8"),
            cl::desc("How much of a large launch is simulated"),
            cl::init("auto"), cl::cat(optionCategory()),
            cl::sub(reuseCommand()));

static cl::opt<bool>
    Curves("curves",
           cl::desc("Also give reuse distances and hit ratios by capacity"),
           cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<unsigned> TimeLimit("time-limit", cl::value_desc("seconds"),
                                   cl::init(3600),
                                   cl::desc("Give a kernel up after this time"),
                                   cl::cat(optionCategory()),
                                   cl::sub(reuseCommand()));

enum class Format { Text, Json, Html };
static cl::opt<Format> OutputFormat(
    "format", cl::desc("Form of the results"),
    cl::values(clEnumValN(Format::Text, "text", "tables"),
               clEnumValN(Format::Json, "json", "for programs"),
               clEnumValN(Format::Html, "html", "one page with charts")),
    cl::init(Format::Text), cl::cat(optionCategory()), cl::sub(reuseCommand()));

static cl::opt<std::string> Output("output", cl::value_desc("file"),
                                   cl::desc("Write the results to a file"),
                                   cl::cat(optionCategory()),
                                   cl::sub(reuseCommand()));

namespace {

/// Applies \p Parse to each text and appends what it returns.
template <typename T>
llvm::Error parseAll(const std::vector<std::string> &Texts,
                     llvm::Expected<T> (*Parse)(llvm::StringRef),
                     std::vector<T> &Into) {
  for (const std::string &Text : Texts) {
    llvm::Expected<T> One = Parse(Text);
    if (!One)
      return One.takeError();
    Into.push_back(std::move(*One));
  }
  return llvm::Error::success();
}

std::string File; ///< one of Words

/// What the options ask for, as far as it does not depend on the file.
struct Request {
  reuse::ReuseRun Run;
  reuse::ModelSettings Settings;
  std::vector<llvm::GlobPattern> Kernels; ///< none: all
};

llvm::Error readUserInput(reuse::UserInput &Into) {
  if (!Launch.empty()) {
    llvm::Expected<reuse::ShapeInput> Shape = reuse::parseShape(Launch);
    if (!Shape)
      return Shape.takeError();
    Into.Shape = *Shape;
  }
  if (!Invocations.empty()) {
    auto Numbers = reuse::parseInvocations(Invocations);
    if (!Numbers)
      return Numbers.takeError();
    Into.Invocations = std::move(*Numbers);
  }
  if (llvm::Error Problem =
          parseAll(Arguments, reuse::parseArgument, Into.Arguments))
    return Problem;
  return parseAll(Buffers, reuse::parseBuffer, Into.Buffers);
}

llvm::Error readCaches(const profile::Profile &Device, Request &Into) {
  reuse::CacheOptions &Caches = Into.Settings.Caches;
  Caches = reuse::optionsFromProfile(Device);
  for (const std::string &Text : Settings) {
    const auto [Name, Value] = llvm::StringRef(Text).split('=');
    if (std::string Wrong = reuse::set(Caches, Name, Value); !Wrong.empty())
      return llvm::createStringError(Wrong);
  }
  if (std::string Wrong = reuse::validate(Caches); !Wrong.empty())
    return llvm::createStringError(Wrong);
  if (llvm::Error Problem = parseAll(Explore, reuse::parseAxis, Into.Run.Axes))
    return Problem;
  if (!Into.Run.Axes.empty()) {
    auto Variants = reuse::crossProduct(Caches, Into.Run.Axes);
    if (!Variants)
      return Variants.takeError();
    Into.Settings.Variants = std::move(*Variants);
  }
  Into.Run.Caches = Caches;
  return llvm::Error::success();
}

llvm::Expected<Request> readRequest(const Session &S) {
  Request Result;
  Result.Run.File = S.From.Units.front().File;
  Result.Run.Profile = S.Device.Name;
  if (llvm::Error Problem = readUserInput(Result.Settings.User))
    return std::move(Problem);
  if (llvm::Error Problem = readCaches(S.Device, Result))
    return std::move(Problem);
  llvm::Expected<reuse::SampleSettings> Sampling = reuse::parseSamples(Samples);
  if (!Sampling)
    return Sampling.takeError();
  Result.Settings.Simulation.Sampling = *Sampling;
  Result.Settings.Simulation.ReuseDistances = Curves;
  for (const std::string &Text : Kernels) {
    llvm::Expected<llvm::GlobPattern> Glob = llvm::GlobPattern::create(Text);
    if (!Glob)
      return llvm::createStringError(
          fmt::format("'--kernel={}' is not a glob: {}", Text,
                      llvm::toString(Glob.takeError())));
    Result.Kernels.push_back(std::move(*Glob));
  }
  return Result;
}

/// What a kernel's process sends back.
struct KernelAnswer {
  llvm::json::Array Launches;
  std::string Text, Note;
  std::vector<std::string> Problems; ///< of launches that are not modelled
  std::set<std::string> Names;
};

llvm::json::Value toJSON(const reuse::KernelReports &Reports,
                         const Request &R) {
  llvm::json::Array Launches, Problems;
  std::string Text;
  const std::string Folder = workingDirectory();
  for (const reuse::LaunchReport &Report : Reports.Launches) {
    Launches.push_back(output::reuseLaunch(Report, R.Run.Axes));
    if (OutputFormat == Format::Text)
      Text += output::reuseText(Report, R.Run.Axes, Folder) + "\n";
    if (Report.State == reuse::LaunchReport::Status::NotModelled)
      Problems.push_back(Report.Reason);
  }
  return llvm::json::Object{{"launches", std::move(Launches)},
                            {"text", std::move(Text)},
                            {"note", Reports.Note},
                            {"problems", std::move(Problems)},
                            {"names", llvm::json::Array(Reports.Names)}};
}

bool fromJSON(llvm::json::Value &From, KernelAnswer &Into,
              llvm::json::Path Path) {
  std::vector<std::string> Names;
  llvm::json::ObjectMapper Map(From, Path);
  if (!Map || !Map.map("text", Into.Text) || !Map.map("note", Into.Note) ||
      !Map.map("problems", Into.Problems) || !Map.map("names", Names))
    return false;
  Into.Names.insert(Names.begin(), Names.end());
  if (llvm::json::Array *Launches = From.getAsObject()->getArray("launches"))
    Into.Launches = std::move(*Launches);
  return true;
}

/// One kernel that could not be modelled at all.
KernelAnswer failure(const std::string &Kernel, const std::string &Mangled,
                     const std::string &Reason, const Request &R) {
  reuse::LaunchReport Report;
  Report.Kernel = Kernel;
  Report.Mangled = Mangled;
  Report.Reason = Reason;
  KernelAnswer Answer;
  Answer.Launches.push_back(output::reuseLaunch(Report, R.Run.Axes));
  Answer.Text = output::reuseText(Report, R.Run.Axes, "") + "\n";
  Answer.Problems.push_back(Reason);
  return Answer;
}

class Command {
public:
  Command(const Session &S, const Request &R, ReuseUnit &U)
      : S(S), R(R), U(U) {}

  llvm::Expected<std::vector<KernelAnswer>> run();

private:
  const Session &S;
  const Request &R;
  ReuseUnit &U;

  bool isChosen(llvm::StringRef Name) const;
  std::vector<reuse::KernelWork> chooseKernels() const;
  std::string answer(const reuse::KernelWork &Work) const;
  void addDropped(std::vector<KernelAnswer> &Answers) const;
};

} // namespace

bool Command::isChosen(llvm::StringRef Name) const {
  llvm::StringRef Plain = Name.take_until([](char C) { return C == '('; });
  Plain = Plain.take_until([](char C) { return C == '<'; });
  if (const size_t Space = Plain.rfind(' '); Space != llvm::StringRef::npos)
    Plain = Plain.drop_front(Space + 1);
  return R.Kernels.empty() ||
         llvm::any_of(R.Kernels, [&](const llvm::GlobPattern &Glob) {
           return Glob.match(Plain) || Glob.match(Name);
         });
}

std::vector<reuse::KernelWork> Command::chooseKernels() const {
  std::vector<reuse::KernelWork> Works;
  if (!U.Parsed.Module)
    return Works;
  for (const llvm::Function *F : lowering::kernelsOf(*U.Parsed.Module)) {
    reuse::KernelWork Work;
    Work.Symbol = F->getName().str();
    Work.Mangled = linkerName(Work.Symbol);
    Work.Kernel = llvm::demangle(Work.Mangled);
    if (!isChosen(Work.Kernel))
      continue;
    for (const launch::Launch &L : U.Launches)
      if (linkerName(L.Mangled) == Work.Mangled)
        Work.Known.Seen.push_back(L);
    Work.Known.Allocations = U.Allocations;
    Work.Ptxas = findPtxas(S.Options);
    Work.Arch = S.From.Units.front().AnalysedArch;
    Works.push_back(std::move(Work));
  }
  return Works;
}

/// Runs in the kernel's process.
std::string Command::answer(const reuse::KernelWork &Work) const {
  const reuse::KernelReports Reports =
      reuse::modelKernel(*U.Parsed.Module, *U.Machine, Work, R.Settings);
  if (Reports.WroteMemory)
    leaveProcessAfterTask();
  std::string Text;
  llvm::raw_string_ostream(Text) << toJSON(Reports, R);
  return Text;
}

/// The kernels that do not compile: the document names every kernel.
void Command::addDropped(std::vector<KernelAnswer> &Answers) const {
  for (const frontend::DroppedFunction &F : U.Parsed.Dropped)
    if (F.IsKernel && isChosen(F.Name))
      Answers.push_back(failure(F.Name, F.Mangled,
                                fmt::format("kernel '{}' does not compile: {}",
                                            F.Name, F.Cause.Message),
                                R));
}

llvm::Expected<std::vector<KernelAnswer>> Command::run() {
  const std::vector<reuse::KernelWork> Works = chooseKernels();
  std::vector<Work> Tasks;
  for (const reuse::KernelWork &W : Works)
    Tasks.push_back([this, &W] { return answer(W); });
  PoolOptions Pool;
  Pool.Jobs = S.Options.Jobs;
  Pool.TimeLimit = std::chrono::seconds(TimeLimit);
  Pool.KeepProcesses = true;
  Progress Shown(Works.size(), S.Options.Quiet);
  const std::vector<Outcome> Outcomes = runTasks(
      Tasks, Pool, [&](size_t Index) { Shown.step(Works[Index].Kernel); });
  std::vector<KernelAnswer> Answers;
  for (size_t I = 0; I != Works.size(); ++I) {
    const Outcome &O = Outcomes[I];
    if (O.How != Outcome::Kind::Finished) {
      Answers.push_back(failure(Works[I].Kernel, Works[I].Mangled,
                                describeFailure(Works[I].Kernel, O, Pool), R));
      continue;
    }
    llvm::Expected<llvm::json::Value> Value = llvm::json::parse(O.Output);
    llvm::json::Path::Root Root("answer");
    KernelAnswer Answer;
    if (!Value || !fromJSON(*Value, Answer, Root)) {
      const std::string Why =
          llvm::toString(Value ? Root.getError() : Value.takeError());
      Answer = failure(Works[I].Kernel, Works[I].Mangled,
                       fmt::format("{}: the analysis gave no result: {}",
                                   Works[I].Kernel, Why),
                       R);
    }
    Answers.push_back(std::move(Answer));
  }
  addDropped(Answers);
  if (Answers.empty())
    return llvm::createStringError(
        Kernels.empty() ? fmt::format("'{}' has no kernel", File)
                        : fmt::format("no kernel of '{}' matches '{}'", File,
                                      llvm::join(Kernels, "' or '")));
  return Answers;
}

/// Tells the file and the axes after --explore apart.
static llvm::Error sortWords() {
  for (const std::string &Word : Words)
    if (!Explore.empty() && Word.find('=') != Word.npos &&
        !llvm::sys::fs::exists(Word))
      Explore.push_back(Word);
    else if (File.empty())
      File = Word;
    else
      return llvm::createStringError(fmt::format(
          "'{}' is one file too many; 'warpwise reuse' takes one", Word));
  return llvm::Error::success();
}

static llvm::Expected<Session> open() {
  if (llvm::Error Problem = sortWords())
    return std::move(Problem);
  if (File.empty())
    return llvm::createStringError(
        "no file given; see 'warpwise reuse --help'");
  if (llvm::sys::fs::is_directory(File))
    return llvm::createStringError("'" + File +
                                   "' is a folder; one file is needed");
  return openSession({File});
}

/// An --arg or --buffer that no kernel has is a typing error.
static llvm::Error checkNames(const Request &R,
                              const std::vector<KernelAnswer> &Answers) {
  std::set<std::string> Known;
  for (const KernelAnswer &A : Answers)
    Known.insert(A.Names.begin(), A.Names.end());
  if (Known.empty())
    return llvm::Error::success();
  const auto missing = [&](const char *Option, const std::string &Name) {
    return llvm::createStringError(
        fmt::format("--{} {}: no kernel that is modelled has an argument or "
                    "variable of this name",
                    Option, Name));
  };
  for (const reuse::ArgumentInput &A : R.Settings.User.Arguments)
    if (!Known.count(A.Name))
      return missing("arg", A.Name);
  for (const reuse::Buffer &B : R.Settings.User.Buffers)
    if (!Known.count(B.Name))
      return missing("buffer", B.Name);
  return llvm::Error::success();
}

/// The parameters with their values for the profile that was named, or the
/// usual one.
static llvm::Expected<int> listCacheOptions() {
  llvm::Expected<AnalysisOptions> Options = analysisOptions();
  if (!Options)
    return Options.takeError();
  llvm::Expected<std::optional<profile::Profile>> Named =
      namedProfile(Options->Gpu, Options->ProfileFile);
  if (!Named)
    return Named.takeError();
  const profile::Profile Device = *Named ? **Named : defaultProfile("");
  const reuse::CacheOptions Caches = reuse::optionsFromProfile(Device);
  std::string Text = stateProfile(Device) + "\n\n";
  Text += fmt::format("{:20} {:26} {:10} {}\n", "parameter", "value", "origin",
                      "meaning");
  for (const reuse::OptionInfo &Info : reuse::optionInfos()) {
    std::string Value = Info.Get(Caches);
    if (Value.empty())
      Value = "none";
    if (Value.size() > 26)
      Value = Value.substr(0, 23) + "...";
    Text +=
        fmt::format("{:20} {:26} {:10} {} ({})\n", Info.Name, Value,
                    reuse::originOf(Caches, Info.Name), Info.Help, Info.Values);
  }
  return writeResult(Output, [&](llvm::raw_ostream &Out) { Out << Text; }) ? 0
                                                                           : 1;
}

/// Prints what is wrong with the launches, writes the results. Returns the exit
/// status.
static int report(const Session &S, const Request &R,
                  std::vector<KernelAnswer> Answers) {
  bool Failed = false;
  llvm::json::Array Launches;
  for (KernelAnswer &A : Answers) {
    if (!A.Note.empty() && !S.Options.Quiet)
      printNote(A.Note);
    for (const std::string &Problem : A.Problems)
      printError(Problem);
    Failed |= !A.Problems.empty();
    for (llvm::json::Value &Launch : A.Launches)
      Launches.push_back(std::move(Launch));
  }
  const bool Written = writeResult(Output, [&](llvm::raw_ostream &Out) {
    if (OutputFormat != Format::Text) {
      llvm::json::Object Document =
          output::reuseDocument(R.Run, std::move(Launches));
      if (OutputFormat == Format::Json)
        return output::writeReuse(std::move(Document), Out);
      Out << output::reuseHtml(Document, readSource, workingDirectory());
      return;
    }
    for (const KernelAnswer &A : Answers)
      Out << A.Text;
  });
  return Failed || !Written ? 1 : 0;
}

static llvm::Expected<int> runOn(const Session &S) {
  llvm::Expected<Request> R = readRequest(S);
  if (!R)
    return R.takeError();
  if (!S.Options.Quiet) {
    printNote(stateProfile(S.Device));
    for (const std::string &Note : S.From.Notes)
      printNote(Note);
  }
  llvm::Expected<std::unique_ptr<ReuseUnit>> U = parseReuseUnit(
      S, {{HostSources.begin(), HostSources.end()}, ProgramArguments});
  if (!U)
    return U.takeError();
  if (!S.Options.Quiet)
    for (const std::string &Note : (*U)->Notes)
      printNote(Note);
  if (!S.Options.Quiet)
    for (const std::string &Header : (*U)->Parsed.MissingHeaders)
      printNote(fmt::format("header '{}' was not found", Header));
  auto Answers = Command(S, *R, **U).run();
  if (!Answers)
    return Answers.takeError();
  if (llvm::Error Problem = checkNames(*R, *Answers))
    return std::move(Problem);
  return report(S, *R, std::move(*Answers));
}

int runReuse() {
  const auto run = []() -> llvm::Expected<int> {
    if (llvm::is_contained(Settings, "help"))
      return listCacheOptions();
    llvm::Expected<Session> S = open();
    if (!S)
      return S.takeError();
    return runOn(*S);
  };
  llvm::Expected<int> Status = run();
  if (Status)
    return *Status;
  printError(Status.takeError());
  return 1;
}

} // namespace warpwise::tool
