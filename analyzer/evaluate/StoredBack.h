//===- StoredBack.h - Threads that load what they stored --------*- C++ -*-===//
//
// Listens to the requests of one block to arrays in global memory that the
// kernel both stores to and loads from. Where each thread loads only elements
// that it has stored itself, and stores to no other thread's, registers could
// hold them, and memory is wanted for what is left at the end at most.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_STOREDBACK_H
#define WARPWISE_ANALYZER_EVALUATE_STOREDBACK_H

#include "analyzer/evaluate/Program.h"
#include "analyzer/evaluate/WarpInterpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace warpwise::access {

class StoredBack : public RequestSink {
public:
  explicit StoredBack(const Program &Code);

  /// There is nothing to listen for.
  bool isEmpty() const { return Arrays.empty(); }
  /// What follows is warp \p Warp of the block. All of them have to follow,
  /// each to its end, before anything is asked.
  void startWarp(unsigned Warp) { this->Warp = Warp; }
  void request(uint32_t Site, const LaneValue &Address, uint32_t Active,
               uint32_t Speculative) override;

  /// See Cost::KeptIfInRegister. By site.
  std::vector<std::optional<double>> kept() const;

private:
  struct Element {
    unsigned Thread;
    uint32_t LastStore; ///< site
  };
  struct Array {
    unsigned Bytes = 0; ///< of an element: all accesses are as wide
    bool IsOwn = true;  ///< as far as is seen
    uint64_t Phase = 0; ///< of the addresses, modulo Bytes
    llvm::DenseMap<uint64_t, Element> Elements{}; ///< by address
  };
  struct Sums {
    double Stored = 0, Overwritten = 0; ///< lanes
    bool IsSeen = false;
  };

  const Program &Code;
  llvm::SmallDenseMap<const llvm::Value *, Array, 4> Arrays;
  std::vector<Sums> Sites;
  unsigned Warp = 0;

  void access(Array &Its, uint32_t Site, unsigned Thread, uint64_t At);
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_STOREDBACK_H
