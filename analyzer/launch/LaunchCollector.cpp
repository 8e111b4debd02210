//===- LaunchCollector.cpp - Reads launches off the host code -------------===//
//
// Chooses the functions to start from and turns what the walk sees at a launch
// into facts. main comes first: what it reaches has known arguments.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/launch/HostWalk.h"
#include "analyzer/launch/LaunchList.h"

#include "fmt/format.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace warpwise::launch {

namespace {

class Collector {
public:
  explicit Collector(const HostProgram &Program)
      : Index(Program.Units),
        Walk(Index, Program.Settings,
             [this](const LaunchSite &Site) { record(Site); }) {}

  std::vector<Launch> run(unsigned MaxPerKernel);
  /// Those that main reaches come in the order of the run.
  std::vector<Launch> runInOrder(unsigned MaxPerKernel);
  /// main has more to do than the walk may.
  bool wasCutShort() const { return CutShort; }
  const std::set<std::string> &wanted() const { return Walk.WantedKernels; }

private:
  HostIndex Index;
  HostWalk Walk;
  LaunchList List;
  /// What main launches, by kernel; equal ones in a row are one.
  std::map<std::string, std::vector<Launch>> Run;
  bool KeepsOrder = false, InMain = false, CutShort = false;
  /// The launches that were seen, with their places.
  std::map<const CallExpr *, std::string> Seen;

  void walkReached();
  void walkMissed();
  void walkCaseValues();
  bool hasUnseen(const FunctionDecl *Function) const;
  void record(const LaunchSite &Site);
  void recordInOrder(const Launch &L);
  const std::string &describePlace(const CallExpr *Call);
  Argument describe(const Value &V, QualType Type) const;
};

} // namespace

/// The components of a dim3, all or none. 0 is not a length: such a launch
/// fails, and the value is a placeholder.
static std::optional<Dim3> readShape(const Value &V, bool &Certain) {
  // An error in another part of the launch keeps `256` from becoming a dim3.
  if (const int64_t *Threads = V.getInteger()) {
    Certain = V.Doubts == 0;
    return *Threads > 0 && *Threads <= UINT32_MAX
               ? std::optional(Dim3{static_cast<uint32_t>(*Threads), 1, 1})
               : std::nullopt;
  }
  const Record *Members = V.getRecord();
  if (!Members)
    return std::nullopt;
  Dim3 Shape = {0, 0, 0};
  for (const Cell &C : **Members) {
    const int64_t *Length = C.Content.getInteger();
    if (Length && *Length > 0 && C.Offset % 4 == 0 && C.Offset < 12 &&
        *Length <= UINT32_MAX)
      Shape[C.Offset / 4] = static_cast<uint32_t>(*Length);
    if (C.Content.Doubts | V.Doubts)
      Certain = false;
  }
  return llvm::is_contained(Shape, 0U) ? std::nullopt : std::optional(Shape);
}

Argument Collector::describe(const Value &V, QualType Type) const {
  Argument Result;
  Result.Certain = V.Doubts == 0;
  if (Type->isReferenceType())
    return Result;
  if (const int64_t *Integer = V.getInteger();
      Integer && (Type->isIntegralOrEnumerationType() ||
                  (Type->isPointerType() && *Integer == 0)))
    Result.Integer = *Integer;
  if (const double *Real = V.getReal())
    Result.Real = *Real;
  // Host memory has no alignment that a kernel could count on.
  if (const Address *Place = V.getAddress();
      Place && Type->isPointerType() &&
      (!Place->Object || Walk.isDeviceMemory(Place->Object)))
    Result.PointerOffset = Place->Offset;
  if (const Record *Members = V.getRecord())
    for (const Cell &C : **Members) {
      if (const int64_t *Integer = C.Content.getInteger())
        Result.Members.push_back(
            {static_cast<uint64_t>(C.Offset), C.Size, *Integer});
      Result.Certain &= C.Content.Doubts == 0;
    }
  return Result;
}

const std::string &Collector::describePlace(const CallExpr *Call) {
  auto [It, IsNew] = Seen.try_emplace(Call);
  if (!IsNew)
    return It->second;
  const SourceManager &Sources = Walk.context().getSourceManager();
  PresumedLoc Place =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Call->getBeginLoc()));
  if (Place.isValid())
    It->second = fmt::format("{}:{}", Place.getFilename(), Place.getLine());
  return It->second;
}

void Collector::recordInOrder(const Launch &L) {
  std::vector<Launch> &Earlier = Run[L.Mangled];
  if (!Earlier.empty()) {
    Launch &Last = Earlier.back();
    const unsigned Count = std::exchange(Last.Count, L.Count);
    const bool IsSame = Last == L;
    Last.Count = Count + IsSame;
    if (IsSame)
      return;
  }
  Earlier.push_back(L);
}

