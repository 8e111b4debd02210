//===- ConfinementTest.cpp - What a confined process cannot do ------------===//
//
// Each attempt is made in a process of its own, once free and once confined.
// Free, it has to succeed, or else the test would prove nothing.
//
//===----------------------------------------------------------------------===//

#include "analyzer/confinement/Confinement.h"

#include "gtest/gtest.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warpwise::confinement;

namespace {

enum : int { Succeeded = 0, Refused = 1, FailedOtherwise = 2 };

/// How a process ends that runs \p Body.
int statusOf(const std::function<int()> &Body) {
  const pid_t Child = ::fork();
  if (Child == 0)
    ::_exit(Body());
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -WTERMSIG(Status);
}

/// What became of a call that returns -1 and sets errno.
int outcome(long Result) {
  if (Result >= 0)
    return Succeeded;
  return errno == EPERM || errno == ENOSYS ? Refused : FailedOtherwise;
}

struct Attempt {
  const char *Name;
  /// In a folder of its own.
  std::function<int()> Do;
  /// A process WithChildren needs it.
  bool ForChildren = false;
  /// Not even a free process may do it everywhere (containers, not root).
  bool MayFailFree = false;
};

std::vector<Attempt> attempts() {
  const auto open = [](const char *Path, int Flags) {
    return outcome(::open(Path, Flags, 0600));
  };
  std::vector<Attempt> All = {
      {"execve",
       [] {
         // Has to end well where it succeeds.
         char *const Words[] = {const_cast<char *>("true"), nullptr};
         char *const None[] = {nullptr};
         return outcome(::execve("/bin/true", Words, None));
       }},
      {"execveat",
       [] {
         char *const Words[] = {const_cast<char *>("true"), nullptr};
         char *const None[] = {nullptr};
         return outcome(
             ::syscall(SYS_execveat, AT_FDCWD, "/bin/true", Words, None, 0));
       }},
      {"system",
       [] { return std::system("exit 0") == 0 ? Succeeded : Refused; }},
      {"fork",
       [] {
         const pid_t Child = ::fork();
         if (Child == 0)
           ::_exit(0);
         return outcome(Child);
       },
       /*ForChildren=*/true},
      {"clone into namespaces",
       [] {
         const long Child =
             ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
         if (Child == 0)
           ::_exit(0);
         return outcome(Child);
       },
       false, /*MayFailFree=*/true},
      {"unshare", [] { return outcome(::syscall(SYS_unshare, CLONE_NEWUSER)); },
       false, true},
      {"open for writing", [=] { return open("there", O_WRONLY); }},
      {"open for both", [=] { return open("there", O_RDWR); }},
      {"create", [=] { return open("new", O_RDONLY | O_CREAT); }},
      {"creat", [] { return outcome(::creat("new", 0600)); }},
      {"truncate", [] { return outcome(::truncate("there", 0)); }},
      {"open truncating", [=] { return open("there", O_RDONLY | O_TRUNC); }},
      {"unlink", [] { return outcome(::unlink("there")); }},
      {"rename", [] { return outcome(::rename("there", "new")); }},
      {"link", [] { return outcome(::link("there", "new")); }},
      {"symlink", [] { return outcome(::symlink("there", "new")); }},
      {"mkdir", [] { return outcome(::mkdir("new", 0700)); }},
      {"mkfifo", [] { return outcome(::mkfifo("new", 0600)); }},
      {"chmod", [] { return outcome(::chmod("there", 0777)); }},
      {"chown", [] { return outcome(::chown("there", ::getuid(), -1)); }},
      {"utimes",
       [] { return outcome(::utimensat(AT_FDCWD, "there", nullptr, 0)); }},
      {"socket", [] { return outcome(::socket(AF_INET, SOCK_STREAM, 0)); }},
      {"a datagram socket",
       [] { return outcome(::socket(AF_INET, SOCK_DGRAM, 0)); }},
      {"a local socket",
       [] { return outcome(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
      {"ptrace", [] { return outcome(::ptrace(PTRACE_TRACEME, 0, 0, 0)); }},
      {"process_vm_readv",
       [] {
         char Byte = 0, Other = 1;
         const iovec To = {&Byte, 1}, From = {&Other, 1};
         return outcome(::process_vm_readv(::getpid(), &To, 1, &From, 1, 0));
       }},
      {"kill of the parent", [] { return outcome(::kill(::getppid(), 0)); },
       /*ForChildren=*/true},
      {"shmget",
       [] { return outcome(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }},
      {"a terminal's input",
       [] {
         char Letter = 'x';
         const int Terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
         if (Terminal < 0)
           return outcome(Terminal);
         return outcome(::ioctl(Terminal, TIOCSTI, &Letter));
       },
       false, true},
      {"io_uring",
       [] {
         char Parameters[256] = {};
         return outcome(::syscall(SYS_io_uring_setup, 1, Parameters));
       },
       false, true},
      {"bpf",
       [] {
         char Attributes[128] = {};
         return outcome(::syscall(SYS_bpf, 0, Attributes, sizeof Attributes));
       },
       false, true},
      {"userfaultfd", [] { return outcome(::syscall(SYS_userfaultfd, 0)); },
       false, true},
      {"setuid", [] { return outcome(::setuid(::getuid())); }},
      {"more files",
       [] {
         rlimit Limit = {};
         ::getrlimit(RLIMIT_NOFILE, &Limit);
         return outcome(::setrlimit(RLIMIT_NOFILE, &Limit));
       },
       /*ForChildren=*/true},
      {"mount",
       [] { return outcome(::syscall(SYS_mount, "none", "/", 0, 0, 0)); },
       false, true},
  };
  return All;
}

class Folder {
  std::filesystem::path Path;

public:
  Folder() {
    std::string Name = std::filesystem::temp_directory_path() / "confineXXXXXX";
    Path = ::mkdtemp(Name.data());
  }
  ~Folder() { std::filesystem::remove_all(Path); }
  void enter() const {
    if (::chdir(Path.c_str()) != 0)
      ::_exit(FailedOtherwise);
    ::close(::open("there", O_WRONLY | O_CREAT, 0600));
  }
};

int attempt(const Attempt &A, std::optional<Level> To) {
  const Folder Place;
  return statusOf([&] {
    Place.enter();
    if (To && !confine(*To))
      return int(FailedOtherwise);
    return A.Do();
  });
}

TEST(Confinement, IsAvailableHere) {
  ASSERT_TRUE(isAvailable()) << "the other tests would prove nothing";
}

TEST(Confinement, AFreeProcessCanDoAllThat) {
  for (const Attempt &A : attempts())
    if (!A.MayFailFree) {
      EXPECT_EQ(attempt(A, std::nullopt), Succeeded) << A.Name;
    }
}

TEST(Confinement, AConfinedProcessCannot) {
  for (const Attempt &A : attempts())
    EXPECT_EQ(attempt(A, Level::Alone), Refused) << A.Name;
}

TEST(Confinement, WithChildrenItStillStartsNoProgram) {
  for (const Attempt &A : attempts())
    EXPECT_EQ(attempt(A, Level::WithChildren),
              A.ForChildren ? Succeeded : Refused)
        << A.Name;
}

TEST(Confinement, ItsChildrenCannotEither) {
  for (const Attempt &A : attempts()) {
    const Folder Place;
    EXPECT_EQ(statusOf([&] {
                Place.enter();
                if (!confine(Level::WithChildren))
                  return int(FailedOtherwise);
                return statusOf([&] {
                  return confine(Level::Alone) ? A.Do() : int(FailedOtherwise);
                });
              }),
              Refused)
        << A.Name;
  }
}

TEST(Confinement, ItCannotGainPrivileges) {
  EXPECT_EQ(statusOf([] {
              confine(Level::Alone);
              return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : 1;
            }),
            0);
}

TEST(Confinement, WhatAnAnalysisNeedsGoesOn) {
  EXPECT_EQ(statusOf([] {
              if (!confine(Level::Alone))
                return 1;
              const int File = ::open("/proc/self/maps", O_RDONLY);
              char Buffer[64];
              if (File < 0 || ::read(File, Buffer, sizeof Buffer) <= 0)
                return 2;
              int Answer = 0;
              std::thread([&] { Answer = 1; }).join();
              if (Answer != 1)
                return 3;
              const int Memory = ::memfd_create("memory", 0);
              if (Memory < 0 || ::ftruncate(Memory, 4096) != 0)
                return 4;
              // Code that was just made has to run.
              void *Code = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              if (Code == MAP_FAILED ||
                  ::mprotect(Code, 4096, PROT_READ | PROT_EXEC) != 0)
                return 5;
              return 0;
            }),
            0);
}

TEST(Confinement, AnAbortIsStillOne) {
  for (Level To : {Level::Alone, Level::WithChildren})
    EXPECT_EQ(statusOf([&]() -> int {
                confine(To);
                std::abort();
              }),
              -SIGABRT);
}

TEST(Confinement, InheritedFilesAreClosed) {
  int Ends[2], Kept[2];
  ASSERT_EQ(::pipe(Ends), 0);
  ASSERT_EQ(::pipe(Kept), 0);
  EXPECT_EQ(statusOf([&] {
              closeInheritedFiles({Kept[1], -1});
              if (::fcntl(Ends[1], F_GETFD) >= 0 ||
                  ::fcntl(Kept[0], F_GETFD) >= 0)
                return 1;
              return ::fcntl(Kept[1], F_GETFD) >= 0 ? 0 : 2;
            }),
            0);
}

#ifndef __SANITIZE_ADDRESS__
#if !defined(__has_feature) || !__has_feature(address_sanitizer)

TEST(Confinement, MemoryEndsWithAStatus) {
  constexpr uint64_t Limit = 64 << 20;
  EXPECT_EQ(statusOf([] {
              exitInsteadOfCrashing();
              limitMemory(Limit, Level::Alone);
              std::vector<char> Much(2 * Limit);
              return int(static_cast<volatile char &>(Much[Limit]));
            }),
            NoMemory);
}

[[gnu::noinline]] static int nest(volatile char *Outer) {
  volatile char Own[1024];
  Own[0] = Outer[0];
  return Own[0] == 0 ? 0 : nest(Own) + Own[0];
}

TEST(Confinement, AStackEndsWithAStatus) {
  EXPECT_EQ(statusOf([] {
              exitInsteadOfCrashing();
              volatile char First = 1;
              return nest(&First);
            }),
            NoStack);
}

TEST(Confinement, OtherFaultsStayCrashes) {
  EXPECT_EQ(statusOf([] {
              exitInsteadOfCrashing();
              volatile char *Nowhere = reinterpret_cast<char *>(64);
              return int(*Nowhere);
            }),
            -SIGSEGV);
}

#endif
#endif

} // namespace
