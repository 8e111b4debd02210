//===- TraceEngine.cpp - Two ways to run a block --------------------------===//

#include "analyzer/reuse/trace/TraceEngine.h"

#include "analyzer/reuse/trace/WarpRunner.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;

namespace warpwise::reuse {
namespace {

constexpr uint64_t VariableAlignment = 256;

std::array<uint32_t, 3> blockIndex(const LaunchShape &Shape, uint64_t Block) {
  return {uint32_t(Block % Shape.Grid[0]),
          uint32_t(Block / Shape.Grid[0] % Shape.Grid[1]),
          uint32_t(Block / Shape.Grid[0] / Shape.Grid[1])};
}

/// Where the variables of the device code are, each with its contents.
class VariableMap {
  uint64_t Next;

public:
  AddressMap Addresses;

  explicit VariableMap(const BufferMemory &Memory)
      : Next(BufferMemory::DeviceBase + Memory.bytes()),
        Addresses(reinterpret_cast<uint64_t>(Memory.begin()),
                  BufferMemory::DeviceBase) {}

  void add(char *Address, const execution::HostVariable &V,
           const EngineInput &Input) {
    const auto Begin = reinterpret_cast<uint64_t>(Address);
    Addresses.add(
        {Begin, Begin + V.Bytes, Next, V.Memory == access::Space::Global});
    Next = alignTo(Next + V.Bytes, VariableAlignment);
    if (auto Given = Input.Variables.find(V.Name);
        Given != Input.Variables.end())
      std::memcpy(Address, Given->second.first,
                  std::min(V.Bytes, Given->second.second));
  }
};

class LaneEngine : public TraceEngine {
  const EngineInput Input;
  VariableMap Variables;
  std::optional<WarpRunner> Runner;

public:
  LaneEngine(const EngineInput &Given, SiteTable &Sites)
      : Input(Given), Variables(Given.Memory) {
    const LaneCode &Code = Input.Program.Lanes;
    for (const auto &[Address, Variable] : Code.Variables)
      Variables.add(Address, Variable, Input);
    Code.Context->BuffersBegin =
        reinterpret_cast<uint64_t>(Input.Memory.begin());
    Code.Context->BuffersBytes = Input.Memory.bytes();
    std::vector<uint32_t> SiteOfPosition;
    for (const StreamPoint &P : Code.Points)
      SiteOfPosition.push_back(P.What < StreamPoint::Kind::Access ||
                                       P.InRegister
                                   ? 0
                                   : Sites.add(P.Where));
    Runner.emplace(Code, Input.Shape, Variables.Addresses, SiteOfPosition,
                   Input.Program.FrameBytes, Input.Limits,
                   Input.Program.PlainName);
  }

  std::string block(uint64_t Block, BlockTrace &Out,
                    LikeTraces *Likes) override {
    const unsigned Warps = Input.Shape.warps();
    WarpPlace Place;
    Place.Arguments = Input.Arguments;
    Place.Block = blockIndex(Input.Shape, Block);
    for (unsigned W = 0; W != Warps; ++W) {
      Place.Warp = W;
      std::unique_ptr<WarpStream> Rest;
      if (std::string Problem = Runner->run(Place, Out.Warps[W], Rest, Likes);
          !Problem.empty())
        return Problem;
      if (Rest) {
        Out.Rest.resize(Warps);
        Out.Rest[W] = std::move(Rest);
      }
    }
    return {};
  }

  uint64_t affineWarps() const override { return Runner->affineWarps(); }

  uint64_t localBytesPerWarp() const override {
    return alignTo(Input.Program.FrameBytes, LineBytes) * LanesOfWarp;
  }
};

class FiberEngine : public TraceEngine {
  const EngineInput Input;
  execution::HostKernels &Kernels;
  VariableMap Variables;
  execution::DeviceMemory Memory;
  execution::BlockRunner Runner;
  std::vector<uint32_t> SiteOfPosition;
  std::vector<std::vector<char>> Contents; ///< of the variables
  std::vector<LaneRow> Rows;

public:
  FiberEngine(const EngineInput &Given, execution::HostKernels &Kernels,
              SiteTable &Sites)
      : Input(Given), Kernels(Kernels), Variables(Given.Memory),
        Runner(Kernels.numbering(), Memory) {
    Memory.addRegion(Input.Memory.begin(), Input.Memory.bytes(),
                     access::Space::Global);
    Kernels.addVariables(Memory);
    for (const auto &[Address, Variable] : Kernels.variables()) {
      Variables.add(Address, *Variable, Input);
      Contents.emplace_back(Address, Address + Variable->Bytes);
    }
    const std::vector<Parameter> &Parameters = Input.Program.Parameters;
    for (size_t N = 0; N != Parameters.size(); ++N)
      if (Parameters[N].What == Parameter::Kind::Struct) {
        char *Image = static_cast<char *>(Input.Arguments[N]);
        Memory.addRegion(Image, Parameters[N].Bytes, access::Space::Local);
        const auto Begin = reinterpret_cast<uint64_t>(Image);
        Variables.Addresses.add(
            {Begin, Begin + Parameters[N].Bytes, 0, /*IsTraced=*/false});
      }
    for (const execution::Point &P : Kernels.numbering().Points)
      SiteOfPosition.push_back(
          P.What == execution::Point::Kind::Other ||
                  (P.Private && !Input.Program.hasLocalMemory())
              ? 0
              : Sites.add(P.Where));
  }

