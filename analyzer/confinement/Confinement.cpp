//===- Confinement.cpp - A process that can do no harm --------------------===//

#include "analyzer/confinement/Confinement.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <linux/sched.h>
#include <new>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

// What a sanitizer keeps beside the memory takes a great part of the address
// space, and it has a handler of its own for the end of a stack.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPWISE_SANITIZED 1
#endif
#endif

namespace warpwise::confinement {
namespace {

/// Calls that read files, use memory and tell the time.
constexpr int Harmless[] = {
    // Files that are open.
    SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2),
    SCMP_SYS(dup3), SCMP_SYS(fadvise64), SCMP_SYS(fallocate), SCMP_SYS(flock),
    SCMP_SYS(fstat), SCMP_SYS(fstatfs), SCMP_SYS(fsync), SCMP_SYS(ftruncate),
    SCMP_SYS(getdents), SCMP_SYS(getdents64), SCMP_SYS(lseek),
    SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(pwrite64), SCMP_SYS(pwritev),
    SCMP_SYS(read), SCMP_SYS(readahead), SCMP_SYS(readv), SCMP_SYS(write),
    SCMP_SYS(writev),
    // What files there are.
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(getcwd), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(stat), SCMP_SYS(statfs), SCMP_SYS(statx),
    SCMP_SYS(chdir), SCMP_SYS(fchdir),
    // What the parent has opened to talk.
    SCMP_SYS(recvfrom), SCMP_SYS(shutdown), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6),
    // Memory; a file that is nothing but memory.
    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(membarrier),
    SCMP_SYS(memfd_create), SCMP_SYS(mincore), SCMP_SYS(mmap),
    SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(msync), SCMP_SYS(munmap),
    // Threads, which share all this, and signals.
    SCMP_SYS(arch_prctl), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex),
    SCMP_SYS(getcpu), SCMP_SYS(gettid), SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(sigaltstack),
    SCMP_SYS(pause),
    // Time, and who and where this is.
    SCMP_SYS(clock_getres), SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getegid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getpgrp),
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getrandom),
    SCMP_SYS(getrlimit), SCMP_SYS(getrusage), SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid), SCMP_SYS(nanosleep), SCMP_SYS(sysinfo), SCMP_SYS(time),
    SCMP_SYS(times), SCMP_SYS(uname)};

/// What it takes to have confined processes do something.
constexpr int ForChildren[] = {
    SCMP_SYS(fork),    SCMP_SYS(vfork),     SCMP_SYS(kill),
    SCMP_SYS(wait4),   SCMP_SYS(waitid),    SCMP_SYS(sendmsg),
    SCMP_SYS(seccomp), SCMP_SYS(setrlimit), SCMP_SYS(prlimit64)};

/// Flags with which a file is opened for more than reading.
constexpr uint64_t Writing =
    O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

constexpr uint64_t Namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                CLONE_NEWNET;

class Filter {
  scmp_filter_ctx Context;
  bool Good = true;

public:
  // A call that is not known here fails.
  Filter() : Context(::seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
    Good = Context && ::seccomp_attr_set(Context, SCMP_FLTATR_CTL_NNP, 1) == 0;
  }
  ~Filter() { ::seccomp_release(Context); }
  Filter(const Filter &) = delete;
  Filter &operator=(const Filter &) = delete;

  void allow(int Call) { add(SCMP_ACT_ALLOW, Call, {}); }
  void allow(int Call, scmp_arg_cmp When) { add(SCMP_ACT_ALLOW, Call, {When}); }
  /// The C library does something else then.
  void denyAsMissing(int Call) { add(SCMP_ACT_ERRNO(ENOSYS), Call, {}); }

  bool load() { return Good && ::seccomp_load(Context) == 0; }

private:
  void add(uint32_t Action, int Call, std::vector<scmp_arg_cmp> When) {
    // Calls that this architecture does not have are no problem.
    if (Good && Call >= 0)
      Good = ::seccomp_rule_add_array(Context, Action, Call, When.size(),
                                      When.data()) == 0;
  }
};

scmp_arg_cmp is(unsigned Argument, uint64_t Value) {
  return {Argument, SCMP_CMP_EQ, Value, 0};
}

scmp_arg_cmp hasBits(unsigned Argument, uint64_t Mask, uint64_t Value) {
  return {Argument, SCMP_CMP_MASKED_EQ, Mask, Value};
}

#ifndef WARPWISE_SANITIZED

constexpr size_t PageBytes = 4096;

uint64_t stackPointer(const void *Context) {
  const auto *Where = static_cast<const ucontext_t *>(Context);
#if defined(__x86_64__)
  return uint64_t(Where->uc_mcontext.gregs[REG_RSP]);
#else
  return Where->uc_mcontext.sp;
#endif
}

