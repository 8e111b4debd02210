//===- ReuseCommand.cpp - warpwise reuse ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/Messages.h"
#include "analyzer/tool/ProfileChoice.h"
#include "analyzer/tool/ReuseKernels.h"
#include "analyzer/tool/SourceFiles.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace warpwise::tool {

/// Prints what is wrong with the launches, writes the results. Returns the exit
/// status.
static int report(const Session &S, const ReuseRequest &R,
                  const std::set<std::string> &Opened,
                  std::vector<ReuseOfKernel> Answers) {
  bool Failed = false;
  output::ReuseReport Report;
  Report.Run = R.Run;
  Report.Source = readOpened(Opened);
  Report.WorkingDirectory = workingDirectory();
  for (ReuseOfKernel &A : Answers) {
    if (!A.Note.empty() && !S.Options.Quiet)
      printNote(A.Note);
    for (const std::string &Problem : A.Problems)
      printError(Problem);
    Failed |= !A.Problems.empty();
    for (llvm::json::Value &Launch : A.Launches)
      Report.Launches.push_back(std::move(Launch));
    Report.Texts.push_back(std::move(A.Text));
  }
  const bool Written = writeResult(R.Output, [&](llvm::raw_ostream &Out) {
    R.Format->Write(std::move(Report), Out);
  });
  return Failed || !Written ? ExitError : ExitDone;
}

namespace {

/// What the process of the unit finds out.
struct UnitAnswer {
  std::vector<std::string> Notes;
  std::vector<std::string> Files; ///< see ReuseUnit
  std::vector<ReuseOfKernel> Kernels;
  std::string Error; ///< one sentence, then the others are empty
};

} // namespace

static llvm::json::Value toJSON(const UnitAnswer &A) {
  llvm::json::Array Kernels;
  for (const ReuseOfKernel &Kernel : A.Kernels)
    Kernels.push_back(toJSON(Kernel));
  return llvm::json::Object{{"notes", llvm::json::Array(A.Notes)},
                            {"files", llvm::json::Array(A.Files)},
                            {"kernels", std::move(Kernels)},
                            {"error", A.Error}};
}

static bool fromJSON(const llvm::json::Value &From, UnitAnswer &Into,
                     llvm::json::Path Path) {
  llvm::json::ObjectMapper Map(From, Path);
  return Map && Map.map("notes", Into.Notes) && Map.map("files", Into.Files) &&
         Map.map("kernels", Into.Kernels) && Map.map("error", Into.Error);
}

/// Runs in the unit's process: parses it and has its kernels modelled, in
/// processes that this one starts.
static UnitAnswer answer(const Session &S, const ReuseRequest &R,
                         const nvcc::ResourceTable &Resources) {
  UnitAnswer Result;
  llvm::Expected<std::unique_ptr<ReuseUnit>> U =
      parseReuseUnit(S, R.Hosts, Resources);
  if (!U) {
    Result.Error = llvm::toString(U.takeError());
    return Result;
  }
  auto Kernels = modelKernels(S, R, **U, Resources);
  if (!Kernels) {
    Result.Error = llvm::toString(Kernels.takeError());
    return Result;
  }
  Result.Kernels = std::move(*Kernels);
  Result.Notes = (*U)->Notes;
  Result.Files.assign((*U)->Files.begin(), (*U)->Files.end());
  for (const std::string &Header : (*U)->Device->Parsed.MissingHeaders)
    Result.Notes.push_back(fmt::format("header '{}' was not found", Header));
  return Result;
}

/// What nvcc says of the unit's kernels. Without it no more than blocks on an
/// SM and private arrays are guessed.
static nvcc::ResourceTable askCompiler(const Session &S) {
  std::optional<nvcc::Nvcc> Compiler = compilerOf(S);
  if (!Compiler)
    return {};
  Compiler->ask(0, S.From.Units.front());
  nvcc::Answer Says = std::move(Compiler->takeAnswers()[0]);
  if (!Says.Problem.empty() && !S.Options.Quiet)
    printNote(fmt::format("{}: registers are not known, and private arrays are "
                          "taken to be where Clang would have them",
                          Says.Problem));
  return std::move(Says.Kernels);
}

static llvm::Expected<UnitAnswer> askUnit(const Session &S,
                                          const ReuseRequest &R) {
  sayIfNotConfined(S);
  const nvcc::ResourceTable Resources = askCompiler(S);
  PoolOptions Pool = poolOptions(S.Options, SecondsOfKernel);
  Pool.Level = confinement::Level::WithChildren;
  const Outcome O = runTasks({[&] {
                               std::string Text;
                               llvm::raw_string_ostream(Text)
                                   << toJSON(answer(S, R, Resources));
                               return Text;
                             }},
                             Pool, [](size_t) {})
                        .front();
  if (O.How != Outcome::Kind::Finished)
    return llvm::createStringError(
        describeFailure(displayPath(R.File), O, Pool));
  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(O.Output);
  llvm::json::Path::Root Root("answer");
  UnitAnswer Answer;
  if (!Value)
    return Value.takeError();
  if (!fromJSON(*Value, Answer, Root))
    return Root.getError();
  if (!Answer.Error.empty())
    return llvm::createStringError(Answer.Error);
  return Answer;
}

static llvm::Expected<int> runOn(const Session &S, const std::string &File) {
  llvm::Expected<ReuseRequest> R = readReuseRequest(S, File);
  if (!R)
    return R.takeError();
  if (!S.Options.Quiet) {
    printNote(stateProfile(S.Device));
    if (R->Borrowed != 0)
      printNote(
          fmt::format("{} parameters of its caches are not known and taken "
                      "from an H200; --set=help lists them",
                      R->Borrowed));
    for (const std::string &Note : S.From.Notes)
      printNote(Note);
  }
  llvm::Expected<UnitAnswer> Answer = askUnit(S, *R);
  if (!Answer)
    return Answer.takeError();
  if (!S.Options.Quiet)
    for (const std::string &Note : Answer->Notes)
      printNote(Note);
  return report(S, *R, {Answer->Files.begin(), Answer->Files.end()},
                std::move(Answer->Kernels));
}

int runReuse() {
  const auto run = []() -> llvm::Expected<int> {
    if (wantsCacheOptions())
      return listCacheOptions();
    llvm::Expected<std::string> File = reuseFile();
    if (!File)
      return File.takeError();
    llvm::Expected<Session> S = openSession({*File}, {.OnePerFile = true});
    if (!S)
      return S.takeError();
    return runOn(*S, *File);
  };
  llvm::Expected<int> Status = run();
  if (Status)
    return *Status;
  printError(Status.takeError());
  return ExitError;
}

} // namespace warpwise::tool
