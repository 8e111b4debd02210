//===- Value.h - What the host interpreter knows about a value --*- C++ -*-===//
//
// The abstract domain of the launch collector: one concrete value, or unknown.
// A value carries doubts: the reasons why the program may hold another value at
// run time (a command line option, a device property). Values that share a
// doubt change together, which is what lets a path that contradicts one of them
// drop the others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_VALUE_H
#define WARPWISE_ANALYZER_LAUNCH_VALUE_H

#include "analyzer/launch/Limits.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace warpwise::launch {

/// One bit for each reason to doubt; 0 is certain. Reasons share bits when
/// there are more than 64, which only makes the answer more careful.
using DoubtSet = uint64_t;

/// A condition that is not known and whose sides left different values behind,
/// by the order in which the walk came to it, from 1; 0: none. See Path.h.
using ForkNumber = uint32_t;

/// Names a number that nobody knows; 0: none.
using UnknownNumber = uint32_t;

/// An integer that nobody knows, computed from another one: (Of * Times + Plus)
/// / By, rounded down; of a real number, not rounded. Overflow does not happen.
struct Quotient {
  UnknownNumber Of = 0;
  int64_t Times = 1, Plus = 0, By = 1;

  bool operator==(const Quotient &) const = default;
};

/// Null where nothing is known.
using SharedQuotient = std::shared_ptr<const Quotient>;

/// Names an allocation or variable. 0: some object, which one is not known.
using ObjectId = uint32_t;

/// A place in memory: bytes from the start of an object.
struct Address {
  ObjectId Object = 0;
  std::optional<int64_t> Offset;

  bool operator==(const Address &) const = default;

  /// Wraps around like any address, whatever a program computes.
  Address advance(uint64_t Bytes) const {
    if (!Offset)
      return *this;
    return {Object,
            static_cast<int64_t>(static_cast<uint64_t>(*Offset) + Bytes)};
  }
};

/// The functions a pointer may hold; more than one after a join.
using FunctionSet = std::vector<const clang::FunctionDecl *>;

struct Cell;

/// The scalars of a struct or array by byte offset, sorted.
using Cells = std::vector<Cell>;
using Record = std::shared_ptr<const Cells>;

/// One value of any type; null pointers are the integer 0.
struct Value {
  std::variant<std::monostate, int64_t, double, Address, FunctionSet, Record>
      Data;
  DoubtSet Doubts = 0;
  /// A walk that decides this condition knows more than this. Of several it is
  /// the last: once that is decided, the others come to light.
  ForkNumber LostAt = 0;
  /// Nothing assigned it: the path is on the side of a condition where it holds
  /// this.
  bool Assumed = false;
  /// Of an integer that is not known: what the conditions of the
  /// path say of it. What is stored has none, the path has (HostState).
  SharedLimits Within;
  /// Of a number that is not known: what it is computed from.
  SharedQuotient Is;

  Value() = default;
  template <typename T>
  explicit Value(T Known, DoubtSet Doubts = 0)
      : Data(std::move(Known)), Doubts(Doubts) {}

  bool isKnown() const { return Data.index() != 0; }
  const int64_t *getInteger() const { return std::get_if<int64_t>(&Data); }
  const double *getReal() const { return std::get_if<double>(&Data); }
  const Address *getAddress() const { return std::get_if<Address>(&Data); }
  const FunctionSet *getFunctions() const {
    return std::get_if<FunctionSet>(&Data);
  }
  const Record *getRecord() const { return std::get_if<Record>(&Data); }

  Value addDoubts(DoubtSet More) const {
    Value Result = *this;
    Result.Doubts |= More;
    return Result;
  }
  Value addFork(ForkNumber More) const {
    Value Result = *this;
    Result.LostAt = std::max(LostAt, More);
    return Result;
  }
};

/// One scalar of an object.
struct Cell {
  int64_t Offset = 0;
  unsigned Size = 0;
  Value Content;
};

/// Whether both hold the same, whatever the doubts.
bool holdSame(const Value &A, const Value &B);

/// Where two paths meet.
struct Meeting {
  /// The doubt about what is taken from one of them.
  DoubtSet Reason = 0;
  /// The last of the conditions that parted them.
  ForkNumber Fork = 0;
};

/// What is known where two paths meet and neither is the default. \p Before is
/// the value where they parted; null when there was none yet. A path that left
/// it alone makes it the default.
Value join(const Value *Before, const Value &A, const Value &B, Meeting &At);

/// The same when \p Winner is the default.
Value joinWithDefault(const Value &Winner, const Value &Other, Meeting &At);

/// What is known after a loop that ran an unknown number of times: \p Was
/// before it, \p Now after one iteration.
Value joinAfterLoop(const Value *Was, const Value &Now, DoubtSet Reason);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_VALUE_H
