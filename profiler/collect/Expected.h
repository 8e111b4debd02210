//===- Expected.h - A value or the reason why there is none -----*- C++ -*-===//
//
// Counters are optional: that they cannot be had is an answer, not an error.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_COLLECT_EXPECTED_H
#define WARPWISE_PROFILER_COLLECT_EXPECTED_H

#include <string>
#include <utility>
#include <variant>

namespace warpwise::collect {

/// One sentence, lower case at its start and without a full stop.
struct Failure {
  std::string Reason;
};

template <typename T> class Expected {
public:
  Expected(T Value) : It(std::move(Value)) {}
  Expected(Failure F) : It(std::move(F)) {}

  explicit operator bool() const { return std::holds_alternative<T>(It); }
  /// Only where there is a value.
  T &operator*() { return *std::get_if<T>(&It); }
  T *operator->() { return std::get_if<T>(&It); }
  /// Empty where there is a value.
  std::string reason() const {
    const auto *Why = std::get_if<Failure>(&It);
    return Why ? Why->Reason : std::string();
  }

private:
  std::variant<T, Failure> It;
};

} // namespace warpwise::collect

#endif // WARPWISE_PROFILER_COLLECT_EXPECTED_H
