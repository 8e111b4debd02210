//===- Expected.h - A value or the reason why there is none -----*- C++ -*-===//
//
// How a function says below LLVM that it has no value; what has none to give
// returns the reason, or an empty string. Above the border this is
// llvm::Expected. Neither Debian 12 nor std has an `expected` for C++20.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_IO_EXPECTED_H
#define WARPWISE_PROFILER_IO_EXPECTED_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace warpwise::io {

/// One sentence for the user.
struct Failure {
  std::string Reason;
};

template <typename T> class Expected {
public:
  Expected(T Value) : It(std::move(Value)) {}
  Expected(Failure F) : It(std::move(F)) {}

  explicit operator bool() const { return std::holds_alternative<T>(It); }
  /// Only where there is a value.
  T &operator*() {
    assert(*this && "there is no value");
    return *std::get_if<T>(&It);
  }
  const T &operator*() const {
    assert(*this && "there is no value");
    return *std::get_if<T>(&It);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  /// Empty where there is a value.
  std::string reason() const {
    const auto *Why = std::get_if<Failure>(&It);
    return Why ? Why->Reason : std::string();
  }

private:
  std::variant<T, Failure> It;
};

} // namespace warpwise::io

#endif // WARPWISE_PROFILER_IO_EXPECTED_H
