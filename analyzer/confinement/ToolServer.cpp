//===- ToolServer.cpp - Programs for processes that start none ------------===//

#include "analyzer/confinement/ToolServer.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwise::confinement {
namespace {

using llvm::StringRef;

struct Request {
  uint64_t Number = 0; ///< of the tool
  uint64_t Bytes = 0;  ///< of the input, which follows
};

struct Reply {
  int64_t Status = 0;
  uint64_t Failed = 0; ///< what follows is why the tool did not run
  uint64_t Bytes = 0;
};

/// PTX of the largest units is a tenth of that.
constexpr uint64_t MostInput = uint64_t(1) << 30;
constexpr uint64_t MostOutput = uint64_t(64) << 20;
constexpr int ToolsInput = 3, ToolsScratch = 4;

bool sendAll(int Socket, StringRef Text) {
  while (!Text.empty()) {
    const ssize_t Sent = ::send(Socket, Text.data(), Text.size(), MSG_NOSIGNAL);
    if (Sent < 0 && errno == EINTR)
      continue;
    if (Sent <= 0)
      return false;
    Text = Text.drop_front(size_t(Sent));
  }
  return true;
}

bool receiveAll(int Socket, char *Into, size_t Bytes) {
  while (Bytes != 0) {
    const ssize_t Count = ::recv(Socket, Into, Bytes, 0);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Into += Count;
    Bytes -= size_t(Count);
  }
  return true;
}

template <typename T> StringRef bytesOf(const T &Value) {
  return {reinterpret_cast<const char *>(&Value), sizeof Value};
}

template <typename T> bool receive(int Socket, T &Value) {
  return receiveAll(Socket, reinterpret_cast<char *>(&Value), sizeof Value);
}

llvm::Error failure(const llvm::Twine &What) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), What);
}

struct File {
  int Number = -1;
  explicit File(int Number = -1) : Number(Number) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() { close(); }
  void close() {
    if (Number >= 0)
      ::close(Number);
    Number = -1;
  }
};

/// The child's side: becomes the program.
[[noreturn]] void become(const Tool &What, int Input, int Scratch, int Output,
                         pid_t Parent) {
  // All that the program starts ends with it, and it with whoever waits.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(127);
  constexpr rlim_t MostMemory = rlim_t(8) << 30;
  const rlimit Core = {0, 0}, Cpu = {What.Seconds, What.Seconds + 1},
               Memory = {MostMemory, MostMemory};
  ::setrlimit(RLIMIT_AS, &Memory);
  ::setrlimit(RLIMIT_CORE, &Core);
  ::setrlimit(RLIMIT_CPU, &Cpu);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  // First out of the way, so that none is overwritten by another.
  constexpr int Away = 16;
  const int From[] = {::fcntl(Input, F_DUPFD, Away),
                      ::fcntl(Scratch, F_DUPFD, Away),
                      ::fcntl(Output, F_DUPFD, Away),
                      ::fcntl(::open("/dev/null", O_RDONLY), F_DUPFD, Away)};
  ::dup2(From[0], ToolsInput);
  ::dup2(From[1], ToolsScratch);
  ::dup2(From[2], STDOUT_FILENO);
  ::dup2(From[2], STDERR_FILENO);
  ::dup2(From[3], STDIN_FILENO);
  ::syscall(SYS_close_range, ToolsScratch + 1, ~0u, 0);
  std::vector<char *> Words{const_cast<char *>(What.Program.c_str())};
  for (const std::string &Argument : What.Arguments)
    Words.push_back(const_cast<char *>(Argument.c_str()));
  Words.push_back(nullptr);
  ::execv(What.Program.c_str(), Words.data());
  ::_exit(127);
}

