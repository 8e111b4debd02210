//===- KernelTrace.cpp - Traces of a launch from the kernel's IR ----------===//

#include "analyzer/reuse/trace/KernelTrace.h"

#include "profiler/profile/ArchitectureLimits.h"

#include <bit>
#include <cstring>

using namespace llvm;

namespace warpwise::reuse {
namespace {

constexpr uint64_t MostThreads = profile::MostBlockThreads;
constexpr uint64_t MostBlocks = uint64_t(1) << 40;

std::string placeText(const access::Place &Where) {
  return Where.File.empty()
             ? ""
             : " (" + Where.File + ":" + std::to_string(Where.Line) + ")";
}

} // namespace

KernelTrace::~KernelTrace() = default;

Error KernelTrace::failure(const Twine &What) const {
  return createStringError(inconvertibleErrorCode(),
                           "kernel '" + Program->PlainName + "': " + What);
}

Expected<std::unique_ptr<KernelTrace>>
KernelTrace::create(std::shared_ptr<KernelProgram> Program,
                    const LaunchInput &Input) {
  std::unique_ptr<KernelTrace> Made(new KernelTrace);
  Made->Program = std::move(Program);
  if (Error Problem = Made->checkShape(Input))
    return std::move(Problem);
  Made->Shape = {
      Input.Grid, Input.Block,
      uint32_t(Made->Program->StaticSharedBytes + Input.DynamicSharedBytes),
      Made->Program->RegistersPerThread, 0};
  if (Error Problem = Made->placeArguments(Input))
    return std::move(Problem);
  EngineInput Given{*Made->Program, Made->Shape, Made->Arguments.data(),
                    *Made->Memory,  {},          Input.Limits};
  for (size_t N = 0; N != Input.Buffers.size(); ++N)
    if (Input.Buffers[N].Initial != Buffer::Contents::Unknown)
      Given.Variables[Input.Buffers[N].Name] = {Made->Memory->address(N),
                                                Input.Buffers[N].Bytes};
  SiteTable Table(Made->Sites);
  Made->SideBySide |= Input.SideBySide;
  if (!Made->SideBySide) {
    Made->Engine = makeLaneEngine(Given, Table);
    Made->Shape.LocalBytesPerWarp = Made->Engine->localBytesPerWarp();
    return std::move(Made);
  }
  Expected<std::unique_ptr<TraceEngine>> Engine = makeFiberEngine(Given, Table);
  if (!Engine)
    return Engine.takeError();
  Made->Engine = std::move(*Engine);
  Made->Shape.LocalBytesPerWarp = Made->Engine->localBytesPerWarp();
  return std::move(Made);
}

Error KernelTrace::checkShape(const LaunchInput &Input) const {
  const auto product = [](const std::array<uint32_t, 3> &Extents) {
    uint64_t Product = 1;
    for (uint32_t Extent : Extents)
      Product = Product > MostBlocks ? Product : Product * Extent;
    return Product;
  };
  const uint64_t Threads = product(Input.Block), Blocks = product(Input.Grid);
  if (Threads == 0 || Threads > MostThreads)
    return failure("a block has 1 to " + Twine(MostThreads) + " threads, not " +
                   Twine(Threads));
  if (Blocks == 0 || Blocks > MostBlocks)
    return failure("there is no such grid");
  return Error::success();
}

/// Lays out the buffers and writes down what the kernel is called with.
Error KernelTrace::placeArguments(const LaunchInput &Input) {
  const std::vector<Parameter> &Parameters = Program->Parameters;
  std::vector<KernelArgument> Given = Input.Arguments;
  Given.resize(Parameters.size());
  std::vector<Buffer> Buffers = Input.Buffers;
  std::vector<size_t> FirstMember(Parameters.size());
  for (size_t N = 0; N != Parameters.size(); ++N) {
    const Parameter &P = Parameters[N];
    FirstMember[N] = Buffers.size();
    if (P.What == Parameter::Kind::Struct)
      Buffers.resize(Buffers.size() + P.PointerOffsets.size());
    else if (P.What == Parameter::Kind::Pointer && !Given[N].Buffer)
      Given[N].Buffer = FirstMember[N], Buffers.emplace_back().Name = P.Name;
    if (Given[N].Buffer && *Given[N].Buffer >= Buffers.size())
      return failure("argument '" + P.Name + "' points to no buffer");
    // What the user says of a buffer goes before what the source says.
    if (Given[N].isNull(P) &&
        Buffers[*Given[N].Buffer].Initial != Buffer::Contents::Unknown)
      Given[N].Value.Integer.reset();
  }
  if (Error Problem = checkContents(Given, Buffers))
    return Problem;
  Expected<std::unique_ptr<BufferMemory>> Made = BufferMemory::create(Buffers);
  if (!Made)
    return Made.takeError();
  Memory = std::move(*Made);

  for (size_t N = 0; N != Parameters.size(); ++N) {
    const Parameter &P = Parameters[N];
    Images.push_back(std::make_unique<char[]>(std::max<uint64_t>(P.Bytes, 8)));
    char *Image = Images.back().get();
    Arguments.push_back(Image);
    for (size_t M = 0; M != P.PointerOffsets.size(); ++M) {
      const char *Address = Memory->address(FirstMember[N] + M);
      std::memcpy(Image + P.PointerOffsets[M], &Address, sizeof Address);
    }
    if (Error Problem = placeValue(P, Given[N], N, Image))
      return Problem;
  }
  return Error::success();
}

Error KernelTrace::placeValue(const Parameter &P, const KernelArgument &Given,
                              unsigned Number, char *Image) const {
  const launch::Argument &Known = Given.Value;
  uint64_t Bits = 0;
  bool IsKnown = true;
  switch (P.What) {
  case Parameter::Kind::Pointer:
    if (!Given.isNull(P))
      Bits = reinterpret_cast<uint64_t>(Memory->address(*Given.Buffer)) +
             uint64_t(Known.PointerOffset.value_or(0));
    break;
  case Parameter::Kind::Integer:
    IsKnown = Known.Integer.has_value();
    Bits = uint64_t(Known.Integer.value_or(0));
    break;
  case Parameter::Kind::Real: {
    IsKnown = Known.Real || Known.Integer;
    const double Value = Known.Real.value_or(double(Known.Integer.value_or(0)));
    Bits = P.Bytes == sizeof(float) ? std::bit_cast<uint32_t>(float(Value))
                                    : std::bit_cast<uint64_t>(Value);
    break;
  }
  case Parameter::Kind::Struct: {
    bool AnyKnown = false; // pointers lead to allocations of the trace's own
    for (const launch::Argument::Member &M : Known.Members)
      if (!M.IsPointer && M.Offset + M.Bytes <= P.Bytes &&
          M.Bytes <= sizeof M.Value) {
        std::memcpy(Image + M.Offset, &M.Value, M.Bytes);
        AnyKnown = true;
      }
    if (!AnyKnown && Program->Read.Structs.count(Number) &&
        P.Bytes > P.PointerOffsets.size() * sizeof(void *))
      return failure("addresses depend on the members of argument '" + P.Name +
                     "', which are not known");
    return Error::success();
  }
  }
  if (!IsKnown && Program->Lanes.ArgumentsUsed.count(Number))
    return failure("the value of argument '" + P.Name +
                   "' is not known; give it with --arg " + P.Name + "=...");
  std::memcpy(Image, &Bits, std::min<uint64_t>(P.Bytes, sizeof Bits));
  return Error::success();
}

/// Addresses may depend only on contents that are known. Decides how the
/// threads run, too.
Error KernelTrace::checkContents(const std::vector<KernelArgument> &Given,
                                 const std::vector<Buffer> &Buffers) {
  const Objects &Read = Program->Read;
  const std::string Where = placeText(Program->FirstLoad);
  SideBySide = Program->NeedsOthers;
  for (unsigned Number : Read.Arguments) {
    if (Given[Number].isNull(Program->Parameters[Number]))
      continue; // it leads nowhere
    const size_t Held = *Given[Number].Buffer;
    const std::string &Name = Program->Parameters[Number].Name;
    if (Buffers[Held].Initial == Buffer::Contents::Unknown)
      return failure("addresses depend on the contents of '" + Name + "'" +
                     Where + "; give them with --buffer " + Name + "=...");
    for (unsigned Other : Program->Written.Arguments)
      if (Given[Other].Buffer == Held) {
        SideBySide = true;
        noteChanged(Name);
      }
  }
  if (Read.Unknown)
    return failure("addresses depend on memory that no argument points to" +
                   Where + ", which is not modelled");
  for (const auto &[Address, V] : Program->Lanes.Variables) {
    if (V.Memory == access::Space::Shared || !Read.Variables.count(V.Symbol))
      continue;
    const bool Changes = Program->Written.Variables.count(V.Symbol) != 0;
    if (Changes)
      noteChanged(V.Name);
    // A kernel that counts in a variable of its own finds it as CUDA's loader
    // left it: zeros.
    if (!V.HasContents && !Changes &&
        none_of(Buffers, [&, Name = V.Name](const Buffer &B) {
          return B.Name == Name && B.Initial != Buffer::Contents::Unknown;
        }))
      return failure("addresses depend on the contents of the variable '" +
                     V.Name + "'" + Where + "; give them with --buffer " +
                     V.Name + "=...");
  }
  return Error::success();
}

void KernelTrace::noteChanged(const std::string &Name) {
  if (Doubt.empty())
    Doubt = "each block finds '" + Name +
            "', on which addresses depend, as it was before the launch, though "
            "the kernel changes it";
}

std::string KernelTrace::block(uint64_t Block, BlockTrace &Out) {
  return run(Block, Out, nullptr);
}

std::string KernelTrace::blockLike(uint64_t Block, BlockTrace &Out,
                                   LikeTraces &Likes) {
  Likes.ByWarp.resize(Shape.warps());
  for (Likeness &Like : Likes.ByWarp)
    Like.Model = 0, Like.IsMoved = false;
  return run(Block, Out, &Likes);
}

std::string KernelTrace::run(uint64_t Block, BlockTrace &Out,
                             LikeTraces *Likes) {
  Out.Warps.resize(Shape.warps());
  for (WarpTrace &Warp : Out.Warps)
    Warp.clear();
  Out.Rest.clear();
  return Engine->block(Block, Out, Likes);
}

uint64_t KernelTrace::affineWarps() const { return Engine->affineWarps(); }

} // namespace warpwise::reuse
