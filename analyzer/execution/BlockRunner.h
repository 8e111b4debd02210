//===- BlockRunner.h - Runs the threads of a block --------------*- C++ -*-===//
//
// One fiber for each thread. A thread runs until it waits for others, at a
// barrier or a shuffle, so a run is the same every time and both shared memory
// and the values that lanes exchange are right. The functions that compiled
// kernels call (HostCalls.h) end up here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_BLOCKRUNNER_H
#define WARPWISE_ANALYZER_EXECUTION_BLOCKRUNNER_H

#include "analyzer/execution/DeviceMemory.h"
#include "analyzer/execution/HostCalls.h"
#include "analyzer/execution/LaneTrace.h"
#include "analyzer/fiber/Fiber.h"

#include "analyzer/launch/facts/LaunchFacts.h"

#include <array>
#include <memory>

namespace warpwise::execution {

/// A compiled kernel. It takes the addresses of its arguments.
using Driver = void (*)(void **);

class BlockRunner {
public:
  /// Of a thread: for registers that are spilled. Private variables have memory
  /// of their own, of Numbering::FrameBytes.
  static constexpr size_t StackBytes = 512 << 10;
  /// Events of a block and loop iterations of a thread before it is abandoned.
  static constexpr uint64_t MostEvents = 12'000'000;
  static constexpr uint32_t MostIterations = 2'000'000;

  BlockRunner(const Numbering &Numbers, DeviceMemory &Memory);
  ~BlockRunner();

  /// Runs block \p Block of a grid. False: some thread went on for too long,
  /// and the traces are incomplete.
  bool run(Driver Kernel, void **Arguments, const launch::Dim3 &Shape,
           const launch::Dim3 &Grid, const launch::Dim3 &Block);

  const LaneTrace &trace(unsigned Thread) const {
    return Threads[Thread]->Trace;
  }

  // What the running thread calls.
  void *access(uint32_t Position, void *Pointer);
  void *keepInside(char *Pointer, char *Object, uint64_t Size,
                   uint64_t Bytes) const;
  /// The private memory of the thread that runs.
  void *frame() const { return Running->Frame; }
  void copy(void *To, const void *From, uint64_t Bytes);
  void fill(void *To, int Byte, uint64_t Bytes);
  void enterLoop(uint32_t Number);
  void nextIteration(uint32_t Number);
  uint32_t registerValue(Register Which) const;
  uint32_t waitForBlock(uint32_t Position, BarrierKind Kind, uint32_t Value);
  void noteBarrier(uint32_t Position);
  uint64_t exchange(uint32_t Position, Exchange What, uint64_t Value,
                    uint32_t Lane, uint32_t Clamp);
  /// Does not return; AddressSanitizer must not be told, since it would take
  /// the fiber's stack for the thread's.
  void leave();
  uint32_t spaceOf(const void *Pointer) const;
  /// Shared memory at an address of which only the low half is known.
  void *sharedAt(uint32_t Short) const;

private:
  enum class State { Ready, AtBarrier, AtExchange, Finished };
  struct Thread {
    Fiber Place;
    char *Stack = nullptr, *Frame = nullptr;
    State Now = State::Finished;
    unsigned Number = 0;
    LaneTrace Trace;
    std::vector<uint32_t> Iterations; ///< by loop
    uint32_t Iterated = 0;            ///< loop headers passed
    int32_t ContextLoop = -2;         ///< loop of the last context
    // What it waits with.
    Event Waiting{};
    BarrierKind Reduction{};
    Exchange What{};
    uint64_t Value = 0, Result = 0;
    uint32_t Lane = 0, Clamp = 0;
  };
  using Group = std::vector<Thread *>;

  const Numbering &Numbers;
  DeviceMemory &Memory;
  std::vector<std::unique_ptr<Thread>> Threads;
  std::unique_ptr<char[]> Nowhere; ///< see nowhere()
  size_t NowhereBytes = 0;
  unsigned Count = 0;
  Thread *Running = nullptr;
  Fiber Scheduler;
  Driver Kernel = nullptr;
  void **Arguments = nullptr;
  launch::Dim3 Shape{}, Grid{}, Block{};
  uint64_t EventsLeft = 0;
  bool Abandoned = false;

  static void start();
  void prepare(unsigned Number);
  void resume(Thread &T);
  void suspend(State Why);
  void runWarp(unsigned First, unsigned End);
  bool resolveExchange(unsigned First, unsigned End);
  void releaseBarrier();
  bool isPrivate(uint64_t Address, uint64_t Bytes) const;
  uint32_t contextOf(int32_t Loop);
  void record(uint32_t Position, uint64_t Address);
  void giveUp();
  void *nowhere() const;
};

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_BLOCKRUNNER_H
