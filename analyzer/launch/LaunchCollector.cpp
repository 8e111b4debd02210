//===- LaunchCollector.cpp - Reads launches off the host code -------------===//
//
// Chooses the functions to start from and turns what the walk sees at a launch
// into facts. main comes first: what it reaches has known arguments.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/ast/AstWalk.h"
#include "analyzer/launch/Arithmetic.h"
#include "analyzer/launch/ConditionText.h"
#include "analyzer/launch/HostWalk.h"
#include "analyzer/launch/LaunchList.h"
#include "analyzer/launch/ScratchUse.h"
#include "analyzer/launch/ShapeReading.h"

#include "fmt/format.h"
#include "profiler/profile/ArchitectureLimits.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

#include <bit>
#include <deque>

using namespace clang;

namespace warpwise::launch {

namespace {

/// Walks that decide conditions, for one root; and statements, for all roots of
/// a unit: few programs take more than a dozen and some thousands.
constexpr unsigned MaxAlternativeWalks = 64;
constexpr unsigned MaxAlternativeSteps = 200'000;

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

  std::vector<std::string> Notes;

private:
  /// A launch of the walk that is under way.
  struct Recorded {
    SeenLaunch Seen;
    /// The call, and the calls that lead to it.
    uint64_t Place = 0;
    /// The condition that a walk has to decide to know more of the block, of
    /// the grid, of the rest.
    std::array<ForkNumber, 3> LostAt{};
  };
  /// Places whose launches differ with the sides of a condition.
  struct Split {
    ForkKey Key = 0;
    unsigned Sides = 0;
    std::set<uint64_t> Places;
  };
  /// A walk to do, for the launches at some places; for all if there is none.
  struct Task {
    Decisions Chosen;
    std::set<uint64_t> Places;
  };

  HostIndex Index;
  HostWalk Walk;
  LaunchList List;
  std::vector<Recorded> Current;
  /// Launches through pointers that a walk does not know, of all kernels that
  /// they may lead to.
  std::vector<SeenLaunch> Pointed;
  /// Kernels in the list, by mangled name.
  std::set<std::string> Launched;
  /// Functions whose walk, or whose alternatives, went beyond the limits.
  std::vector<std::string> TooLong, TooMany;
  unsigned AlternativeSteps = 0;
  /// What main launches, by kernel; equal ones in a row are one. No more than
  /// are asked for.
  size_t MostInOrder = 0;
  std::map<std::string, std::vector<Launch>> Run;
  bool KeepsOrder = false, InMain = false, IsVague = false, CutShort = false;
  /// The case that the walk is made for.
  const HostWalk::Forced *Case = nullptr;
  std::map<std::pair<const Stmt *, unsigned>, Choice> Texts;
  /// What the host code copies to the device, by its bytes.
  std::map<std::string, std::shared_ptr<const Contents>> Copied;
  /// By launch and argument, see isScratch.
  std::map<std::pair<const CallExpr *, unsigned>, bool> Scratch;
  /// The launches that were seen, with their places.
  std::map<const CallExpr *, Place> Seen;
  /// Launches that a walk passes by: only those that others missed matter.
  std::map<const CallExpr *, Place> SeenBefore;

  void walkReached();
  void walkMissed();
  void walkCaseValues();
  void walkAlternatives(const FunctionDecl *Root);
  std::map<ForkNumber, Split> findSplits(const Task &Done) const;
  void commit(const std::set<uint64_t> &Without);
  void describeLimits();
  bool hasUnseen(const FunctionDecl *Function) const;
  void record(const LaunchSite &Site);
  SeenLaunch describe(const LaunchSite &Site, SeenLaunch General,
                      const FunctionDecl *Kernel);
  void addPointed();
  void addDead();
  void recordInOrder(const Launch &L);
  const Place &placeOf(const CallExpr *Call);
  Argument describe(const Value &V, QualType Type);
  std::shared_ptr<const Contents> contentsAt(Address Place, uint64_t Bytes);
  bool leadsToScratch(const CallExpr *Call, unsigned Number, const Argument &);
  std::vector<Choice> describe(const LaunchSite &Site);
};

} // namespace

