//===- Buffers.cpp - The memory that a kernel is given --------------------===//

#include "analyzer/reuse/trace/Buffers.h"

#include "analyzer/launch/facts/Contents.h"

#include "profiler/io/ReadFile.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <bit>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace warpwise::reuse {
namespace {

/// cudaMalloc: small allocations share a page of 2 MiB.
constexpr uint64_t PageBytes = 2 << 20, LargeFrom = 1 << 20, SmallAlign = 512;
/// What a buffer of unknown size gets: nothing else is that near.
constexpr uint64_t UnknownBytes = uint64_t(4) << 30;
constexpr uint64_t MarginBytes = uint64_t(16) << 30;
/// A chunk to fill memory by.
constexpr size_t ChunkBytes = 1 << 20;

Error failure(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What);
}

/// Closes a descriptor at the end; mappings of it stay.
struct Descriptor {
  int Number;
  ~Descriptor() {
    if (Number >= 0)
      close(Number);
  }
};

bool writeAll(int File, const char *From, size_t Bytes, uint64_t At) {
  while (Bytes != 0) {
    const ssize_t Written = pwrite(File, From, Bytes, off_t(At));
    if (Written <= 0)
      return false;
    From += Written;
    Bytes -= size_t(Written);
    At += uint64_t(Written);
  }
  return true;
}

} // namespace

// The contents are a file in memory that is mapped privately: stores change
// copies of its pages, which restore() throws away.
Expected<std::unique_ptr<BufferMemory>>
BufferMemory::create(const std::vector<Buffer> &Buffers) {
  std::unique_ptr<BufferMemory> Made(new BufferMemory);
  uint64_t End = 0;
  for (const Buffer &B : Buffers) {
    const uint64_t Bytes = B.Bytes ? B.Bytes : UnknownBytes;
    End = alignTo(End, Bytes >= LargeFrom ? PageBytes : SmallAlign);
    Made->Offsets.push_back(End);
    End += Bytes;
  }
  Made->Bytes = std::max(alignTo(End, PageBytes), PageBytes);
  const Descriptor File{memfd_create("warpwise-buffers", MFD_CLOEXEC)};
  if (File.Number < 0 || ftruncate(File.Number, off_t(Made->Bytes)) != 0)
    return failure("cannot have memory for the buffers");
  for (size_t N = 0; N != Buffers.size(); ++N)
    if (Error Problem = Made->fill(File.Number, Buffers[N], Made->Offsets[N]))
      return std::move(Problem);
  // Nothing else lies where an index that leads out of the buffers may lead.
  void *Around =
      mmap(nullptr, MarginBytes + Made->Bytes + MarginBytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Around == MAP_FAILED)
    return failure("cannot have memory for the buffers");
  Made->Begin = static_cast<char *>(Around) + MarginBytes;
  if (mmap(Made->Begin, Made->Bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, File.Number,
           0) == MAP_FAILED)
    return failure("cannot have memory for the buffers");
  return Made;
}

BufferMemory::~BufferMemory() {
  if (Begin)
    munmap(Begin - MarginBytes, MarginBytes + Bytes + MarginBytes);
}

void BufferMemory::restore() { madvise(Begin, Bytes, MADV_DONTNEED); }

Error BufferMemory::fill(int File, const Buffer &B, uint64_t Offset) {
  switch (B.Initial) {
  case Buffer::Contents::Unknown:
  case Buffer::Contents::Zeros:
    return Error::success();
  case Buffer::Contents::File: {
    const auto Contents = io::readFile(B.Path, MostFileBytes);
    if (!Contents)
      return failure("cannot read '" + B.Path + "': " + Contents.reason());
    const uint64_t Size = Contents->size();
    if (!writeAll(File, Contents->data(),
                  B.Bytes ? std::min(Size, B.Bytes) : Size, Offset))
      return failure("no memory for the contents of '" + B.Name + "'");
    return Error::success();
  }
  case Buffer::Contents::Iota:
  case Buffer::Contents::Random:
  case Buffer::Contents::Sorted:
    break;
  }
  if (B.Bytes == 0)
    return failure("the size of '" + B.Name + "' has to be known to fill it");
  const uint64_t Elements = B.Bytes / B.ElementBytes;
  auto asReal = [&](double Value) {
    return B.ElementBytes == sizeof(float)
               ? std::bit_cast<uint32_t>(float(Value))
               : std::bit_cast<uint64_t>(Value);
  };
  // Buffers of one size have nothing to do with each other, either.
  std::mt19937_64 Random(B.Bytes + xxh3_64bits(B.Name));
  const uint64_t Below = std::max<uint64_t>(B.Below ? B.Below : Elements, 1);
  std::vector<char> Chunk;
  uint64_t At = Offset;
  for (uint64_t N = 0; N != Elements; ++N) {
    const bool Iota = B.Initial == Buffer::Contents::Iota;
    const uint64_t Whole =
        Iota ? N
        : B.Initial == Buffer::Contents::Sorted
            ? launch::sortedNumber(N, Elements, Below, Random())
            : Random() % Below;
    const uint64_t Number =
        !B.Reals ? Whole
                 : asReal(Iota ? double(N) : double(Whole) / double(Below));
    const size_t Old = Chunk.size();
    Chunk.resize(Old + B.ElementBytes);
    std::memcpy(Chunk.data() + Old, &Number, B.ElementBytes);
    if (Chunk.size() < ChunkBytes && N + 1 != Elements)
      continue;
    if (!writeAll(File, Chunk.data(), Chunk.size(), At))
      return failure("no memory for the contents of '" + B.Name + "'");
    At += Chunk.size();
    Chunk.clear();
  }
  return Error::success();
}

} // namespace warpwise::reuse
