//===- LaneCode.h - A slice as a function that writes a stream --*- C++ -*-===//
//
// Compiles a slice for this machine. A call runs one thread of the kernel and
// appends one number for each event to a buffer: the event's position in the
// low 16 bits, its payload above them. There is one check of the buffer's end
// for each round of a loop: where it is full, the thread ends or, on a stack of
// its own, stops and goes on later.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_LANECODE_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_LANECODE_H

#include "analyzer/execution/Jit.h"
#include "analyzer/reuse/lanecode/AddressSlice.h"
#include "analyzer/reuse/lanecode/LaneShape.h"

#include <optional>

namespace warpwise::reuse {

constexpr unsigned LanesOfWarp = 32;
constexpr unsigned PositionBits = 16;
constexpr uint64_t PositionMask = (1u << PositionBits) - 1;

/// What a running thread reads and writes; the compiled code knows the layout.
struct ThreadContext {
  uint32_t Registers[20]; ///< by execution::Register
  uint32_t Stopped;       ///< ended because the buffer was full
  /// When the buffer is full the thread stops, by a switch between LaneStack
  /// and HostStack; else it ends.
  uint32_t HasStackOfItsOwn;
  uint64_t *Next, *Limit; ///< read again after a stop, unlike all others
  uint64_t BuffersBegin, BuffersBytes;
  void *LaneStack, *HostStack;
};

/// What an entry of a stream stands for, by position.
struct StreamPoint {
  enum class Kind : uint8_t { Witness, LoopRound, Access, Barrier };
  Kind What = Kind::Witness;
  access::Operation Op = access::Operation::Load;
  bool Private = false, PastL1 = false;
  bool InRegister = false; ///< of a private array that is in registers
  unsigned Bytes = 0;
  int32_t Loop = -1; ///< innermost, an index into LaneCode::Loops
  access::Place Where;
};

struct StreamLoop {
  int32_t Parent = -1;
  uint32_t Header = 0; ///< position of its rounds
};

/// \p M in a context of its own, which may outlive the first one.
llvm::Expected<llvm::orc::ThreadSafeModule> moveAway(const llvm::Module &M);

class LaneCode {
public:
  /// The error is one sentence.
  static llvm::Expected<LaneCode> compile(AddressSlice Slice,
                                          llvm::StringRef Kernel);

  using Entry = void (*)(void **Arguments);
  Entry Run = nullptr;
  ThreadContext *Context = nullptr;
  std::vector<StreamPoint> Points; ///< positions rise along every path
  std::vector<StreamLoop> Loops;
  /// What three lanes of a row, and what corners of a box of blocks tell.
  AffineShapes IsAffine;
  std::vector<std::pair<char *, execution::HostVariable>> Variables;
  /// Arguments whose values decide addresses.
  std::set<unsigned> ArgumentsUsed;

private:
  std::optional<execution::Jit> Compiler;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_LANECODE_H