static ForkNumber lostAt(const Value &V) {
  ForkNumber Result = V.LostAt;
  if (const Record *Members = V.getRecord())
    for (const Cell &C : **Members)
      Result = std::max(Result, C.Content.LostAt);
  return Result;
}

/// What a scalar member's bytes hold, if that is known.
static std::optional<int64_t> contentOf(const Cell &C) {
  if (const int64_t *Integer = C.Content.getInteger())
    return *Integer;
  const double *Real = C.Content.getReal();
  if (Real && C.Size == sizeof(float))
    return std::bit_cast<uint32_t>(static_cast<float>(*Real));
  if (Real && C.Size == sizeof(double))
    return std::bit_cast<int64_t>(*Real);
  return std::nullopt;
}

/// What is behind the device pointer \p Place into an allocation of \p Bytes,
/// if the host code has copied all of that there; else null.
std::shared_ptr<const Contents> Collector::contentsAt(Address Place,
                                                      uint64_t Bytes) {
  const ObjectId Object = Walk.Objects.copiedTo(Place.Object);
  if (!Object || !Place.Offset || *Place.Offset < 0)
    return nullptr;
  const Value Known = Walk.State.loadRecord({Object, 0}, Bytes);
  std::string Data;
  if (const Record *All = Known.getRecord())
    for (const Cell &C : **All) {
      const std::optional<int64_t> Content = contentOf(C);
      if (!Content || C.Content.Doubts || C.Offset != int64_t(Data.size()) ||
          C.Size > sizeof(*Content))
        return nullptr;
      for (unsigned N = 0; N != C.Size; ++N)
        Data += char(*Content >> (8 * N));
    }
  if (Data.size() != Bytes || uint64_t(*Place.Offset) >= Bytes)
    return nullptr;
  Data.erase(0, *Place.Offset);
  std::shared_ptr<const Contents> &Its = Copied[Data];
  if (!Its) {
    Contents Made;
    Made.What = Contents::Kind::Bytes;
    Made.ElementBytes = 1;
    Made.Elements = Data.size();
    Made.Data = Data;
    Made.IsLikely = true;
    Its = std::make_shared<const Contents>(std::move(Made));
  }
  return Its;
}

Argument Collector::describe(const Value &V, QualType Type) {
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
  Result.NotNull = Type->isPointerType() && V.getAddress();
  // Host memory has no alignment that a kernel could count on.
  auto offsetOf = [&](const Value &Pointer) {
    const Address *Place = Pointer.getAddress();
    return Place && (!Place->Object || Walk.Objects.isOnDevice(Place->Object))
               ? Place->Offset
               : std::nullopt;
  };
  if (Type->isPointerType()) {
    Result.PointerOffset = offsetOf(V);
    const Address *Place = V.getAddress();
    Result.IsElsewhere =
        Place && (Walk.Objects.isElsewhere(Place->Object) ||
                  Walk.Objects.isOnPeer(Place->Object, Walk.State));
    const Value Size = Place ? Walk.Objects.bytesOf(Place->Object) : Value();
    if (const int64_t *Bytes = Size.getInteger(); Bytes && *Bytes > 0) {
      Result.AllocationBytes = uint64_t(*Bytes);
      if (Result.Certain && Size.Doubts == 0 && *Bytes <= MostTableBytes) {
        Result.TableBytes = uint64_t(*Bytes);
        Result.Holds = contentsAt(*Place, *Result.TableBytes);
      }
    }
  }
  if (const Record *Members = V.getRecord())
    for (const Cell &C : **Members) {
      const auto Offset = static_cast<uint64_t>(C.Offset);
      const bool IsCertain = C.Content.Doubts == 0;
      if (const std::optional<int64_t> Content = contentOf(C))
        Result.Members.push_back({Offset, C.Size, *Content, IsCertain});
      else if (const std::optional<int64_t> Start = offsetOf(C.Content))
        Result.Members.push_back({Offset, C.Size, *Start, IsCertain,
                                  /*IsPointer=*/true});
    }
  return Result;
}

