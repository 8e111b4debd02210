//===- Confinement.h - A process that can do no harm ------------*- C++ -*-===//
//
// A compiler that reads a stranger's code, and code that was made of it, run in
// processes that have given up what they do not need: they read files and
// compute. They start no program, open nothing for writing, reach no network
// and no other process, whatever becomes of them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CONFINEMENT_CONFINEMENT_H
#define WARPWISE_ANALYZER_CONFINEMENT_CONFINEMENT_H

#include <cstdint>
#include <initializer_list>

namespace warpwise::confinement {

enum class Level {
  Alone, ///< does one thing and ends
  /// Also starts processes that are confined as this one, and more.
  WithChildren
};

/// Closes what this process got from its parent, but for \p Kept and standard
/// error. Standard input and output lead nowhere.
void closeInheritedFiles(std::initializer_list<int> Kept);

/// Limits the memory that this process may have to \p Bytes more than it has
/// now; 0: no limit. A process WithChildren can take that back, for them.
void limitMemory(uint64_t Bytes, Level For);

/// Gives all else up, once and for all, and makes no dump of memory. False when
/// the kernel has no filter for system calls or refuses it.
bool confine(Level To);

/// Whether this kernel has filters for system calls.
bool isAvailable();

/// How a process ends that has no more memory or stack, instead of crashing.
enum ExitStatus : int { NoMemory = 70, NoStack = 71 };

/// From here on the process ends with one of these where it can be told.
void exitInsteadOfCrashing();

} // namespace warpwise::confinement

#endif // WARPWISE_ANALYZER_CONFINEMENT_CONFINEMENT_H
