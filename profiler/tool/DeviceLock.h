//===- DeviceLock.h - One measurement at a time -----------------*- C++ -*-===//
//
// Two measurements of one GPU disturb each other. So each holds a lock in a
// file named by the GPU; the system takes it back when the process ends,
// however it ends.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_DEVICELOCK_H
#define WARPWISE_PROFILER_TOOL_DEVICELOCK_H

#include <string>

namespace warpwise::tool {

class DeviceLock {
public:
  DeviceLock() = default;
  /// Locks \p Uuid in \p Folder, which is made if it is not there.
  DeviceLock(const std::string &Folder, const std::string &Uuid);
  ~DeviceLock();
  DeviceLock(DeviceLock &&Other) noexcept;
  DeviceLock &operator=(DeviceLock &&Other) noexcept;

  /// Empty when the lock is held; else who has it, or why there is none.
  const std::string &why() const { return Why; }
  /// Whether another process has it.
  bool isTaken() const { return Taken; }

private:
  int File = -1;
  bool Taken = false;
  std::string Why;
};

/// The user's own folder for such files: warpwise in $XDG_RUNTIME_DIR, else
/// beside the user's profiles. Empty when there is neither.
std::string lockFolder();

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_DEVICELOCK_H