/// Of an allocation to which several of \p All lead, each gets what lies from
/// where it leads to where the next one does; unless that is so little that the
/// next one may be a part of the same array.
static void shareAllocations(std::vector<Argument> &All,
                             const std::vector<Value> &Values) {
  constexpr uint64_t MostParts = 16;
  const auto objectOf = [&](size_t N) {
    const Address *Place = N < Values.size() ? Values[N].getAddress() : nullptr;
    return Place ? Place->Object : ObjectId();
  };
  std::vector<std::optional<uint64_t>> Left(All.size());
  for (size_t N = 0; N != All.size(); ++N) {
    const Argument &A = All[N];
    if (!A.AllocationBytes || !objectOf(N) || A.PointerOffset.value_or(-1) < 0)
      continue;
    uint64_t End = *A.AllocationBytes;
    bool IsShared = false;
    for (size_t M = 0; M != All.size(); ++M)
      if (M != N && objectOf(M) == objectOf(N) && All[M].PointerOffset) {
        IsShared |= All[M].PointerOffset != A.PointerOffset;
        if (*All[M].PointerOffset > *A.PointerOffset)
          End = std::min(End, uint64_t(*All[M].PointerOffset));
      }
    const uint64_t Start = std::min(End, uint64_t(*A.PointerOffset));
    if (IsShared && End - Start >= *A.AllocationBytes / MostParts)
      Left[N] = End - Start;
  }
  for (size_t N = 0; N != All.size(); ++N) {
    if (Left[N])
      All[N].AllocationBytes = Left[N];
    for (size_t M = 0; M != All.size(); ++M)
      All[N].IsShared |= M != N && objectOf(N) && objectOf(M) == objectOf(N);
    All[N].IsScratch &= !All[N].IsShared;
  }
}

/// Of memory that the walk has seen somebody allocate.
bool Collector::leadsToScratch(const CallExpr *Call, unsigned Number,
                               const Argument &Its) {
  const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call);
  if (!Launch || !Its.NotNull || Its.PointerOffset != 0)
    return false;
  const auto [Known, IsNew] = Scratch.try_emplace({Call, Number}, false);
  if (IsNew)
    Known->second = isScratch(Launch, Number);
  return Known->second;
}

const Place &Collector::placeOf(const CallExpr *Call) {
  auto [It, IsNew] = Seen.try_emplace(Call);
  if (!IsNew)
    return It->second;
  const SourceManager &Sources = Walk.context().getSourceManager();
  PresumedLoc Place =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Call->getBeginLoc()));
  if (Place.isValid())
    It->second = {Place.getFilename(), Place.getLine()};
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
  if (Earlier.size() < MostInOrder)
    Earlier.push_back(L);
}

/// A parameter that has one value.
static Choice describe(const HostWalk::Forced &Case) {
  const ParmVarDecl *Set = Case.Function->getParamDecl(Case.Parameter);
  Choice Result;
  Result.Condition = Set;
  Result.Side = static_cast<unsigned>(Case.Value);
  Result.Text =
      fmt::format("{} is {}", std::string_view(Set->getName()), Case.Value);
  Result.IsSpecial = true;
  return Result;
}

std::vector<Choice> Collector::describe(const LaunchSite &Site) {
  std::vector<Choice> Result;
  for (const Turn *T = Site.Taken.get(); T; T = T->Earlier.get()) {
    if (isOnlyWay(*T))
      continue;
    auto [It, IsNew] = Texts.try_emplace({T->Where, T->Side});
    if (IsNew)
      It->second = describeTurn(*T, Walk.context());
    Result.push_back(It->second);
    // What a function has asked that has returned since speaks of its own.
    if (!llvm::is_contained(Site.Frames, T->Callers))
      Result.back().Text.clear();
    if (const HostWalk::Forced *Value = Walk.assumedAt(*T))
      Result.push_back(launch::describe(*Value));
  }
  std::ranges::reverse(Result);
  return Result;
}

