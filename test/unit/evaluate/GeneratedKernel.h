//===- GeneratedKernel.h - Random kernels as trees --------------*- C++ -*-===//
//
// The kernels of the generator-based test: expressions, statements and
// launches. Drawn by Generator, interpreted thread by thread by BruteForce,
// turned into LLVM IR by EmitKernel. Every operation is total (no division by
// zero, no shift beyond the width), so all three agree on what it means.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_GENERATEDKERNEL_H
#define WARPWISE_TEST_UNIT_EVALUATE_GENERATEDKERNEL_H

#include "analyzer/model/AccessModel.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace warpwise::test {

enum class Op : uint8_t {
  // Leaves.
  Constant,
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  Argument,
  Variable,
  // Two operands of the same width as the result.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  MinS,
  MaxS,
  MinU,
  MaxU,
  MulHighU,
  RotateLeft,
  // One operand.
  SignExtend,   ///< 32 to 64 bits
  ZeroExtend,   ///< 32 to 64 bits
  Truncate,     ///< 64 to 32 bits
  SignExtend8,  ///< of the low byte
  ZeroExtend16, ///< of the low half word
  CountOnes,
  LeadingZeros,
  ReverseBits,
  Absolute,
  Choose, ///< A ? B : C
  // Of one bit, from two operands.
  Equal,
  NotEqual,
  LessU,
  LessEqualU,
  GreaterU,
  LessS,
  GreaterS,
  GreaterEqualS,
  // Of one bit, from bits.
  BothOf,
  EitherOf,
  OneOf, ///< exclusive or
  Not,
  // Contents of memory, which nobody knows.
  LoadedByThread
};

struct Expression {
  Op What = Op::Constant;
  unsigned Bits = 32;
  /// Constant: the value. Argument, Variable: the number. BothOf, EitherOf: 1
  /// when written as control flow.
  int64_t Number = 0;
  const Expression *A = nullptr, *B = nullptr, *C = nullptr;
  /// Noted by the interpreter: whether the result ever left the range, so that
  /// the IR can promise that it does not, as Clang does for signed numbers.
  mutable bool WrapsSigned = false, WrapsUnsigned = false;
};

struct MemoryAccess {
  access::Space Memory = access::Space::Global;
  access::Operation Op = access::Operation::Load;
  unsigned Bytes = 4;
  /// An element of an array of structs: Stride bytes apart, Field bytes in.
  unsigned Stride = 4, Field = 0;
  /// Elements in a row of a two-dimensional array; 0: one dimension.
  unsigned RowElements = 0;
  const Expression *Row = nullptr; ///< with RowElements only
  const Expression *Index = nullptr;
  /// Bytes from the start of its allocation at which a pointer argument points.
  int64_t Offset = 0;
  bool Volatile = false;
  /// Atomics: adds a constant, which the hardware does not serialise.
  bool AddsConstant = false;
  /// Emitted through a generic pointer, as Clang does.
  bool ThroughGeneric = false;
  /// Emitted as byte arithmetic instead of indexing.
  bool ThroughBytes = false;
  unsigned LoopDepth = 0;
  /// Noted by the interpreter: the indices were never negative or large.
  mutable bool StaysInBounds = true;
};

struct Statement {
  enum class Kind { Access, If, Loop, Break, Continue, Return };
  explicit Statement(Kind What) : What(What) {}

  Kind What;
  /// Access: index into Kernel::Accesses.
  unsigned Access = 0;
  /// If, Break, Continue, Return: the condition. Loop: that it goes on.
  const Expression *Condition = nullptr;
  std::vector<Statement> Then, Else; ///< a loop's body is Then
  /// If: a variable that gets one value or the other; -1: none.
  int Merged = -1;
  const Expression *ThenValue = nullptr, *ElseValue = nullptr;
  /// Loop: its variables with first value and step; tested before or after.
  struct Variable {
    int Number;
    const Expression *First, *Next;
  };
  std::vector<Variable> Variables;
  bool TestsAtEnd = false;
};

struct KernelLaunch {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {32, 1, 1};
  std::vector<int64_t> Arguments;
  /// What threads load from memory follows from this number.
  uint64_t Memory = 0;
};

/// How the kernel comes by an argument: as itself, from memory that all lanes
/// read at one address (as an integer or as a float, whose values are small),
/// or as a member of a struct that is passed by value.
enum class Passing : uint8_t { Value, Loaded, LoadedReal, Member };

struct GeneratedKernel {
  // Statements point into Expressions, which a copy would not follow.
  GeneratedKernel() = default;
  GeneratedKernel(GeneratedKernel &&) = default;
  GeneratedKernel &operator=(GeneratedKernel &&) = default;

  uint64_t Seed = 0;
  std::deque<Expression> Expressions; ///< owns them
  std::vector<MemoryAccess> Accesses;
  std::vector<Statement> Body;
  std::vector<unsigned> ArgumentBits, VariableBits;
  std::vector<Passing> ArgumentPassing; ///< as ArgumentBits; empty: all Value
  std::vector<KernelLaunch> Launches;
};

/// The kernel as pseudo-code, with an arrow at access \p Marked.
std::string toString(const GeneratedKernel &K, int Marked = -1);
std::string toString(const KernelLaunch &Launch);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_GENERATEDKERNEL_H