/// Runs the program in this process's name. \p Client: a connection at whose
/// end the program ends too; -1 for none.
llvm::Expected<ToolAnswer> run(const Tool &What, StringRef Input, int Client) {
  File In(::memfd_create("warpwise-input", 0));
  File Scratch(::memfd_create("warpwise-scratch", 0));
  int Ends[2] = {-1, -1};
  if (In.Number < 0 || Scratch.Number < 0 || ::pipe2(Ends, O_CLOEXEC) != 0)
    return failure(std::strerror(errno));
  File Read(Ends[0]), Write(Ends[1]);
  for (StringRef Rest = Input; !Rest.empty();) {
    const ssize_t Written = ::write(In.Number, Rest.data(), Rest.size());
    if (Written <= 0)
      return failure(std::strerror(errno));
    Rest = Rest.drop_front(size_t(Written));
  }
  ::lseek(In.Number, 0, SEEK_SET);
  const pid_t Parent = ::getpid();
  const pid_t Child = ::fork();
  if (Child == 0)
    become(What, In.Number, Scratch.Number, Write.Number, Parent);
  if (Child < 0)
    return failure(std::strerror(errno));
  ::setpgid(Child, Child); // whoever of the two is first
  Write.close();

  using Clock = std::chrono::steady_clock;
  const auto Deadline = Clock::now() + std::chrono::seconds(3 * What.Seconds);
  ToolAnswer Answer;
  bool Late = false, Unwanted = false;
  for (char Buffer[1 << 16];;) {
    // A client has nothing to say now; what can be read is its end.
    pollfd Files[] = {{Read.Number, POLLIN, 0}, {Client, POLLRDHUP, 0}};
    const auto Left =
        std::chrono::ceil<std::chrono::milliseconds>(Deadline - Clock::now());
    const int Ready = ::poll(Files, 2, int(std::max<int64_t>(0, Left.count())));
    if (Ready < 0 && errno == EINTR)
      continue;
    Late = Ready == 0;
    Unwanted = Files[1].revents != 0;
    if (Late || Unwanted || Ready < 0)
      break;
    const ssize_t Count = ::read(Read.Number, Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      break;
    if (Answer.Output.size() < MostOutput)
      Answer.Output.append(Buffer, size_t(Count));
  }
  // Whatever it left behind in its group goes, too.
  if (Late || Unwanted)
    ::kill(-Child, SIGKILL);
  int Status = 0;
  while (::waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    continue;
  ::kill(-Child, SIGKILL);
  if (Late)
    return failure("took too long");
  constexpr int CannotStart = 127;
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == CannotStart)
    return failure("does not start");
  Answer.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
  return Answer;
}

/// Answers one client until it is gone.
[[noreturn]] void serve(int Client, const std::vector<Tool> &Tools) {
  Request Wanted;
  std::string Input;
  while (receive(Client, Wanted) && Wanted.Number < Tools.size() &&
         Wanted.Bytes <= MostInput) {
    Input.resize(Wanted.Bytes);
    if (!receiveAll(Client, Input.data(), Input.size()))
      break;
    llvm::Expected<ToolAnswer> Answer =
        run(Tools[Wanted.Number], Input, Client);
    Reply Begin;
    std::string Text;
    if (Answer) {
      Begin.Status = Answer->Status;
      Text = std::move(Answer->Output);
    } else {
      Begin.Failed = 1;
      Text = llvm::toString(Answer.takeError());
    }
    Begin.Bytes = Text.size();
    if (!sendAll(Client, bytesOf(Begin)) || !sendAll(Client, Text))
      break;
  }
  ::_exit(0);
}

/// The file that came over \p Control; -1 at its end.
int receiveFile(int Control) {
  char Byte = 0;
  iovec Part = {&Byte, 1};
  alignas(cmsghdr) char Space[CMSG_SPACE(sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Part;
  Message.msg_iovlen = 1;
  Message.msg_control = Space;
  Message.msg_controllen = sizeof Space;
  ssize_t Count = 0;
  while ((Count = ::recvmsg(Control, &Message, MSG_CMSG_CLOEXEC)) < 0 &&
         errno == EINTR)
    continue;
  const cmsghdr *Header = Count > 0 ? CMSG_FIRSTHDR(&Message) : nullptr;
  int Number = -1;
  if (Header && Header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&Number, CMSG_DATA(Header), sizeof Number);
  return Number;
}

bool sendFile(int Control, int Number) {
  char Byte = 0;
  iovec Part = {&Byte, 1};
  alignas(cmsghdr) char Space[CMSG_SPACE(sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Part;
  Message.msg_iovlen = 1;
  Message.msg_control = Space;
  Message.msg_controllen = sizeof Space;
  cmsghdr *Header = CMSG_FIRSTHDR(&Message);
  Header->cmsg_level = SOL_SOCKET;
  Header->cmsg_type = SCM_RIGHTS;
  Header->cmsg_len = CMSG_LEN(sizeof Number);
  std::memcpy(CMSG_DATA(Header), &Number, sizeof Number);
  ssize_t Count = 0;
  while ((Count = ::sendmsg(Control, &Message, MSG_NOSIGNAL)) < 0 &&
         errno == EINTR)
    continue;
  return Count > 0;
}

/// The server: takes connections, and forks for each that asks for something.
[[noreturn]] void serveAll(int Control, const std::vector<Tool> &Tools,
                           pid_t Parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGCHLD, SIG_IGN); // nobody waits for those who answer
  std::vector<int> Clients;
  while (::getppid() == Parent) {
    std::vector<pollfd> Files{{Control, POLLIN, 0}};
    for (int Client : Clients)
      Files.push_back({Client, POLLIN, 0});
    if (::poll(Files.data(), Files.size(), -1) < 0) {
      if (errno == EINTR)
        continue;
      break;
    }
    std::vector<int> Silent;
    for (size_t N = 0; N != Clients.size(); ++N) {
      if (Files[N + 1].revents == 0) {
        Silent.push_back(Clients[N]);
        continue;
      }
      char Byte = 0;
      const bool Asks = ::recv(Clients[N], &Byte, 1, MSG_PEEK) > 0;
      if (Asks && ::fork() == 0) {
        // Not with the server, but when the client is gone: it has to end what
        // the program has started.
        ::prctl(PR_SET_PDEATHSIG, 0);
        ::signal(SIGCHLD, SIG_DFL);
        ::close(Control);
        for (int Other : Clients)
          if (Other != Clients[N])
            ::close(Other);
        serve(Clients[N], Tools);
      }
      ::close(Clients[N]);
    }
    Clients = std::move(Silent);
    if (Files[0].revents == 0)
      continue;
    const int Client = receiveFile(Control);
    if (Client < 0)
      break;
    Clients.push_back(Client);
  }
  ::_exit(0);
}

/// Where runTool() asks.
struct Asked {
  bool Confined = false;
  int Connection = -1;
  std::vector<Tool> Tools;
};
Asked Server;

} // namespace

llvm::Expected<ToolServer> ToolServer::start(std::vector<Tool> Tools) {
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Ends) != 0)
    return failure(std::strerror(errno));
  ToolServer Made;
  Made.Tools = std::move(Tools);
  const pid_t Parent = ::getpid();
  Made.Process = ::fork();
  if (Made.Process == 0) {
    ::close(Ends[0]);
    serveAll(Ends[1], Made.Tools, Parent);
  }
  ::close(Ends[1]);
  Made.Control = Ends[0];
  if (Made.Process < 0)
    return failure(std::strerror(errno));
  return std::move(Made);
}

ToolServer::ToolServer(ToolServer &&Other)
    : Tools(std::move(Other.Tools)), Control(std::exchange(Other.Control, -1)),
      Process(std::exchange(Other.Process, -1)) {}

ToolServer::~ToolServer() {
  if (Control >= 0)
    ::close(Control);
  if (Process <= 0)
    return;
  ::kill(Process, SIGKILL);
  while (::waitpid(Process, nullptr, 0) < 0 && errno == EINTR)
    continue;
}

int ToolServer::connect() const {
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return -1;
  const bool Sent = sendFile(Control, Ends[1]);
  ::close(Ends[1]);
  if (Sent)
    return Ends[0];
  ::close(Ends[0]);
  return -1;
}

void askToolServer(int Connection, std::vector<Tool> Tools) {
  Server = {true, Connection, std::move(Tools)};
}

llvm::Expected<ToolAnswer> runTool(const Tool &What, StringRef Input) {
  if (!Server.Confined)
    return run(What, Input, /*Client=*/-1);
  const auto Known = llvm::find(Server.Tools, What);
  if (Known == Server.Tools.end())
    return failure("is not among the programs that may run");
  const Request Wanted = {uint64_t(Known - Server.Tools.begin()), Input.size()};
  Reply Begin;
  std::string Text;
  bool Good = sendAll(Server.Connection, bytesOf(Wanted)) &&
              sendAll(Server.Connection, Input) &&
              receive(Server.Connection, Begin) &&
              Begin.Bytes <= MostOutput * 2;
  if (Good) {
    Text.resize(Begin.Bytes);
    Good = receiveAll(Server.Connection, Text.data(), Text.size());
  }
  if (!Good)
    return failure("cannot be asked");
  if (Begin.Failed)
    return failure(Text);
  return ToolAnswer{int(Begin.Status), std::move(Text)};
}

} // namespace warpwise::confinement