/// \p General, what holds for any kernel, with that of \p Kernel.
SeenLaunch Collector::describe(const LaunchSite &Site, SeenLaunch General,
                               const FunctionDecl *Kernel) {
  Launch &Facts = General.Facts;
  Facts.Mangled = Walk.nameKernel(Kernel);
  for (unsigned I = 0; I < Kernel->getNumParams(); ++I) {
    Argument Its;
    if (I < Site.Arguments.size()) {
      Its = describe(Site.Arguments[I], Kernel->getParamDecl(I)->getType());
      Its.IsScratch = leadsToScratch(Site.Call, I, Its);
    }
    Facts.Arguments.push_back(std::move(Its));
  }
  shareAllocations(Facts.Arguments, Site.Arguments);
  return General;
}

void Collector::record(const LaunchSite &Site) {
  if (SeenBefore.contains(Site.Call))
    return;
  const SourceManager &Sources = Walk.context().getSourceManager();
  Recorded Made;
  Made.Place = Site.CalledFrom;
  Made.LostAt = {lostAt(Site.Block), lostAt(Site.Grid),
                 lostAt(Site.SharedBytes)};
  for (const Value &V : Site.Arguments)
    Made.LostAt[2] = std::max(Made.LostAt[2], lostAt(V));
  Made.Seen.IsLikely = Walk.State.Likely;
  Made.Seen.IsVague = IsVague;
  // Positions of different units are only kept apart.
  Made.Seen.Order =
      Sources.getExpansionLoc(Site.Call->getBeginLoc()).getRawEncoding();
  if (!KeepsOrder)
    Made.Seen.Choices = describe(Site);
  if (Case) {
    Made.Seen.Case = launch::describe(*Case);
    Made.Seen.Choices.push_back(*Made.Seen.Case);
  }
  Launch &Facts = Made.Seen.Facts;
  Facts.At = placeOf(Site.Call);
  Facts.AfterGap = Site.AfterGap;
  Facts.Block = readShape(Site.Block, Facts.BlockCertain);
  if (!Facts.Block) {
    Facts.BlockAxes = certainAxes(Site.Block);
    Facts.BlockMost = mostAlongAxes(Site.Block, profile::MostBlockThreads);
  }
  Facts.NoMultipleOf = noMultipleOf(Site.Arguments);
  Facts.Grid = readShape(Site.Grid, Facts.GridCertain);
  if (!Facts.Grid) {
    Facts.GridMost = mostAlongAxes(Site.Grid, INT32_MAX);
    Facts.GridFrom = formulasOf(Site.Grid, Site.Arguments);
  }
  if (const int64_t *Bytes = Site.SharedBytes.getInteger()) {
    Facts.DynamicSharedBytes = uint64_t(*Bytes); // size_t in the language, too
    Facts.SharedBytesCertain = Site.SharedBytes.Doubts == 0;
  }
  const auto *Direct = dyn_cast<CUDAKernelCallExpr>(Site.Call);
  if (Direct && Site.Kernels.empty() && Walk.Settings.Alternatives)
    for (const FunctionDecl *Kernel :
         Index.findPointees(Direct, Walk.context()))
      Pointed.push_back(describe(Site, Made.Seen, Kernel));
  for (const FunctionDecl *Kernel : Site.Kernels) {
    // Host code that is not compiled as CUDA has no word for kernels.
    if (Direct && !Kernel->hasAttr<CUDAGlobalAttr>())
      continue;
    Recorded One = Made;
    One.Seen = describe(Site, std::move(One.Seen), Kernel);
    if (KeepsOrder && InMain && Walk.State.Likely)
      recordInOrder(One.Seen.Facts);
    else
      Current.push_back(std::move(One));
  }
}

/// The places where a launch of the walk \p Done depends on a condition, by
/// that condition: the one next to the launch, since whoever chooses between
/// shapes does so there, while there may be dozens on the way from the command
/// line.
std::map<ForkNumber, Collector::Split>
Collector::findSplits(const Task &Done) const {
  std::map<uint64_t, std::array<ForkNumber, 3>> Places;
  for (const Recorded &R : Current)
    if (Done.Places.empty() || Done.Places.contains(R.Place))
      for (size_t N = 0; N != R.LostAt.size(); ++N)
        Places[R.Place][N] = std::max(Places[R.Place][N], R.LostAt[N]);
  std::map<ForkNumber, Split> Result;
  for (const auto &[Place, LostAt] : Places)
    for (ForkNumber Number : LostAt)
      if (const Forks::Point *Last = Walk.forks().find(Number)) {
        Split &S = Result[Number];
        S.Key = Last->Key;
        S.Sides = Last->Sides;
        S.Places.insert(Place);
        break;
      }
  return Result;
}

