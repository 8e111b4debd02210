//===- Descriptor.h - An open file that closes itself -----------*- C++ -*-===//

#ifndef WARPWISE_PROFILER_IO_DESCRIPTOR_H
#define WARPWISE_PROFILER_IO_DESCRIPTOR_H

#include <utility>

#include <unistd.h>

namespace warpwise::io {

struct Descriptor {
  int Fd = -1;

  explicit Descriptor(int Fd) : Fd(Fd) {}
  Descriptor(Descriptor &&Other) noexcept : Fd(std::exchange(Other.Fd, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Fd, Other.Fd);
    return *this;
  }
  ~Descriptor() {
    if (Fd >= 0)
      ::close(Fd);
  }

  explicit operator bool() const { return Fd >= 0; }
};

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_DESCRIPTOR_H
