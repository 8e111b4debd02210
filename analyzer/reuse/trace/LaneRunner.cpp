//===- LaneRunner.cpp - Runs threads of a launch, one at a time -----------===//

#include "analyzer/reuse/trace/LaneRunner.h"

namespace warpwise::reuse {

using execution::Register;

// Pages of the buffers that are never written cost nothing.
LaneRunner::LaneRunner(const LaneCode &Code, const LaunchShape &Shape,
                       uint64_t FrameBytes, const TraceLimits &Limits)
    : Code(Code), Shape(Shape), FrameBytes(FrameBytes), Limits(Limits),
      // Between two checks of the limit each position is passed once at most.
      Capacity(std::max({Limits.WholeEntries, Limits.RowEntries,
                         Limits.LaneEntries}) +
               Code.Points.size()),
      Buffers(new uint64_t[LanesOfWarp * Capacity]) {
  for (uint32_t Z = 0; Z != Shape.Block[2]; ++Z)
    for (uint32_t Y = 0; Y != Shape.Block[1]; ++Y)
      for (uint32_t X = 0; X != Shape.Block[0]; ++X)
        ThreadIndices.push_back({X, Y, Z});
  std::copy(Shape.Block.begin(), Shape.Block.end(),
            Code.Context->Registers + unsigned(Register::NtidX));
  std::copy(Shape.Grid.begin(), Shape.Grid.end(),
            Code.Context->Registers + unsigned(Register::NctaidX));
  setRegister(Register::WarpSize, LanesOfWarp);
  Code.Context->HasStackOfItsOwn = 0;
}

void LaneRunner::setRegister(Register Which, uint32_t Value) {
  Code.Context->Registers[unsigned(Which)] = Value;
}

void LaneRunner::enterWarp(const WarpPlace &Warp) {
  std::copy(Warp.Block.begin(), Warp.Block.end(),
            Code.Context->Registers + unsigned(Register::CtaidX));
  setRegister(Register::WarpId, Warp.Warp);
}

void LaneRunner::enterLane(unsigned Warp, unsigned Lane) {
  const std::array<uint32_t, 3> &Index = threadIndex(Warp * LanesOfWarp + Lane);
  setRegister(Register::TidX, Index[0]);
  setRegister(Register::TidY, Index[1]);
  setRegister(Register::TidZ, Index[2]);
  setRegister(Register::LaneId, Lane);
  const uint32_t Self = 1u << Lane;
  setRegister(Register::MaskEqual, Self);
  setRegister(Register::MaskLess, Self - 1);
  setRegister(Register::MaskLessEqual, Self | (Self - 1));
  setRegister(Register::MaskGreaterEqual, ~(Self - 1));
  setRegister(Register::MaskGreater, ~(Self | (Self - 1)));
}

bool LaneRunner::runWhole(const WarpPlace &Warp, unsigned Lane,
                          LanePiece &Into) {
  enterLane(Warp.Warp, Lane);
  ThreadContext &C = *Code.Context;
  uint64_t *Buffer = Buffers.get() + Lane * Capacity;
  C.Stopped = 0;
  C.Next = Buffer;
  C.Limit = Buffer + Limits.WholeEntries;
  Code.Run(Warp.Arguments);
  Into = {Buffer, C.Next};
  return C.Stopped == 0;
}

bool LaneRunner::runPiece(const WarpPlace &Warp, unsigned Lane, uint64_t Most,
                          LaneProgress &Progress, LanePiece &Into) {
  ThreadContext &C = *Code.Context;
  uint64_t *Buffer = Buffers.get() + Lane * Capacity;
  Into = {Buffer, Buffer};
  if (Progress.Ended)
    return true;
  if (Progress.Frame.empty()) {
    enterWarp(Warp);
    enterLane(Warp.Warp, Lane);
  }
  if (!Stack)
    Stack.emplace(Code, FrameBytes);
  C.Next = Buffer;
  C.Limit = Buffer + Most;
  const LaneStack::Outcome Outcome = Stack->run(Warp.Arguments, Progress.Frame);
  Into.End = C.Next;
  Progress.Entries += Into.size();
  if (Outcome == LaneStack::Outcome::Ended) {
    Progress.Ended = true;
    Progress.Frame = {};
  }
  return Outcome != LaneStack::Outcome::Repeats &&
         Progress.Entries <= Limits.MostEntries;
}

} // namespace warpwise::reuse