void Collector::commit(const std::set<uint64_t> &Without) {
  for (Recorded &R : Current)
    if (!Without.contains(R.Place)) {
      Launched.insert(R.Seen.Facts.Mangled);
      List.add(std::move(R.Seen));
    }
  Current.clear();
}

/// A pointer leads to a kernel that nothing else launches, if to any.
void Collector::addPointed() {
  for (SeenLaunch &L : Pointed)
    if (!Launched.contains(L.Facts.Mangled))
      List.add(std::move(L));
  Pointed.clear();
}

/// Kernels of which all launches are behind conditions that are false whatever
/// the program gets.
void Collector::addDead() {
  std::map<std::string, std::string> Names;
  for (const CUDAKernelCallExpr *Call : Walk.dead())
    if (const FunctionDecl *Kernel = Call->getDirectCallee();
        Kernel && Kernel->hasAttr<CUDAGlobalAttr>() && !Seen.contains(Call)) {
      llvm::raw_string_ostream Out(Names[Walk.nameKernel(Kernel)] = "");
      Kernel->getNameForDiagnostic(Out,
                                   Kernel->getASTContext().getPrintingPolicy(),
                                   /*Qualified=*/true);
    }
  std::erase_if(Names,
                [&](const auto &Its) { return Launched.contains(Its.first); });
  if (!Names.empty())
    Notes.push_back(fmt::format(
        "nothing is said of '{}'{}: what would launch {} is behind a condition "
        "that is false, as for the type that it is instantiated for",
        Names.begin()->second,
        Names.size() == 1
            ? ""
            : fmt::format(" and {} other kernel{}", Names.size() - 1,
                          Names.size() == 2 ? "" : "s"),
        Names.size() == 1 ? "it" : "them"));
  for (const auto &[Mangled, Name] : Names) {
    SeenLaunch None;
    None.Facts.Mangled = Mangled;
    None.Facts.IsDead = true;
    List.add(std::move(None));
  }
}

/// Walks \p Root, and again with each side of the conditions whose sides make
/// launches differ.
void Collector::walkAlternatives(const FunctionDecl *Root) {
  std::deque<Task> Open(1);
  unsigned Walks = 1;
  bool IsCut = false;
  while (!Open.empty()) {
    const Task Now = std::move(Open.front());
    Open.pop_front();
    const unsigned Before = Walk.steps();
    Walk.walkRoot(Root, false, nullptr, &Now.Chosen);
    if (!Now.Chosen.empty())
      AlternativeSteps += Walk.steps() - Before;
    else if (Walk.wasAbandoned())
      TooLong.push_back(Root->getNameAsString());
    if (!Now.Places.empty())
      std::erase_if(Current, [&](const Recorded &R) {
        return !Now.Places.contains(R.Place);
      });
    std::set<uint64_t> Divided;
    if (Walk.Settings.Alternatives)
      for (const auto &[Order, S] : findSplits(Now)) {
        if (Walks + S.Sides > MaxAlternativeWalks ||
            AlternativeSteps > MaxAlternativeSteps) {
          IsCut = true;
          break;
        }
        Walks += S.Sides;
        Divided.insert(S.Places.begin(), S.Places.end());
        for (unsigned Side = 0; Side != S.Sides; ++Side) {
          Task &Next = Open.emplace_back(Now);
          Next.Chosen[S.Key] = Side;
          Next.Places = S.Places;
        }
      }
    commit(Divided);
  }
  if (IsCut)
    TooMany.push_back(Root->getNameAsString());
}

