//===- BlockOrder.cpp - The order in which lanes reconverge ---------------===//

#include "analyzer/lowering/BlockOrder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// Orders one region (a loop's body, or the function) with its inner loops
/// collapsed into their headers, then puts each inner loop in place.
class RegionOrder {
  LoopInfo &Loops;
  std::vector<BasicBlock *> &Result;

  /// The block that stands for \p Block inside \p Region: itself, or the header
  /// of the inner loop that it belongs to; null when it is outside.
  BasicBlock *representative(BasicBlock *Block, Loop *Region) const {
    Loop *At = Loops.getLoopFor(Block);
    if (At == Region)
      return Block;
    while (At && At->getParentLoop() != Region)
      At = At->getParentLoop();
    return At ? At->getHeader() : nullptr;
  }

public:
  RegionOrder(LoopInfo &Loops, std::vector<BasicBlock *> &Result)
      : Loops(Loops), Result(Result) {}

  void order(BasicBlock *Entry, Loop *Region) {
    // Depth-first post-order, with an explicit stack: kernels with ten
    // thousand blocks exist.
    DenseMap<BasicBlock *, SmallVector<BasicBlock *, 4>> Successors;
    auto collect = [&](BasicBlock *Node) {
      SmallVector<BasicBlock *, 4> Out;
      auto add = [&](BasicBlock *From) {
        for (BasicBlock *To : successors(From)) {
          BasicBlock *Rep = representative(To, Region);
          if (Rep && Rep != Entry && Rep != Node && !is_contained(Out, Rep))
            Out.push_back(Rep);
        }
      };
      Loop *Inner = Loops.getLoopFor(Node);
      if (Inner != Region && Inner && Node != Entry) {
        while (Inner->getParentLoop() != Region)
          Inner = Inner->getParentLoop();
        for (BasicBlock *Block : Inner->blocks())
          add(Block);
      } else {
        add(Node);
      }
      return Out;
    };
    std::vector<BasicBlock *> PostOrder;
    DenseSet<BasicBlock *> Seen{Entry};
    std::vector<std::pair<BasicBlock *, SmallVector<BasicBlock *, 4>>> Stack;
    // The entry of the function may itself head a loop.
    Stack.emplace_back(Entry, collect(Entry));
    while (!Stack.empty()) {
      auto &[Node, Left] = Stack.back();
      if (Left.empty()) {
        PostOrder.push_back(Node);
        Stack.pop_back();
        continue;
      }
      BasicBlock *Next = Left.pop_back_val();
      if (Seen.insert(Next).second) {
        auto Out = collect(Next);
        Stack.emplace_back(Next, std::move(Out));
      }
    }
    for (BasicBlock *Node : reverse(PostOrder)) {
      Loop *Inner = Loops.getLoopFor(Node);
      if (Inner == Region || !Inner) {
        Result.push_back(Node);
        continue;
      }
      while (Inner->getParentLoop() != Region)
        Inner = Inner->getParentLoop();
      order(Inner->getHeader(), Inner);
    }
  }
};

} // namespace

std::vector<BasicBlock *> convergentOrder(Function &F, LoopInfo &Loops) {
  std::vector<BasicBlock *> Result;
  RegionOrder(Loops, Result).order(&F.getEntryBlock(), nullptr);
  return Result;
}

} // namespace warpwise::lowering
