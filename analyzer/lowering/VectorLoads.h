//===- VectorLoads.h - Loads as wide as nvcc makes them ---------*- C++ -*-===//
//
// nvcc combines loads of neighbours more boldly than LLVM's vectoriser: it also
// loads members in between that nobody asked for. ptxas then takes those apart
// of which little is used. Both read off cubins of nvcc 13, for every set of
// members of float4, double2, short4 and uchar4.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_VECTORLOADS_H
#define WARPWISE_ANALYZER_LOWERING_VECTORLOADS_H

namespace llvm {
class Function;
}

namespace warpwise::lowering {

/// Adds loads of the members that are missing between members of one aligned
/// vector that are loaded, so that the vectoriser can combine them all. Those
/// that it does not take are without use.
void loadMissingMembers(llvm::Function &F);

/// Narrows vector loads to what is used of them: of four words a single one, a
/// pair or two by themselves, but all when there are three.
void loadWhatIsUsed(llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_VECTORLOADS_H