/// "'run'", "'run' and 3 other functions".
static std::string listFunctions(const std::vector<std::string> &Names) {
  return Names.size() == 1
             ? fmt::format("'{}' has", Names.front())
             : fmt::format("'{}' and {} other function{} have", Names.front(),
                           Names.size() - 1, Names.size() == 2 ? "" : "s");
}

void Collector::describeLimits() {
  if (!TooLong.empty())
    Notes.push_back(fmt::format("{} more to do than is followed; launches that "
                                "come late may be missing",
                                listFunctions(TooLong)));
  if (!TooMany.empty())
    Notes.push_back(fmt::format(
        "{} more ways to a launch than are told apart; what these do not have "
        "in common is not known",
        listFunctions(TooMany)));
}

bool Collector::hasUnseen(const FunctionDecl *Function) const {
  return llvm::any_of(Index.getLaunches(Function), [&](const CallExpr *Call) {
    return !Seen.contains(Call);
  });
}

void Collector::walkReached() {
  auto walk = [&](const FunctionDecl *Function) {
    if (!Walk.wasEntered(Function) && Index.mayLaunch(Function))
      walkAlternatives(Function);
  };
  InMain = true;
  for (const FunctionDecl *Function : Index.getFunctions())
    if (Function->isMain())
      walk(Function);
  InMain = false;
  CutShort = Walk.wasAbandoned();
  // What nobody calls is an entry point for another translation unit.
  for (const FunctionDecl *Function : Index.getFunctions())
    if (!Index.isReferenced(Function))
      walk(Function);
  // What is left stands behind a limit. Callers, which know more, mostly stand
  // below what they call.
  for (const FunctionDecl *Function : llvm::reverse(Index.getFunctions()))
    walk(Function);
}

void Collector::walkMissed() {
  // Behind a condition that is false in this program, or past the limits.
  for (const FunctionDecl *Function : Index.getFunctions())
    if (hasUnseen(Function)) {
      // Of the others all is known that this walk would see, and more.
      SeenBefore = Seen;
      Walk.walkRoot(Function, true);
      commit({});
    }
  SeenBefore.clear();
}

void Collector::walkCaseValues() {
  constexpr size_t MaxWalks = 64;
  std::vector<HostWalk::Forced> Done;
  for (const HostWalk::Forced &Value : Walk.takeCaseValues()) {
    if (Done.size() == MaxWalks)
      break;
    Case = &Value;
    Walk.walkRoot(Value.Function, false, Case);
    commit({});
    Done.push_back(Value);
  }
  Case = nullptr;
}

std::vector<Launch> Collector::run(unsigned MaxPerKernel) {
  walkReached();
  IsVague = true;
  walkMissed();
  walkCaseValues();
  addPointed();
  addDead();
  describeLimits();
  return List.take(MaxPerKernel, Walk.Settings.Alternatives, Notes);
}

std::vector<Launch> Collector::runInOrder(unsigned MaxPerKernel) {
  KeepsOrder = true;
  MostInOrder = MaxPerKernel;
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

std::vector<Launch> collectLaunches(HostProgram Program,
                                    std::vector<std::string> &Notes,
                                    unsigned MaxPerKernel) {
  Program.Settings.Alternatives = true;
  Collector All(Program);
  std::vector<Launch> Result = All.run(MaxPerKernel);
  Notes = std::move(All.Notes);
  return Result;
}

std::vector<Launch> collectRun(const HostProgram &Program,
                               unsigned MaxPerKernel,
                               std::set<std::string> *Wanted,
                               std::vector<std::string> *Notes) {
  Collector InFull(Program);
  std::vector<Launch> Result = InFull.runInOrder(MaxPerKernel);
  if (Notes)
    *Notes = InFull.Notes;
  if (Wanted)
    *Wanted = InFull.wanted();
  if (!InFull.wasCutShort())
    return Result;
  // Better all of the run in outline than its beginning in full.
  HostProgram Outline = Program;
  Outline.Settings.LaunchIterations = HostSettings().LaunchIterations;
  Collector InOutline(Outline);
  Result = InOutline.runInOrder(MaxPerKernel);
  if (Notes)
    *Notes = InOutline.Notes;
  return Result;
}

} // namespace warpwise::launch
