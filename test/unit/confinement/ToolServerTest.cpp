//===- ToolServerTest.cpp - Programs for processes that start none --------===//

#include "analyzer/confinement/ToolServer.h"
#include "analyzer/confinement/Confinement.h"

#include "gtest/gtest.h"

#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpwise::confinement;
using namespace std::chrono_literals;

namespace {

Tool shell(const std::string &Script, unsigned Seconds = 5) {
  return {"/bin/sh", {"-c", Script}, Seconds};
}

/// The exit status of a confined process that runs \p Body.
int inConfinement(const ToolServer &Server, const std::function<int()> &Body) {
  const int Connection = Server.connect();
  const pid_t Child = ::fork();
  if (Child == 0) {
    askToolServer(Connection, Server.tools());
    ::_exit(confine(Level::Alone) ? Body() : 99);
  }
  ::close(Connection);
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
}

TEST(ToolServer, AnswersAConfinedProcess) {
  const Tool Reads = shell(std::string("cat ") + InputFile + "; exit 3");
  auto Server = llvm::cantFail(ToolServer::start({shell("exit 1"), Reads}));
  EXPECT_EQ(inConfinement(Server,
                          [&] {
                            const std::string Large(1 << 20, 'x');
                            for (const std::string &Text : {Large, Large}) {
                              auto Answer = runTool(Reads, Text);
                              if (!Answer || Answer->Status != 3 ||
                                  Answer->Output != Text)
                                return 1;
                            }
                            return 0;
                          }),
            0);
}

TEST(ToolServer, RunsNothingElse) {
  auto Server = llvm::cantFail(ToolServer::start({shell("exit 0")}));
  EXPECT_EQ(inConfinement(Server,
                          [&] {
                            auto Answer = runTool(shell("exit 3"), "");
                            return llvm::errorToBool(Answer.takeError()) ? 0
                                                                         : 1;
                          }),
            0);
}

TEST(ToolServer, AProgramThatIsNotThereIsAnError) {
  auto Server = llvm::cantFail(ToolServer::start({{"/no/such", {}}}));
  EXPECT_EQ(inConfinement(Server,
                          [&] {
                            auto Answer = runTool({"/no/such", {}}, "");
                            return llvm::toString(Answer.takeError()) ==
                                           "does not start"
                                       ? 0
                                       : 1;
                          }),
            0);
}

TEST(ToolServer, AProgramHasALimit) {
  const Tool Hangs = shell("sleep 60", 1);
  auto Server = llvm::cantFail(ToolServer::start({Hangs}));
  const auto Start = std::chrono::steady_clock::now();
  EXPECT_EQ(inConfinement(Server,
                          [&] {
                            auto Answer = runTool(Hangs, "");
                            return llvm::errorToBool(Answer.takeError()) ? 0
                                                                         : 1;
                          }),
            0);
  EXPECT_LT(std::chrono::steady_clock::now() - Start, 30s);
}

/// Whether the process that wrote its number to the end of \p Read is there.
bool isThere(pid_t Process) { return ::kill(Process, 0) == 0; }

TEST(ToolServer, NothingIsLeftWhenTheAskerDies) {
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  // Through a file that the shell opens: the server's own are closed.
  const std::string Fifo =
      "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(Ends[1]);
  // Two processes, of which one is not the server's child.
  const Tool Leaves = shell("sleep 77 & echo $! $$ >" + Fifo + "; wait");
  auto Server = llvm::cantFail(ToolServer::start({Leaves}));
  const int Connection = Server.connect();
  const pid_t Asker = ::fork();
  if (Asker == 0) {
    askToolServer(Connection, Server.tools());
    llvm::consumeError(runTool(Leaves, "").takeError());
    ::_exit(0);
  }
  ::close(Connection);
  char Text[64] = {};
  ASSERT_GT(::read(Ends[0], Text, sizeof Text - 1), 0);
  int First = 0, Second = 0;
  ASSERT_EQ(std::sscanf(Text, "%d %d", &First, &Second), 2);
  EXPECT_TRUE(isThere(First) && isThere(Second));
  ::kill(Asker, SIGKILL);
  ::waitpid(Asker, nullptr, 0);
  for (int N = 0; N != 100 && (isThere(First) || isThere(Second)); ++N)
    std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(isThere(First) || isThere(Second));
}

} // namespace
