//===- Looking.cpp - The process of a document ----------------------------===//

#include "analyzer/lsp/Looking.h"

#include <fmt/format.h>

#include <poll.h>
#include <sys/wait.h>

namespace warpwise::lsp {

namespace json = llvm::json;

json::Value stopLooking() { return "stop"; }

static json::Value staleMessage() { return "stale"; }

bool isStale(const json::Value &Message) { return Message == staleMessage(); }

std::string describeEnd(confinement::Process &Which) {
  const std::string Words = Which.lastWords();
  const int Status = Which.end();
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == confinement::NoMemory)
    return "needs more memory than it may have (--memory-limit)";
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == confinement::NoStack)
    return "ran out of stack";
  const std::string Signal =
      WIFSIGNALED(Status) ? fmt::format(" (signal {})", WTERMSIG(Status)) : "";
  return fmt::format("crashed{}{}{}", Signal, Words.empty() ? "" : ": ", Words);
}

namespace {

class Loop {
public:
  Loop(Channel &Server, Analyst &Knows, uint64_t MemoryLimit)
      : Server(Server), Knows(Knows), MemoryLimit(MemoryLimit) {}

  void run() {
    while (true) {
      pollfd Files[] = {{Server.socket(), Server.events(), 0},
                        {isLooking() ? Child.socket() : -1, POLLIN, 0}};
      if (::poll(Files, 2, -1) < 0)
        continue;
      if (Files[1].revents)
        relay();
      if (!Server.transfer() || !receive())
        return;
    }
  }

private:
  Channel &Server;
  Analyst &Knows;
  uint64_t MemoryLimit;
  confinement::Process Child;
  Channel Its;
  int64_t Version = 0; ///< that the child looks at

  bool isLooking() const { return Child.isRunning(); }

  /// Takes what has arrived, of which the last counts; false when this process
  /// cannot answer it.
  bool receive() {
    std::optional<json::Value> Last;
    while (auto Message = Server.next())
      Last = std::move(Message);
    if (!Last)
      return true;
    Child.end();
    Question Asked;
    json::Path::Root Root("question");
    if (!fromJSON(*Last, Asked, Root)) // or nothing is asked any more
      return true;
    if (!Knows.prepare(Asked)) {
      Server.send(staleMessage());
      Server.flush();
      return false;
    }
    Version = Asked.Version;
    Child = confinement::Process::start(
        {confinement::Level::WithChildren, MemoryLimit},
        [&](const confinement::Inside &Mine) {
          Channel Up(Mine.Socket);
          Knows.answer(Asked, [&](const Answer &Part) {
            Up.send(toJSON(Part));
            Up.flush();
          });
        });
    Its = Channel(Child.socket());
    if (!isLooking())
      fail("cannot start a process for it: " + Child.lastWords());
    return true;
  }

  /// Hands on what the child says.
  void relay() {
    const bool IsThere = Its.transfer();
    bool WasLast = false;
    while (auto Part = Its.next()) {
      const json::Object *Object = Part->getAsObject();
      WasLast |= Object && Object->getBoolean("last").value_or(false);
      Server.send(*Part);
    }
    if (WasLast)
      Child.end();
    else if (!IsThere)
      fail("the analysis " + describeEnd(Child));
  }

  void fail(std::string Why) {
    Answer None;
    None.Version = Version;
    None.Problem = std::move(Why);
    None.IsLast = true;
    Server.send(toJSON(None));
  }
};

} // namespace

void lookForEver(Channel &Server, Analyst &Knows, uint64_t MemoryLimit) {
  Loop(Server, Knows, MemoryLimit).run();
}

} // namespace warpwise::lsp
