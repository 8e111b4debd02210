//===- HostProgram.h - Host programs drawn at random ------------*- C++ -*-===//
//
// Programs whose launches depend on the command line, as trees: drawn from a
// seed, printed as source for the launch collector, and run here for given
// words, which gives the launches that really happen.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_LAUNCH_HOSTPROGRAM_H
#define WARPWISE_TEST_UNIT_LAUNCH_HOSTPROGRAM_H

#include "analyzer/launch/facts/LaunchFacts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::test {

struct Expression {
  enum class Kind {
    Constant, ///< Number
    Variable, ///< the local with that number
    Global,   ///< the global with that number
    Words,    ///< argc
    Word,     ///< atoi(argv[Number])
    Binary,   ///< Parts[0] Operator Parts[1]
    Not,
    Choice, ///< Parts[0] ? Parts[1] : Parts[2]
    Call    ///< the function with that number, on Parts
  };
  Kind What = Kind::Constant;
  int32_t Number = 0;
  std::string Operator;
  std::vector<Expression> Parts;
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind {
    Assign,       ///< local Target Operator= Values[0]
    AssignGlobal, ///< the same for a global
    If,           ///< Values[0], Blocks[0] else Blocks[1] when there is one
    Switch,       ///< Values[0], Labels with Blocks; the last may be default
    For,          ///< local Target from 0 below Values[0]
    While,        ///< Values[0]
    DoWhile,
    Break,
    Continue,
    Return, ///< Values[0] unless the function is void
    Exit,
    CallVoid,   ///< function Target, Values, and the reference Reference
    CallLambda, ///< lambda Target, Values[0]
    SetDim,     ///< shape Target is dim3(Values)
    SetLength,  ///< its component Component is Values[0]
    SetMember,  ///< of the record: Component is Values[0]
    Allocate,   ///< pointer Target
    ClearPointer,
    Launch ///< kernel Target
  };
  Kind What = Kind::Assign;
  unsigned Target = 0, Component = 0, Reference = 0;
  std::string Operator;
  std::vector<Expression> Values;
  std::vector<Block> Blocks;
  /// Of a switch; one less than Blocks when there is a default. A block that
  /// falls through has no `break`.
  std::vector<int32_t> Labels;
  std::vector<bool> FallsThrough;
  /// Of a launch: shapes by number, or numbers of threads in Values[0] and [1].
  bool HasShapes = false;
};

struct Function {
  bool IsVoid = false, TakesReference = false;
  /// The first locals are the parameters; the first of those the reference.
  unsigned Parameters = 0;
  unsigned Locals = 0, Shapes = 0, Pointers = 0;
  std::vector<Expression> InitialValues; ///< of locals after the parameters
  /// Bodies of lambdas that capture by reference; each has a local for its
  /// parameter.
  std::vector<Block> Lambdas;
  std::vector<unsigned> LambdaParameters;
  Block Body;
};

/// The last function is main. Kernel 0 is k0(int, int), kernel 1 is
/// k1(int, float *, Record) with struct Record { int Size; float Scale; }.
struct HostProgram {
  std::vector<int32_t> Globals;
  std::vector<Function> Functions;
  /// Words that main looks at; values that its conditions compare with.
  unsigned Words = 0;
  std::vector<int32_t> Constants;
};

struct HappenedLaunch {
  unsigned Kernel = 0;
  launch::Dim3 Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t SharedBytes = 0;
  int32_t Integers[2] = {0, 0};
  bool IsNull = true;
  int32_t Size = 0;
  float Scale = 0;
};

HostProgram drawProgram(uint64_t Seed);
std::string printProgram(const HostProgram &Program);
/// The launches in order; nothing when the program takes too long.
std::optional<std::vector<HappenedLaunch>>
runProgram(const HostProgram &Program, const std::vector<int32_t> &Words);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_LAUNCH_HOSTPROGRAM_H