void Collector::record(const LaunchSite &Site) {
  const SourceManager &Sources = Walk.context().getSourceManager();
  Launch Facts;
  Facts.At = describePlace(Site.Call);
  Facts.AfterGap = Site.AfterGap;
  Facts.Block = readShape(Site.Block, Facts.BlockCertain);
  Facts.Grid = readShape(Site.Grid, Facts.GridCertain);
  if (const int64_t *Bytes = Site.SharedBytes.getInteger())
    Facts.DynamicSharedBytes = uint64_t(*Bytes); // size_t in the language, too
  for (const FunctionDecl *Kernel : Site.Kernels) {
    if (!Kernel->hasAttr<CUDAGlobalAttr>())
      continue;
    Launch One = Facts;
    One.Mangled = Walk.nameKernel(Kernel);
    for (unsigned I = 0; I < Kernel->getNumParams(); ++I)
      One.Arguments.push_back(
          I < Site.Arguments.size()
              ? describe(Site.Arguments[I], Kernel->getParamDecl(I)->getType())
              : Argument());
    // Positions of different units are only kept apart.
    unsigned Order =
        Sources.getExpansionLoc(Site.Call->getBeginLoc()).getRawEncoding();
    if (KeepsOrder && InMain && Walk.State.Likely) {
      recordInOrder(One);
      continue;
    }
    List.add(std::move(One), Order, Walk.State.Likely);
  }
}

bool Collector::hasUnseen(const FunctionDecl *Function) const {
  return llvm::any_of(Index.getLaunches(Function), [&](const CallExpr *Call) {
    return !Seen.contains(Call);
  });
}

void Collector::walkReached() {
  auto Start = [&](auto Wanted) {
    for (const FunctionDecl *Function : Index.getFunctions())
      if (!Walk.wasEntered(Function) && Index.mayLaunch(Function) &&
          Wanted(Function))
        Walk.walkRoot(Function, false);
  };
  InMain = true;
  Start([](const FunctionDecl *Function) { return Function->isMain(); });
  InMain = false;
  CutShort = Walk.wasAbandoned();
  // What nobody calls is an entry point for another translation unit.
  Start([&](const FunctionDecl *Function) {
    return !Index.isReferenced(Function);
  });
  Start([](const FunctionDecl *) { return true; });
}

void Collector::walkMissed() {
  // Behind a condition that is false in this program, or past the limits.
  for (const FunctionDecl *Function : Index.getFunctions())
    if (hasUnseen(Function))
      Walk.walkRoot(Function, true);
}

void Collector::walkCaseValues() {
  constexpr size_t MaxWalks = 64;
  std::vector<HostWalk::Forced> Done;
  for (const HostWalk::Forced &Case : Walk.takeCaseValues()) {
    if (Done.size() == MaxWalks)
      return;
    Walk.walkRoot(Case.Function, false, &Case);
    Done.push_back(Case);
  }
}

std::vector<Launch> Collector::run(unsigned MaxPerKernel) {
  walkReached();
  walkMissed();
  walkCaseValues();
  return List.take(MaxPerKernel);
}

std::vector<Launch> Collector::runInOrder(unsigned MaxPerKernel) {
  KeepsOrder = true;
  std::vector<Launch> Result;
  for (Launch &L : run(MaxPerKernel))
    if (!Run.contains(L.Mangled))
      Result.push_back(std::move(L));
  for (auto &[Kernel, Launches] : Run) {
    Launches.resize(std::min<size_t>(Launches.size(), MaxPerKernel));
    llvm::move(Launches, std::back_inserter(Result));
  }
  return Result;
}

std::vector<Launch> collectLaunches(ASTContext &Context,
                                    unsigned MaxPerKernel) {
  return Collector({{&Context}, {}}).run(MaxPerKernel);
}

std::vector<Launch> collectRun(const HostProgram &Program,
                               unsigned MaxPerKernel,
                               std::set<std::string> *Wanted) {
  Collector InFull(Program);
  std::vector<Launch> Result = InFull.runInOrder(MaxPerKernel);
  if (Wanted)
    *Wanted = InFull.wanted();
  if (!InFull.wasCutShort())
    return Result;
  // Better all of the run in outline than its beginning in full.
  HostProgram Outline = Program;
  Outline.Settings.LaunchIterations = HostSettings().LaunchIterations;
  return Collector(Outline).runInOrder(MaxPerKernel);
}

namespace {

class BoundsVisitor : public RecursiveASTVisitor<BoundsVisitor> {
public:
  explicit BoundsVisitor(ASTContext &Context) : Context(Context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseTypeLoc(TypeLoc) { return true; }

  bool VisitFunctionDecl(FunctionDecl *Function) {
    const auto *Bounds = Function->getAttr<CUDALaunchBoundsAttr>();
    if (!Bounds || !Function->hasAttr<CUDAGlobalAttr>() ||
        Function->isDependentContext())
      return true;
    const Expr *Threads = Bounds->getMaxThreads();
    Expr::EvalResult Result;
    if (Threads && !Threads->isValueDependent() &&
        Threads->EvaluateAsInt(Result, Context))
      Found[Names.get(Function)] =
          static_cast<unsigned>(Result.Val.getInt().getZExtValue());
    return true;
  }

  std::map<std::string, unsigned> Found;

private:
  ASTContext &Context;
  LinkerNames Names;
};

} // namespace

std::map<std::string, unsigned> collectLaunchBounds(ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  BoundsVisitor Visitor(Context);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (D->getLocation().isValid() &&
        !Sources.isInSystemHeader(Sources.getExpansionLoc(D->getLocation())))
      Visitor.TraverseDecl(D);
  return std::move(Visitor.Found);
}

} // namespace warpwise::launch
