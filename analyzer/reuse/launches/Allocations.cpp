//===- Allocations.cpp - Where pointer arguments lead ---------------------===//

#include "analyzer/reuse/launches/Allocations.h"

#include "analyzer/launch/HostWalk.h"
#include "analyzer/launch/LaunchCollector.h"

#include "clang/Basic/SourceManager.h"

#include <fmt/format.h>

#include <set>

using namespace clang;

namespace warpwise::reuse {
namespace {

using launch::Address;
using launch::ObjectId;
using launch::Value;

/// The host interpreter, which in addition notes what launches are handed.
class AllocationWalk : public launch::HostWalk {
public:
  AllocationWalk(const launch::HostIndex &Index,
                 const launch::HostSettings &Settings, AllocationTable &Table)
      : HostWalk(Index, Settings,
                 [this](const launch::LaunchSite &Site) { note(Site); }),
        Table(Table) {}

  Value call(const CallExpr *Call) override {
    Value Result = HostWalk::call(Call);
    const FunctionDecl *Callee = Call->getDirectCallee();
    const IdentifierInfo *Name = Callee ? Callee->getIdentifier() : nullptr;
    if (Name && Call->getNumArgs() >= 3 &&
        (Name->getName() == "cudaMemset" ||
         Name->getName() == "cudaMemsetAsync"))
      noteFill(Call->getArg(0), Call->getArg(1), Call->getArg(2));
    else if (!Zeroed.empty() && Callee && !Callee->hasBody())
      noteWrites(Call);
    return Result;
  }

private:
  AllocationTable &Table;
  std::set<ObjectId> Zeroed;

  /// The value of an argument that was evaluated before; unknown when that
  /// would have its effects once more.
  Value valueOf(const Expr *E) {
    return E->HasSideEffects(context()) ? Value() : evaluate(E);
  }

  void noteFill(const Expr *Pointer, const Expr *Fill, const Expr *Bytes) {
    const Value Place = valueOf(Pointer), With = valueOf(Fill),
                Count = valueOf(Bytes);
    const Address *Start = Place.getAddress();
    if (!Start || !Start->Object)
      return;
    const Value Size = Objects.bytesOf(Start->Object);
    if (With.getInteger() && *With.getInteger() == 0 && Count.getInteger() &&
        Start->Offset == 0 && Size.getInteger() &&
        *Count.getInteger() == *Size.getInteger() && State.Likely)
      Zeroed.insert(Start->Object);
    else if (!With.getInteger() || *With.getInteger() != 0)
      Zeroed.erase(Start->Object);
  }

  /// A function that nobody knows may write what it gets a pointer to.
  void noteWrites(const CallExpr *Call) {
    for (const Expr *Argument : Call->arguments())
      if (Argument->getType()->isPointerType() && !Argument->isGLValue()) {
        const Value V = valueOf(Argument);
        if (const Address *Start = V.getAddress())
          Zeroed.erase(Start->Object);
        else if (!V.isKnown() && Argument->HasSideEffects(context()))
          Zeroed.clear();
      }
  }

  void note(const launch::LaunchSite &Site) {
    const SourceManager &Sources = context().getSourceManager();
    const PresumedLoc Place = Sources.getPresumedLoc(
        Sources.getExpansionLoc(Site.Call->getBeginLoc()));
    if (Place.isInvalid())
      return;
    auto &Arguments = Table[{Place.getFilename(), Place.getLine()}];
    Arguments.resize(std::max(Arguments.size(), Site.Arguments.size()));
    for (size_t I = 0; I != Site.Arguments.size(); ++I) {
      const Address *Start = Site.Arguments[I].getAddress();
      if (!Start || !Objects.isOnDevice(Start->Object))
        continue;
      const bool IsZero = Zeroed.contains(Start->Object);
      if (!Arguments[I])
        Arguments[I] = Allocation{Start->Object, sizeOf(Start->Object), IsZero};
      else
        Arguments[I]->IsZero &= IsZero;
    }
    for (const Value &V : Site.Arguments)
      if (const Address *Start = V.getAddress())
        Zeroed.erase(Start->Object);
  }

  uint64_t sizeOf(ObjectId Object) const {
    const Value Size = Objects.bytesOf(Object);
    const int64_t *Bytes = Size.getInteger();
    return Bytes && *Bytes > 0 ? uint64_t(*Bytes) : 0;
  }
};

} // namespace

AllocationTable collectAllocations(const launch::HostProgram &Program) {
  AllocationTable Table;
  const launch::HostIndex Index(Program.Units);
  AllocationWalk Walk(Index, Program.Settings, Table);
  const auto Start = [&](auto Wanted) {
    for (const FunctionDecl *Function : Index.getFunctions())
      if (!Walk.wasEntered(Function) && Index.mayLaunch(Function) &&
          Wanted(Function))
        Walk.walkRoot(Function, /*Branches.takesAll()=*/false);
  };
  Start([](const FunctionDecl *Function) { return Function->isMain(); });
  Start([](const FunctionDecl *) { return true; });
  return Table;
}

} // namespace warpwise::reuse
