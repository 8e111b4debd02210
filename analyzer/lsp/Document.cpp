//===- Document.cpp - What the server knows of an open document -----------===//

#include "analyzer/lsp/Document.h"

#include <fmt/format.h>

#include <sys/wait.h>

namespace warpwise::lsp {

namespace json = llvm::json;

/// The document's process: answers one question after the other.
static void answerAll(Channel &Server, Analyst &Knows) {
  while (auto Message = Server.wait()) {
    Question Asked;
    json::Path::Root Root("question");
    if (!fromJSON(*Message, Asked, Root))
      return;
    Knows.answer(Asked, [&](const Answer &Part) {
      Server.send(toJSON(Part));
      Server.flush();
    });
  }
}

bool Document::ask(const Question &Asked, const MakeAnalyst &Make,
                   uint64_t MemoryLimit) {
  if (!Process.isRunning()) {
    Process = confinement::Process::start(
        {confinement::Level::WithChildren, MemoryLimit},
        [&](const confinement::Inside &Mine) {
          Channel Server(Mine.Socket);
          answerAll(Server, *Make());
        });
    if (!Process.isRunning()) {
      Problem =
          fmt::format("cannot start a process for it: {}", Process.lastWords());
      return false;
    }
    Talk = Channel(Process.socket());
  }
  Talk.send(toJSON(Asked));
  Talk.transfer();
  Since = Clock::now();
  AskedVersion = Asked.Version;
  return true;
}

/// The answer that there is none.
Answer Document::failed(std::string Why) {
  Answer None;
  None.Version = AskedVersion;
  None.Problem = std::move(Why);
  None.IsLast = true;
  return None;
}

std::vector<Answer> Document::answers() {
  const bool IsThere = Talk.transfer();
  std::vector<Answer> All;
  while (auto Message = Talk.next()) {
    Answer Part;
    json::Path::Root Root("answer");
    if (!fromJSON(*Message, Part, Root)) {
      Part = failed("the analysis gave no readable result");
      cancel();
    }
    if (Part.IsLast)
      Since.reset();
    All.push_back(std::move(Part));
  }
  if (IsThere || !Process.isRunning())
    return All;
  const std::string Words = Process.lastWords();
  const int Status = Process.end();
  if (Since) {
    const std::string Signal =
        WIFSIGNALED(Status) ? fmt::format(" (signal {})", WTERMSIG(Status))
                            : "";
    All.push_back(failed(fmt::format("the analysis crashed{}{}{}", Signal,
                                     Words.empty() ? "" : ": ", Words)));
  }
  cancel();
  return All;
}

void Document::cancel() {
  Process.end();
  Talk = Channel();
  Since.reset();
}

} // namespace warpwise::lsp
