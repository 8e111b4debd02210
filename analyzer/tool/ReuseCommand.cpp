//===- ReuseCommand.cpp - warpwise reuse ----------------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/output/ReuseHtml.h"
#include "analyzer/output/ReuseJson.h"
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
  const bool Written = writeResult(R.Output, [&](llvm::raw_ostream &Out) {
    if (R.Format != ReuseFormat::Text) {
      llvm::json::Object Document =
          output::reuseDocument(R.Run, std::move(Launches));
      if (R.Format == ReuseFormat::Json)
        return output::writeReuse(std::move(Document), Out);
      Out << output::reuseHtml(Document, readOpened(Opened),
                               workingDirectory());
      return;
    }
    for (const KernelAnswer &A : Answers)
      Out << A.Text;
  });
  return Failed || !Written ? 1 : 0;
}

static llvm::Expected<int> runOn(const Session &S, const std::string &File) {
  llvm::Expected<ReuseRequest> R = readReuseRequest(S, File);
  if (!R)
    return R.takeError();
  if (!S.Options.Quiet) {
    printNote(stateProfile(S.Device));
    for (const std::string &Note : S.From.Notes)
      printNote(Note);
  }
  llvm::Expected<std::unique_ptr<ReuseUnit>> U = parseReuseUnit(S, R->Program);
  if (!U)
    return U.takeError();
  if (!S.Options.Quiet) {
    for (const std::string &Note : (*U)->Notes)
      printNote(Note);
    for (const std::string &Header : (*U)->Parsed.MissingHeaders)
      printNote(fmt::format("header '{}' was not found", Header));
  }
  auto Answers = modelKernels(S, *R, **U);
  if (!Answers)
    return Answers.takeError();
  return report(S, *R, (*U)->Files, std::move(*Answers));
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
  return 1;
}

} // namespace warpwise::tool
