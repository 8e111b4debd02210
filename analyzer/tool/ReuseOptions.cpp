//===- ReuseOptions.cpp - The options of warpwise reuse -------------------===//

#include "analyzer/tool/ReuseOptions.h"

#include "analyzer/tool/Commands.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/reference/CommandTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

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

static cl::opt<const output::ReuseFormat *>
    Format("format", cl::desc("Form of the results"),
           FormatNames(output::reuseFormats()),
           cl::init(&output::reuseFormats().front()), cl::cat(optionCategory()),
           cl::sub(reuseCommand()));
static const KnownWords FormatWords(Format);

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
  return parseAll(Arguments, reuse::parseArgument, Into.Arguments);
}

llvm::Error readCaches(const profile::Profile &Device, ReuseRequest &Into) {
  reuse::CacheOptions &Caches = Into.Settings.Caches;
  Caches = reuse::optionsFromProfile(Device);
  for (const std::string &Text : Settings) {
    const auto [Name, Value] = llvm::StringRef(Text).split('=');
    if (std::string Wrong = reuse::set(Caches, Name, Value); !Wrong.empty())
      return llvm::createStringError(Wrong);
  }
  if (std::string Wrong = reuse::validate(Caches); !Wrong.empty())
    return llvm::createStringError(Wrong);
  Into.Borrowed = size_t(
      llvm::count_if(reuse::optionInfos(), [&](const reuse::OptionInfo &Info) {
        return reuse::originOf(Caches, Info.Name) == "H200";
      }));
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

} // namespace

llvm::Expected<std::string> reuseFile() {
  std::string File;
  for (const std::string &Word : Words)
    if (!Explore.empty() && Word.find('=') != Word.npos &&
        !llvm::sys::fs::exists(Word))
      Explore.push_back(Word);
    else if (File.empty())
      File = Word;
    else
      return llvm::createStringError(fmt::format(
          "'{}' is one file too many; 'warpwise reuse' takes one", Word));
  if (File.empty())
    return llvm::createStringError(
        "no file given; see 'warpwise reuse --help'");
  if (llvm::sys::fs::is_directory(File))
    return llvm::createStringError("'" + File +
                                   "' is a folder; one file is needed");
  return File;
}

llvm::Expected<ReuseRequest> readReuseRequest(const Session &S,
                                              const std::string &File) {
  ReuseRequest Result;
  Result.File = File;
  Result.Run.File = S.From.Units.front().File;
  Result.Run.Profile = S.Device.Name;
  Result.Hosts = {HostSources.begin(), HostSources.end()};
  Result.Format = Format;
  Result.Output = Output;
  if (llvm::Error Problem = readUserInput(Result.Settings.User))
    return std::move(Problem);
  Result.Settings.User.Buffers = S.Options.Buffers;
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
    Result.Kernels.push_back({Text, std::move(*Glob)});
  }
  return Result;
}

bool wantsCacheOptions() { return llvm::is_contained(Settings, "help"); }

llvm::Expected<int> listCacheOptions() {
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
  return writeResult(Output, [&](llvm::raw_ostream &Out) { Out << Text; })
             ? ExitDone
             : ExitError;
}

} // namespace warpwise::tool
