//===- BlockRunner.cpp - Runs the threads of a block ----------------------===//

#include "analyzer/execution/BlockRunner.h"

#include "analyzer/execution/Admission.h"

#include "llvm/Support/ErrorHandling.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <sys/mman.h>

namespace warpwise::execution {
namespace {

constexpr unsigned Lanes = access::WarpLanes;

constexpr size_t PageBytes = 4096;

/// Memory with a closed page before it, where a stack ends.
char *allocateStack(size_t Bytes) {
  void *Mapping = mmap(nullptr, PageBytes + Bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapping == MAP_FAILED || mprotect(Mapping, PageBytes, PROT_NONE) != 0)
    llvm::report_bad_alloc_error("no memory for a stack");
  return static_cast<char *>(Mapping) + PageBytes;
}

void freeStack(char *Stack, size_t Bytes) {
  munmap(Stack - PageBytes, PageBytes + Bytes);
}

/// Where lane \p L reads from in a shuffle: the PTX manual, shfl.sync.
unsigned sourceOf(Exchange What, unsigned L, uint32_t B, uint32_t C,
                  bool &Valid) {
  const int Value = B & 31, Clamp = C & 31, Segment = C >> 8 & 31;
  const int Max = (L & Segment) | (Clamp & ~Segment), Min = L & Segment;
  int From = 0;
  switch (What) {
  case Exchange::ShuffleUp:
    From = int(L) - Value;
    Valid = From >= Max;
    break;
  case Exchange::ShuffleDown:
    From = int(L) + Value;
    Valid = From <= Max;
    break;
  case Exchange::ShuffleXor:
    From = int(L) ^ Value;
    Valid = From <= Max;
    break;
  default:
    From = Min | (Value & ~Segment);
    Valid = From <= Max;
    break;
  }
  return Valid ? unsigned(From) : L;
}

uint32_t reduce(Exchange What, uint32_t A, uint32_t B) {
  switch (What) {
  case Exchange::Add:
    return A + B;
  case Exchange::MinS:
    return uint32_t(std::min(int32_t(A), int32_t(B)));
  case Exchange::MaxS:
    return uint32_t(std::max(int32_t(A), int32_t(B)));
  case Exchange::MinU:
    return std::min(A, B);
  case Exchange::MaxU:
    return std::max(A, B);
  case Exchange::And:
    return A & B;
  case Exchange::Or:
    return A | B;
  default:
    return A ^ B;
  }
}

} // namespace

BlockRunner::BlockRunner(const Numbering &Numbers, DeviceMemory &Memory)
    : Numbers(Numbers), Memory(Memory), NowhereBytes(MostValueBytes) {
  Nowhere = std::make_unique<char[]>(NowhereBytes);
}

BlockRunner::~BlockRunner() {
  for (const auto &T : Threads) {
    freeStack(T->Stack, StackBytes);
    freeStack(T->Frame, Numbers.FrameBytes);
  }
}

/// What accesses that lead nowhere use instead. As large as the largest value
/// that is loaded or stored, and zero whenever it is read.
void *BlockRunner::nowhere() const {
  std::memset(Nowhere.get(), 0, NowhereBytes);
  return Nowhere.get();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

void BlockRunner::start() {
  BlockRunner &Self = current();
  Self.Kernel(Self.Arguments);
  Self.leave();
}

void BlockRunner::prepare(unsigned Number) {
  if (Number == Threads.size()) {
    Threads.push_back(std::make_unique<Thread>());
    Threads.back()->Stack = allocateStack(StackBytes);
    Threads.back()->Frame = allocateStack(Numbers.FrameBytes);
  }
  Thread &T = *Threads[Number];
  T.Number = Number;
  T.Now = State::Ready;
  T.Trace.clear();
  T.Iterations.assign(Numbers.Loops.size(), 0);
  T.Iterated = 0;
  T.ContextLoop = -2;
  T.Place.prepare(T.Stack, StackBytes, start);
}

bool BlockRunner::run(Driver Code, void **Given, const launch::Dim3 &BlockShape,
                      const launch::Dim3 &GridShape,
                      const launch::Dim3 &BlockIndex) {
  Kernel = Code;
  Arguments = Given;
  Shape = BlockShape;
  Grid = GridShape;
  Block = BlockIndex;
  Count = Shape[0] * Shape[1] * Shape[2];
  assert(Count != 0 && "a block without threads");
  EventsLeft = MostEvents;
  Abandoned = false;
  setCurrent(this);
  Memory.clearShared();
  for (unsigned N = 0; N != Count; ++N)
    prepare(N);
  for (bool Alive = true; Alive;) {
    for (unsigned First = 0; First < Count; First += Lanes)
      runWarp(First, std::min(Count, First + Lanes));
    Alive = false;
    for (unsigned N = 0; N != Count; ++N)
      Alive |= Threads[N]->Now != State::Finished;
    releaseBarrier();
  }
  return !Abandoned;
}

void BlockRunner::resume(Thread &T) {
  assert(!Running && T.Now == State::Ready);
  Running = &T;
  Fiber::change(Scheduler, T.Place);
  Running = nullptr;
}

void BlockRunner::suspend(State Why) {
  assert(Running && Why != State::Ready && "nobody would let it go on");
  Running->Now = Why;
  Fiber::change(Running->Place, Scheduler);
}

void BlockRunner::leave() { suspend(State::Finished); }

void BlockRunner::giveUp() {
  Abandoned = true;
  leave();
}

void BlockRunner::runWarp(unsigned First, unsigned End) {
  do
    for (unsigned N = First; N != End; ++N)
      while (Threads[N]->Now == State::Ready)
        resume(*Threads[N]);
  while (resolveExchange(First, End));
}

/// Lets those lanes exchange values that wait at the earliest exchange: lanes
/// that went another way meet them later or not at all.
bool BlockRunner::resolveExchange(unsigned First, unsigned End) {
  Group Together;
  for (unsigned N = First; N != End; ++N) {
    Thread &T = *Threads[N];
    if (T.Now != State::AtExchange)
      continue;
    if (!Together.empty()) {
      const Thread &Other = *Together.front();
      const auto Order = order(T.Trace, T.Waiting, Other.Trace, Other.Waiting);
      if (Order > 0)
        continue;
      if (Order < 0)
        Together.clear();
    }
    Together.push_back(&T);
  }
  uint32_t Mask = 0, Set = 0;
  for (const Thread *T : Together) {
    Mask |= 1u << T->Number % Lanes;
    Set |= uint32_t(T->Value & 1) << T->Number % Lanes;
  }
  auto valueIn = [&](unsigned Lane, const Thread &Self) {
    return Mask >> Lane & 1 ? Threads[First + Lane]->Value : Self.Value;
  };
  for (Thread *T : Together) {
    switch (T->What) {
    case Exchange::ShuffleIndex:
    case Exchange::ShuffleUp:
    case Exchange::ShuffleDown:
    case Exchange::ShuffleXor: {
      bool Valid = false;
      const unsigned From =
          sourceOf(T->What, T->Number % Lanes, T->Lane, T->Clamp, Valid);
      T->Result = uint32_t(valueIn(From, *T)) | (Valid ? ShuffleValid : 0);
      break;
    }
    case Exchange::Ballot:
      T->Result = Set;
      break;
    case Exchange::Any:
      T->Result = Set != 0;
      break;
    case Exchange::All:
      T->Result = Set == Mask;
      break;
    case Exchange::Uniform:
      T->Result = Set == Mask || Set == 0;
      break;
    case Exchange::ActiveMask:
      T->Result = Mask;
      break;
    case Exchange::Match:
      T->Result = 0;
      for (const Thread *Other : Together)
        if (Other->Value == T->Value)
          T->Result |= 1u << Other->Number % Lanes;
      break;
    default:
      T->Result = Together.front()->Value;
      for (size_t N = 1; N != Together.size(); ++N)
        T->Result =
            reduce(T->What, uint32_t(T->Result), uint32_t(Together[N]->Value));
    }
  }
  for (Thread *T : Together)
    T->Now = State::Ready;
  return !Together.empty();
}

/// Called when nobody can go on: whoever is left waits at a barrier.
void BlockRunner::releaseBarrier() {
  uint32_t Set = 0, Waiting = 0;
  for (unsigned N = 0; N != Count; ++N)
    if (Threads[N]->Now == State::AtBarrier) {
      ++Waiting;
      Set += Threads[N]->Value != 0;
    }
  for (unsigned N = 0; N != Count; ++N) {
    Thread &T = *Threads[N];
    if (T.Now != State::AtBarrier)
      continue;
    T.Result = T.Reduction == BarrierKind::Count ? Set
               : T.Reduction == BarrierKind::And ? Set == Waiting
                                                 : Set != 0;
    T.Now = State::Ready;
  }
}

//===----------------------------------------------------------------------===//
// What threads call
//===----------------------------------------------------------------------===//

bool BlockRunner::isPrivate(uint64_t Address, uint64_t Bytes) const {
  const uint64_t Offset = Address - reinterpret_cast<uint64_t>(Running->Frame);
  return Bytes <= Numbers.FrameBytes && Offset <= Numbers.FrameBytes - Bytes;
}

/// The number of the context for an event in \p Loop. Consecutive events of an
/// iteration share it.
uint32_t BlockRunner::contextOf(int32_t Loop) {
  LaneTrace &Trace = Running->Trace;
  if (Running->ContextLoop != Loop || Trace.Starts.empty()) {
    Running->ContextLoop = Loop;
    std::vector<int32_t> Chain;
    for (int32_t L = Loop; L >= 0; L = Numbers.Loops[L].Parent)
      Chain.push_back(L);
    Trace.Starts.push_back(uint32_t(Trace.Path.size()));
    for (size_t N = Chain.size(); N-- != 0;) {
      Trace.Path.push_back(Numbers.Loops[Chain[N]].Header);
      Trace.Path.push_back(Running->Iterations[Chain[N]]);
    }
  }
  return uint32_t(Trace.Starts.size()) - 1;
}

void BlockRunner::record(uint32_t Position, uint64_t Address) {
  if (Numbers.Points[Position].Kernel.empty())
    return; // in a function that is still called, by a pointer or by itself
  if (EventsLeft == 0)
    giveUp();
  --EventsLeft;
  const uint32_t Context = contextOf(Numbers.Points[Position].Loop);
  Running->Trace.Events.push_back({Position, Context, Address});
}

void *BlockRunner::access(uint32_t Position, void *Pointer) {
  const auto Address = reinterpret_cast<uint64_t>(Pointer);
  const unsigned Bytes = Numbers.Points[Position].Bytes;
  if (isPrivate(Address, Bytes)) {
    if (Numbers.Points[Position].Private)
      record(Position, Address - reinterpret_cast<uint64_t>(Running->Frame));
    return Pointer;
  }
  const std::optional<access::Space> Space = Memory.spaceOf(Address, Bytes);
  if (Space == access::Space::Local) // a parameter
    return Pointer;
  record(Position, Address);
  return Space ? Pointer : nowhere();
}

/// \p Pointer if its \p Bytes lie in the private variable \p Object.
void *BlockRunner::keepInside(char *Pointer, char *Object, uint64_t Size,
                              uint64_t Bytes) const {
  const uint64_t Offset = uint64_t(Pointer - Object);
  return Bytes <= Size && Offset <= Size - Bytes ? Pointer : nowhere();
}

void BlockRunner::copy(void *To, const void *From, uint64_t Bytes) {
  const auto ToAddress = reinterpret_cast<uint64_t>(To);
  const auto FromAddress = reinterpret_cast<uint64_t>(From);
  if (!isPrivate(ToAddress, Bytes) && !Memory.spaceOf(ToAddress, Bytes))
    return;
  if (isPrivate(FromAddress, Bytes) || Memory.spaceOf(FromAddress, Bytes))
    std::memmove(To, From, Bytes);
  else
    std::memset(To, 0, Bytes);
}

void BlockRunner::fill(void *To, int Byte, uint64_t Bytes) {
  const auto Address = reinterpret_cast<uint64_t>(To);
  if (isPrivate(Address, Bytes) || Memory.spaceOf(Address, Bytes))
    std::memset(To, Byte, Bytes);
}

void BlockRunner::enterLoop(uint32_t Number) {
  Running->Iterations[Number] = 0;
  Running->ContextLoop = -2;
}

void BlockRunner::nextIteration(uint32_t Number) {
  if (++Running->Iterated > MostIterations || Abandoned)
    giveUp();
  ++Running->Iterations[Number];
  Running->ContextLoop = -2;
}

uint32_t BlockRunner::registerValue(Register Which) const {
  const unsigned Number = Running->Number, Lane = Number % Lanes;
  auto lanesBelow = [](unsigned L) { return uint32_t((uint64_t(1) << L) - 1); };
  switch (Which) {
  case Register::TidX:
    return Number % Shape[0];
  case Register::TidY:
    return Number / Shape[0] % Shape[1];
  case Register::TidZ:
    return Number / Shape[0] / Shape[1];
  case Register::NtidX:
  case Register::NtidY:
  case Register::NtidZ:
    return Shape[unsigned(Which) - unsigned(Register::NtidX)];
  case Register::CtaidX:
  case Register::CtaidY:
  case Register::CtaidZ:
    return Block[unsigned(Which) - unsigned(Register::CtaidX)];
  case Register::NctaidX:
  case Register::NctaidY:
  case Register::NctaidZ:
    return Grid[unsigned(Which) - unsigned(Register::NctaidX)];
  case Register::LaneId:
    return Lane;
  case Register::WarpId:
    return Number / Lanes;
  case Register::WarpSize:
    return Lanes;
  case Register::MaskLess:
    return lanesBelow(Lane);
  case Register::MaskLessEqual:
    return lanesBelow(Lane + 1);
  case Register::MaskEqual:
    return 1u << Lane;
  case Register::MaskGreater:
    return ~lanesBelow(Lane + 1);
  case Register::MaskGreaterEqual:
    return ~lanesBelow(Lane);
  }
  return 0;
}

void BlockRunner::noteBarrier(uint32_t Position) { record(Position, 0); }

uint32_t BlockRunner::waitForBlock(uint32_t Position, BarrierKind Kind,
                                   uint32_t Value) {
  noteBarrier(Position);
  Thread &Self = *Running;
  Self.Reduction = Kind;
  Self.Value = Value;
  suspend(State::AtBarrier);
  return uint32_t(Self.Result);
}

uint64_t BlockRunner::exchange(uint32_t Position, Exchange What, uint64_t Value,
                               uint32_t Lane, uint32_t Clamp) {
  Thread &Self = *Running;
  Self.Waiting = {Position, contextOf(Numbers.Points[Position].Loop), 0};
  Self.What = What;
  Self.Value = Value;
  Self.Lane = Lane;
  Self.Clamp = Clamp;
  suspend(State::AtExchange);
  return Self.Result;
}

void *BlockRunner::sharedAt(uint32_t Short) const {
  return reinterpret_cast<void *>(Memory.sharedAt(Short));
}

uint32_t BlockRunner::spaceOf(const void *Pointer) const {
  const auto Address = reinterpret_cast<uint64_t>(Pointer);
  if (isPrivate(Address, 1))
    return IsLocal;
  switch (Memory.spaceOf(Address, 1).value_or(access::Space::Global)) {
  case access::Space::Shared:
    return IsShared;
  case access::Space::Constant:
    return IsConstant;
  case access::Space::Local:
    return IsLocal;
  default:
    return IsGlobal;
  }
}

} // namespace warpwise::execution