/// A fault near the stack's end is one that a larger stack would not have had.
void onFault(int Signal, siginfo_t *Info, void *Context) {
  constexpr uint64_t Near = 16 * PageBytes;
  const auto Address = reinterpret_cast<uint64_t>(Info->si_addr);
  if (Address - (stackPointer(Context) - Near) < 2 * Near)
    ::_exit(NoStack);
  ::signal(Signal, SIG_DFL); // and it happens again
}

#endif

} // namespace

void closeInheritedFiles(std::initializer_list<int> Kept) {
  const int Nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(Nothing, STDIN_FILENO);
  ::dup2(Nothing, STDOUT_FILENO);
  std::vector<int> Files(Kept);
  std::sort(Files.begin(), Files.end());
  unsigned Next = STDERR_FILENO + 1;
  for (int File : Files) {
    if (File < int(Next))
      continue;
    if (File > int(Next))
      ::syscall(SYS_close_range, Next, unsigned(File) - 1, 0);
    Next = unsigned(File) + 1;
  }
  ::syscall(SYS_close_range, Next, ~0u, 0);
}

void limitMemory(uint64_t Bytes, Level For) {
#ifndef WARPWISE_SANITIZED
  unsigned long Pages = 0;
  if (std::FILE *File = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(File, "%lu", &Pages) != 1)
      Pages = 0;
    std::fclose(File);
  }
  rlimit Limit = {};
  ::getrlimit(RLIMIT_AS, &Limit);
  const rlim_t Wanted =
      Bytes ? Pages * PageBytes + Bytes : rlim_t(RLIM_INFINITY);
  Limit.rlim_cur = std::min(Limit.rlim_max, Wanted);
  if (For == Level::Alone)
    Limit.rlim_max = Limit.rlim_cur;
  ::setrlimit(RLIMIT_AS, &Limit);
#endif
}

bool isAvailable() {
  uint32_t Action = SECCOMP_RET_ERRNO;
  constexpr unsigned GetActionAvailable = 2; // SECCOMP_GET_ACTION_AVAIL
  return ::syscall(SYS_seccomp, GetActionAvailable, 0, &Action) == 0;
}

bool confine(Level To) {
  const rlimit Nothing = {0, 0};
  ::setrlimit(RLIMIT_CORE, &Nothing);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  Filter F;
  for (int Call : Harmless)
    F.allow(Call);
  F.allow(SCMP_SYS(open), hasBits(1, Writing, 0));
  F.allow(SCMP_SYS(openat), hasBits(2, Writing, 0));
  F.denyAsMissing(SCMP_SYS(openat2));
  // To whom a connection leads already.
  F.allow(SCMP_SYS(sendto), is(4, 0));
  for (uint64_t Request : {uint64_t(TCGETS), uint64_t(TIOCGWINSZ)})
    F.allow(SCMP_SYS(ioctl), is(1, Request));
  for (uint64_t Command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
                           F_SETFL, F_ADD_SEALS, F_GET_SEALS})
    F.allow(SCMP_SYS(fcntl), is(1, Command));
  for (uint64_t Option :
       {PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_SECCOMP,
        PR_GET_NO_NEW_PRIVS, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP})
    F.allow(SCMP_SYS(prctl), is(0, Option));
  F.denyAsMissing(SCMP_SYS(clone3)); // its flags cannot be seen
  if (To == Level::WithChildren) {
    for (int Call : ForChildren)
      F.allow(Call);
    F.allow(SCMP_SYS(clone), hasBits(0, Namespaces, 0));
    F.allow(SCMP_SYS(socketpair), is(0, AF_UNIX));
  } else {
    constexpr uint64_t OfThreads = CLONE_THREAD | CLONE_VM;
    F.allow(SCMP_SYS(clone), hasBits(0, OfThreads, OfThreads));
    F.allow(SCMP_SYS(prlimit64), is(2, 0));
    F.allow(SCMP_SYS(kill), is(0, uint64_t(::getpid())));
  }
  F.allow(SCMP_SYS(tgkill), is(0, uint64_t(::getpid()))); // abort()
  return F.load();
}

void exitInsteadOfCrashing() {
  std::set_new_handler([] { ::_exit(NoMemory); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { ::_exit(NoMemory); });
#ifndef WARPWISE_SANITIZED
  constexpr size_t HandlerBytes = 64 << 10;
  void *Stack = ::mmap(nullptr, HandlerBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Stack == MAP_FAILED)
    return;
  stack_t Place = {};
  Place.ss_sp = Stack;
  Place.ss_size = HandlerBytes;
  struct sigaction Action = {};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (::sigaltstack(&Place, nullptr) == 0)
    for (int Signal : {SIGSEGV, SIGBUS})
      ::sigaction(Signal, &Action, nullptr);
#endif
}

} // namespace warpwise::confinement
