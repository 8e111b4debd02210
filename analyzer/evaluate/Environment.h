//===- Environment.h - Where a warp runs ------------------------*- C++ -*-===//
//
// Everything that a kernel reads and that is not computed in it: the launch,
// the arguments, addresses of variables, contents of constant tables. What
// nobody knows but is the same for the whole warp gets a likely number made up
// for it. What holds for other numbers, too, is for proof/ to say.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_ENVIRONMENT_H
#define WARPWISE_ANALYZER_EVALUATE_ENVIRONMENT_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/Program.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <vector>

namespace llvm {
class Argument;
class Type;
} // namespace llvm

namespace warpwise::access {

/// The sets of made-up numbers.
enum class MadeUp {
  Likely, ///< what programs mostly have: multiples of 32, defaults
  Odd,    ///< large and odd: what a pitch may be at worst
  Other,  ///< neither
  Work,   ///< as Likely, but as much as the launch has threads
};

class Environment {
public:
  Environment(const Program &Code, const launch::Shape &Shape,
              const std::vector<launch::Argument> &Arguments, MadeUp Made);

  /// The value of a preset for warp \p Warp of block \p Block.
  LaneValue preset(const Preset &P, const launch::Dim3 &Block,
                   unsigned Warp) const;

  /// What a load of \p Bytes at a known address yields when the program itself
  /// tells, or the user: constant tables, members of by-value arguments, and
  /// what is behind pointer arguments.
  std::optional<uint64_t> contents(uint64_t Address, unsigned Bytes) const;

  /// Likewise what the host code has copied there, which is likely.
  std::optional<uint64_t> likelyContents(uint64_t Address,
                                         unsigned Bytes) const;

  /// False when contents() knows nothing in the whole object to which
  /// \p Address, perhaps a little outside of it, belongs.
  bool mayKnowContents(uint64_t Address) const;

  /// Whether a by-value argument of the kernel holds \p Address: what
  /// contents() does not know of it is not known as any other argument is not.
  bool isMember(uint64_t Address) const { return memberAt(Address); }
  /// A likely or made-up value for the \p Bytes that \p Load, a load of a
  /// number, takes from a by-value argument.
  uint64_t inventMember(uint64_t Address, unsigned Bytes,
                        const llvm::Value &Load) const;
  /// A made-up value for what \p Load gets from \p Address, for all lanes; what
  /// it is used for says what it may be.
  uint64_t inventLoaded(uint64_t Address, const llvm::Value &Load) const;
  /// A made-up value for any other uniform unknown, told apart by \p Key.
  uint64_t invent(uint64_t Key, const llvm::Type *Type) const;

  /// True when the kernel asks whether \p Pointer is what another one is: the
  /// launch may pass the same allocation twice.
  static bool mayBeAnother(const llvm::Argument &Pointer);
  /// True when \p Pointer is null for certain.
  static bool isNull(const launch::Argument &Pointer);
  /// True when the launch does not tell where pointer argument \p Number points
  /// within its allocation. It is then taken to be the start.
  static bool isOriginUnknown(const std::vector<launch::Argument> &Arguments,
                              uint64_t Number);

  /// True when \p Address lies in a private array.
  bool isPrivate(uint64_t Address) const;

private:
  launch::Shape Shape;
  const std::vector<launch::Argument> &Arguments;
  MadeUp Made;
  launch::Dim3 Grid; ///< the launch's, or made up
  /// The kernel loops over the grid, say; others do not know how large it is.
  bool AsksForGrid;
  bool MultipliesSizes; ///< as in Program
  /// Base addresses: each object has a region of its own, 64 GiB apart, so that
  /// no arithmetic on one pointer reaches another object.
  llvm::DenseMap<const llvm::Value *, uint64_t> Bases;
  struct Table {
    uint64_t Base, Bytes;
    const llvm::GlobalVariable *Variable; ///< or null: a by-value argument
    unsigned Argument = 0;
    /// Where its pointers point, by the offset of the member.
    std::map<uint64_t, uint64_t> Pointers;
  };
  std::vector<Table> Tables;
  using Memory = std::vector<std::pair<uint64_t, const launch::Contents *>>;
  /// What the user says that pointer arguments lead to, by address, and what
  /// the host code has copied there.
  Memory Given, Copied;
  std::map<const llvm::Value *, LaneValue> ArgumentValues;
  std::vector<uint64_t> PrivateRegions; ///< Address >> RegionBits, sorted

  LaneValue argument(const Preset &P) const;
  /// A made-up number for integer argument \p Number, from which the grid is
  /// computed: its last block is as full as others.
  std::optional<uint64_t> sizeForGrid(uint64_t Number) const;
  /// One for what the known grid is held against ("if (I < N)"): all of its
  /// threads have something to do. \p Key as in extent(), \p Its as the kernel
  /// has it.
  std::optional<uint64_t> sizeForThreads(uint64_t Key,
                                         const llvm::Value &Its) const;
  uint64_t invent(uint64_t Key, const llvm::Value &Its) const;
  void fitGridToArguments();
  const Table *memberAt(uint64_t Address) const;
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_ENVIRONMENT_H
