//===- AccessesCommand.cpp - warpwise accesses ----------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/output/accesses/AccessJson.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::opt<std::string> File(cl::Positional,
                                 cl::desc("<file> [-- compiler flags]"),
                                 cl::cat(optionCategory()),
                                 cl::sub(accessesCommand()));

static cl::opt<std::string> Output("output", cl::value_desc("file"),
                                   cl::desc("Write the document to a file"),
                                   cl::cat(optionCategory()),
                                   cl::sub(accessesCommand()));

static llvm::Expected<Session> open() {
  if (File.empty())
    return llvm::createStringError(
        "no file given; see 'warpwise accesses --help'");
  if (llvm::sys::fs::is_directory(File))
    return llvm::createStringError("'" + File +
                                   "' is a folder; one file is "
                                   "needed");
  return openSession({File}, {.OnePerFile = true});
}

/// The kernels that do not compile, as skipped ones: the document names every
/// kernel of the file.
static void addDropped(access::Model &Model,
                       const std::vector<frontend::DroppedFunction> &Dropped) {
  for (const frontend::DroppedFunction &F : Dropped) {
    bool Listed = llvm::any_of(Model.Kernels, [&](const access::Kernel &K) {
      return K.Mangled == F.Mangled;
    });
    if (!F.IsKernel || Listed)
      continue;
    access::Kernel Skipped;
    Skipped.Name = Skipped.Template = F.Name;
    Skipped.Mangled = F.Mangled;
    Skipped.Where = F.Where;
    Skipped.State = access::Status::Skipped;
    Skipped.Reason = F.Cause.Message;
    Model.Kernels.push_back(std::move(Skipped));
  }
}

int runAccesses() {
  llvm::Expected<Session> S = open();
  if (!S) {
    printError(S.takeError());
    return ExitError;
  }
  const price::KnownRates Rates = price::ratesOf(S->Device);
  SessionResult Result =
      analyzeSession(*S, [&Rates](const pipeline::AnalyzeResult &Result) {
        access::Model Complete = Result.Result;
        addDropped(Complete, Result.Dropped);
        std::string Document;
        llvm::raw_string_ostream Out(Document);
        output::writeAccesses(Complete, Rates, Out);
        return llvm::json::Value(std::move(Document));
      });
  std::optional<llvm::StringRef> Document =
      Result.Reports.front().Payload.getAsString();
  if (!Document)
    return ExitError;
  // A kernel that does not compile stands in the document as skipped, so this
  // is a success all the same.
  bool Written =
      writeResult(Output, [&](llvm::raw_ostream &Out) { Out << *Document; });
  return Written ? ExitDone : ExitError;
}

} // namespace warpwise::tool