  std::string block(uint64_t Block, BlockTrace &Out,
                    LikeTraces * /*Likes*/) override {
    const bool Ended = Runner.run(
        Kernels.driver(Input.Program.Kernel), Input.Arguments,
        Input.Shape.Block, Input.Shape.Grid, blockIndex(Input.Shape, Block));
    bool Ordered = true;
    for (unsigned W = 0; Ended && W != Out.Warps.size(); ++W)
      Ordered &= collect(W, Out.Warps[W]);
    Input.Memory.restore();
    size_t Number = 0;
    for (const auto &[Address, Variable] : Kernels.variables())
      std::memcpy(Address, Contents[Number++].data(), Variable->Bytes);
    const std::string Name = "kernel '" + Input.Program.PlainName + "': ";
    if (!Ended)
      return Name +
             "its threads exchange values, so that a block has to be "
             "traced as a whole, for which it makes more than " +
             std::to_string(execution::BlockRunner::MostEvents / 1'000'000) +
             " million accesses or a loop of more than " +
             std::to_string(execution::BlockRunner::MostIterations /
                            1'000'000) +
             " million rounds";
    return Ordered ? "" : Name + "the lanes of a warp do not meet again";
  }

  uint64_t localBytesPerWarp() const override {
    return alignTo(Kernels.numbering().FrameBytes, LineBytes) * LanesOfWarp;
  }

private:
  bool collect(unsigned Warp, WarpTrace &Out) {
    const unsigned First = Warp * LanesOfWarp;
    std::vector<const execution::LaneTrace *> Lanes;
    for (unsigned N = First;
         N != std::min(Input.Shape.threads(), First + LanesOfWarp); ++N)
      Lanes.push_back(&Runner.trace(N));
    Coalescer Requests(Out);
    return execution::forEachRequest(
        Lanes, [&](uint32_t Position, const execution::LaneSet &R) {
          add(Requests, Position, R);
        });
  }

  void add(Coalescer &Requests, uint32_t Position,
           const execution::LaneSet &R) {
    const execution::Point &P = Kernels.numbering().Points[Position];
    if (P.Private && !Input.Program.hasLocalMemory())
      return;
    if (P.What == execution::Point::Kind::Barrier)
      return Requests.addBarrier(SiteOfPosition[Position]);
    LineAccess Like;
    Like.Site = SiteOfPosition[Position];
    Like.Local = P.Private;
    Like.PastL1 = P.PastL1;
    Like.What = kindOf(P.Op);
    Rows.clear();
    for (unsigned L = 0; L != LanesOfWarp; ++L) {
      if (!(R.Active >> L & 1))
        continue;
      uint64_t Address = R.Addresses[L];
      if (!P.Private) {
        const std::optional<uint64_t> Device =
            Variables.Addresses.device(Address);
        if (!Device) // of the lane's own memory, or of none
          continue;
        Address = *Device;
      }
      appendLane(Rows, L, Address);
    }
    if (!Rows.empty())
      Requests.add(Rows.data(), Rows.size(), P.Bytes, Like);
  }
};

} // namespace

uint32_t SiteTable::add(const access::Place &Where) {
  const auto [At, New] = Known.try_emplace(
      std::tuple(Where.File, Where.Line, Where.Column), Sites.size());
  if (New)
    Sites.push_back({Where.File, Where.Line, Where.Column});
  return At->second;
}

std::unique_ptr<TraceEngine> makeLaneEngine(const EngineInput &Input,
                                            SiteTable Sites) {
  return std::make_unique<LaneEngine>(Input, Sites);
}

Expected<std::unique_ptr<TraceEngine>> makeFiberEngine(const EngineInput &Input,
                                                       SiteTable Sites) {
  Expected<execution::HostKernels &> Kernels = Input.Program.hostKernels();
  if (!Kernels)
    return Kernels.takeError();
  return std::make_unique<FiberEngine>(Input, *Kernels, Sites);
}

} // namespace warpwise::reuse
