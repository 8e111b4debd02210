//===- UserInput.h - What the user says about a launch ----------*- C++ -*-===//
//
// The values of the options of `warpwise reuse` that name launches, arguments,
// contents of memory, samples and caches to compare. Each parser's error is one
// sentence.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_USERINPUT_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_USERINPUT_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/reuse/CacheOptions.h"
#include "analyzer/reuse/Sampling.h"
#include "analyzer/reuse/trace/Buffers.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace warpwise::reuse {

/// Goes before what the source says.
struct ShapeInput {
  std::optional<launch::Dim3> Grid, Block;
  std::optional<uint64_t> DynamicSharedBytes;
};

/// "grid=32x32,block=16x16,shared=4096", each part at most once.
llvm::Expected<ShapeInput> parseShape(llvm::StringRef Text);

struct ArgumentInput {
  std::string Name; ///< of the kernel's parameter
  std::string Text; ///< the value as it was given
  launch::Argument Value;
};

/// "n=4096", "alpha=0.5".
llvm::Expected<ArgumentInput> parseArgument(llvm::StringRef Text);

/// "in=iota", "in=random,count=4096,element=8,below=100", "in=file:PATH". The
/// name is a parameter's or a device variable's. Without an element the
/// buffer's ElementBytes is 0, and its Bytes are the count.
llvm::Expected<Buffer> parseBuffer(llvm::StringRef Text);

/// "1,64": which invocations of a kernel, counted from 1; ascending, each once.
llvm::Expected<std::vector<unsigned>> parseInvocations(llvm::StringRef Text);

/// "all", "auto", or any of "accesses=50M,waves=2,sms=8" where sms=8 takes
/// every eighth.
llvm::Expected<SampleSettings> parseSamples(llvm::StringRef Text);
/// What "auto" stands for.
SampleSettings usualSamples();

/// One parameter of the caches and the values to try.
struct Axis {
  std::string Name;
  std::vector<std::string> Values;
};

/// "l1.ways=4,8,16".
llvm::Expected<Axis> parseAxis(llvm::StringRef Text);

/// Caches that differ from the usual ones in the values of all axes.
struct Variant {
  std::vector<std::string> Values; ///< by axis
  CacheOptions Options;
};

/// The cross product of \p Axes, the last one changing fastest.
llvm::Expected<std::vector<Variant>>
crossProduct(const CacheOptions &Usual, const std::vector<Axis> &Axes);

/// Everything that applies to the launches of all kernels that were chosen.
struct UserInput {
  ShapeInput Shape;
  std::vector<ArgumentInput> Arguments;
  std::vector<Buffer> Buffers;
  std::vector<unsigned> Invocations; ///< empty: some of them
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_USERINPUT_H
