//===- Document.cpp - What the server knows of an open document -----------===//

#include "analyzer/lsp/Document.h"

#include "analyzer/lsp/Looking.h"

#include <fmt/format.h>

#include <cassert>

namespace warpwise::lsp {

namespace json = llvm::json;

bool Document::ask(const Question &Asked, const MakeAnalyst &Make,
                   uint64_t MemoryLimit) {
  assert(!isAsked() && "one question at a time");
  if (!Process.isRunning()) {
    Process = confinement::Process::start(
        {confinement::Level::WithChildren, MemoryLimit},
        [&](const confinement::Inside &Mine) {
          Channel Server(Mine.Socket);
          lookForEver(Server, *Make(), MemoryLimit);
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
    if (isStale(*Message)) {
      forget();
      Due = Clock::now(); // asks another process
      return All;
    }
    Answer Part;
    json::Path::Root Root("answer");
    if (!fromJSON(*Message, Part, Root)) {
      Part = failed("the analysis gave no readable result");
      forget();
    }
    // Of a question that is outdated there may still be some on the way.
    if (Part.Version != AskedVersion)
      continue;
    if (Part.IsLast)
      Since.reset();
    All.push_back(std::move(Part));
  }
  if (IsThere || !Process.isRunning())
    return All;
  const bool WasAsked = isAsked();
  const std::string How = describeEnd(Process);
  forget();
  if (WasAsked)
    All.push_back(failed("the analysis " + How));
  return All;
}

void Document::outdate(Clock::time_point LookAgain) {
  Due = LookAgain;
  Has = Known::Nothing;
  if (!isAsked())
    return;
  Talk.send(stopLooking());
  Talk.transfer();
  Since.reset();
}

void Document::forget() {
  Process.end();
  Talk = Channel();
  Since.reset();
}

} // namespace warpwise::lsp
