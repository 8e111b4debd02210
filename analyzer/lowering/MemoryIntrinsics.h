//===- MemoryIntrinsics.h - Copies and fills as accesses --------*- C++ -*-===//
//
// memcpy, memmove and memset, which is also how Clang copies and clears whole
// structs. nvcc makes loads and stores of them that are as wide as the
// alignment allows; so do these functions, once for all engines.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_MEMORYINTRINSICS_H
#define WARPWISE_ANALYZER_LOWERING_MEMORYINTRINSICS_H

namespace llvm {
class AllocaInst;
class Function;
} // namespace llvm

namespace warpwise::lowering {

/// Replaces every memory intrinsic of \p F that touches memory other than the
/// thread's own by loads and stores. What stays within private variables is
/// left to SROA. Pointers have to be in registers already (mem2reg).
///
/// A pointer is aligned as its type says when an object is assigned, and not at
/// all when memcpy() is called by name: nvcc moves single bytes then, unless it
/// sees the variable. Read off cubins of nvcc 13.
void expandMemoryIntrinsics(llvm::Function &F);

/// Takes stores of constants to a private array apart again that the vectoriser
/// has joined although nvcc stores each element by itself, which it does if the
/// array's size is no multiple of 8 bytes ("0123456789abcdef" is one of 17).
void separateTableStores(llvm::Function &F);

/// Whether \p Array is such a one, whose stores ptxas does not join either.
bool isStoredByElement(const llvm::AllocaInst &Array);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_MEMORYINTRINSICS_H
