//===- HostState.cpp - The memory of the host interpreter -----------------===//
//
// Loads, stores and joins. No Clang in here: the evaluator turns types into
// sizes and offsets.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostState.h"

#include <algorithm>
#include <cassert>

namespace warpwise::launch {

static bool holdSameCells(const Record &A, const Record &B) {
  if (A == B)
    return true;
  return std::ranges::equal(*A, *B, [](const Cell &L, const Cell &R) {
    return L.Offset == R.Offset && L.Size == R.Size &&
           holdSame(L.Content, R.Content);
  });
}

bool holdSame(const Value &A, const Value &B) {
  if (A.Data.index() != B.Data.index())
    return false;
  if (const Record *Cells = A.getRecord())
    return holdSameCells(*Cells, *B.getRecord());
  return A.Data == B.Data;
}

/// Functions are kept as alternatives, pointers keep the offset that they have
/// in common: both matter more at a launch than which of them it is.
static std::optional<Value> merge(const Value &A, const Value &B) {
  std::optional<Value> Result;
  if (const FunctionSet *Left = A.getFunctions()) {
    if (const FunctionSet *Right = B.getFunctions()) {
      FunctionSet Both = *Left;
      for (const clang::FunctionDecl *Function : *Right)
        if (!std::ranges::count(Both, Function))
          Both.push_back(Function);
      Result = Value(std::move(Both), A.Doubts | B.Doubts);
    }
  } else if (const Address *Left = A.getAddress()) {
    if (const Address *Right = B.getAddress();
        Right && Left->Offset == Right->Offset)
      Result = Value(Address{0, Left->Offset}, A.Doubts | B.Doubts);
  }
  return Result ? std::optional(Result->addFork(std::max(A.LostAt, B.LostAt)))
                : std::nullopt;
}

static Value joinRecords(const Record *Before, const Record &A, const Record &B,
                         Meeting &At) {
  auto Find = [](const Cells &In, const Cell &Like) -> const Value * {
    for (const Cell &C : In)
      if (C.Offset == Like.Offset && C.Size == Like.Size)
        return &C.Content;
    return nullptr;
  };
  auto Result = std::make_shared<Cells>();
  for (const Cell &Left : *A)
    if (const Value *Right = Find(*B, Left))
      Result->push_back({Left.Offset, Left.Size,
                         join(Before ? Find(**Before, Left) : nullptr,
                              Left.Content, *Right, At)});
  return Value(Record(std::move(Result)));
}

/// \p A, of which one does not know whether it is \p B.
static Value withCommonQuotient(Value A, const Value &B) {
  if (!A.Is || !B.Is || *A.Is != *B.Is)
    A.Is = nullptr;
  return A;
}

/// Both hold the same.
static Value unite(const Value &A, const Value &B) {
  Value Result = withCommonQuotient(A, B).addDoubts(B.Doubts).addFork(B.LostAt);
  Result.Within = widen(A.Within, B.Within);
  Result.Assumed = A.Assumed && B.Assumed;
  return Result;
}

static bool wasAssigned(const Value &V) { return V.isKnown() && !V.Assumed; }

Value join(const Value *Before, const Value &A, const Value &B, Meeting &At) {
  if (holdSame(A, B))
    return unite(A, B);
  if (A.getRecord() && B.getRecord())
    return joinRecords(Before ? Before->getRecord() : nullptr, *A.getRecord(),
                       *B.getRecord(), At);
  const DoubtSet Doubts = A.Doubts | B.Doubts | At.Reason;
  const ForkNumber LostAt = std::max(A.LostAt, B.LostAt);
  if (std::optional<Value> Both = merge(A, B))
    return Both->addDoubts(Doubts);
  if (Before && Before->isKnown() &&
      (holdSame(*Before, A) || holdSame(*Before, B))) {
    const Value &Changed = holdSame(*Before, A) ? B : A;
    return Before->addDoubts(Doubts).addFork(LostAt).addFork(
        wasAssigned(Changed) ? At.Fork : 0);
  }
  // A variable that had no value got a known one on one path and something
  // unknown, like an option, on the other; not one of several that are known.
  // 0 is more likely a placeholder.
  auto IsDefault = [&](const Value &V, const Value &Other) {
    const int64_t *Integer = V.getInteger();
    return !Before && wasAssigned(V) && !Other.isKnown() && Other.LostAt == 0 &&
           !(Integer && *Integer == 0);
  };
  if (IsDefault(A, B))
    return A.addDoubts(Doubts).addFork(LostAt);
  if (IsDefault(B, A))
    return B.addDoubts(Doubts).addFork(LostAt);
  // What a condition says of a variable ends with its side.
  const bool Loses = wasAssigned(A) || wasAssigned(B);
  return Value().addFork(LostAt).addFork(Loses ? At.Fork : 0);
}

Value joinWithDefault(const Value &Winner, const Value &Other, Meeting &At) {
  if (holdSame(Winner, Other))
    return unite(Winner, Other);
  Value Result = Winner.addDoubts(At.Reason)
                     .addFork(Other.LostAt)
                     .addFork(wasAssigned(Other) ? At.Fork : 0);
  Result.Within = nullptr; // the other may be without
  Result.Is = nullptr;
  return Result;
}

Value joinAfterLoop(const Value *Was, const Value &Now, DoubtSet Reason) {
  if (!Was)
    return Now.addDoubts(Reason);
  DoubtSet Doubts = Was->Doubts | Now.Doubts | Reason;
  const ForkNumber LostAt = std::max(Was->LostAt, Now.LostAt);
  if (holdSame(*Was, Now) || (Was->isKnown() && !Now.isKnown()))
    return withCommonQuotient(*Was, Now).addDoubts(Doubts).addFork(LostAt);
  if (std::optional<Value> Both = merge(*Was, Now))
    return Both->addDoubts(Doubts);
  return Value().addFork(LostAt);
}

const std::shared_ptr<HostState::Object> *
HostState::findIn(const std::vector<Entry> &All, ObjectId Id) {
  auto It = std::ranges::lower_bound(All, Id, {}, &Entry::first);
  return It != All.end() && It->first == Id ? &It->second : nullptr;
}

const HostState::Object *HostState::find(ObjectId Id) const {
  const std::shared_ptr<Object> *Found = findIn(Objects, Id);
  if (!Found)
    Found = findIn(*Initial, Id);
  return Found ? Found->get() : nullptr;
}

HostState::Object &HostState::modify(ObjectId Id) {
  auto It = std::ranges::lower_bound(Objects, Id, {}, &Entry::first);
  if (It == Objects.end() || It->first != Id) {
    const std::shared_ptr<Object> *First = findIn(*Initial, Id);
    It = Objects.insert(It, {Id, First ? std::make_shared<Object>(**First)
                                       : std::make_shared<Object>()});
  } else if (It->second.use_count() > 1) {
    It->second = std::make_shared<Object>(*It->second);
  }
  return *It->second;
}

void HostState::makeInitial(ObjectId Id) {
  auto It = std::ranges::lower_bound(Objects, Id, {}, &Entry::first);
  if (It == Objects.end() || It->first != Id)
    return;
  Initial->insert(std::ranges::lower_bound(*Initial, Id, {}, &Entry::first),
                  *It);
  Objects.erase(It);
}

Value HostState::visible(const Value &V) const {
  return V.Doubts & Contradicted ? Value() : V;
}

static Cells::const_iterator findCell(const Cells &In, int64_t Offset) {
  return std::ranges::lower_bound(In, Offset, {}, &Cell::Offset);
}

/// What all elements have in common. Those without a cell count when something
/// unknown has been written to them; a doubt says as much.
Value HostState::loadAny(const Object &O, unsigned Size) {
  Value Result = O.Filler;
  for (const Cell &C : O.Content) {
    if (C.Size != Size)
      return Value();
    if (!Result.isKnown())
      Result = C.Content;
    else if (!holdSame(Result, C.Content))
      Result = merge(Result, C.Content).value_or(Value());
    if (!Result.isKnown())
      return Result;
  }
  return O.HasUnknown && !Result.Doubts ? Value() : Result;
}

Value HostState::load(Address From, unsigned Size) const {
  Value Result = loadContent(From, Size);
  if (!Result.isKnown())
    if (const Limited *Its = findLimits(From, Size))
      Result.Within = Its->Its;
  return Result;
}

Value HostState::loadContent(Address From, unsigned Size) const {
  const Object *O = From.Object ? find(From.Object) : nullptr;
  if (!O)
    return Value();
  if (!From.Offset)
    return visible(loadAny(*O, Size));
  auto It = findCell(O->Content, *From.Offset);
  if (It == O->Content.end() || It->Offset != *From.Offset)
    return visible(O->Filler);
  return It->Size == Size ? visible(It->Content) : Value();
}

const HostState::Limited *HostState::findLimits(Address Place,
                                                unsigned Size) const {
  if (!Known || !Place.Offset)
    return nullptr;
  const auto Found = std::ranges::find_if(*Known, [&](const Limited &L) {
    return L.Object == Place.Object && L.Offset == *Place.Offset &&
           L.Size == Size;
  });
  return Found == Known->end() ? nullptr : &*Found;
}

void HostState::limit(Address Place, unsigned Size, const Limits &Its) {
  if (!Place.Object || !Place.Offset)
    return;
  Limited Now{Place.Object, *Place.Offset, Size, std::make_shared<Limits>(Its)};
  if (const Limited *Before = findLimits(Place, Size))
    Now.Its = std::make_shared<Limits>(narrow(*Before->Its, Its));
  dropLimits(Place.Object, *Place.Offset, *Place.Offset + Size);
  if (Now.Its->areOpen())
    return;
  auto All = Known ? *Known : std::vector<Limited>();
  All.push_back(std::move(Now));
  Known = std::make_shared<const std::vector<Limited>>(std::move(All));
}

void HostState::dropLimits(ObjectId Id, int64_t Begin, int64_t End) {
  const auto isThere = [&](const Limited &L) {
    return L.Object == Id && L.Offset < End && L.Offset + L.Size > Begin;
  };
  if (!Known || std::ranges::none_of(*Known, isThere))
    return;
  auto All = *Known;
  std::erase_if(All, isThere);
  Known = std::make_shared<const std::vector<Limited>>(std::move(All));
}

void HostState::keepCommonLimits(const HostState &Other) {
  if (!Known || Known == Other.Known)
    return;
  std::vector<Limited> Common;
  for (Limited L : *Known)
    if (const Limited *Its = Other.findLimits({L.Object, L.Offset}, L.Size)) {
      L.Its = widen(L.Its, Its->Its);
      if (L.Its)
        Common.push_back(std::move(L));
    }
  Known = Common.empty()
              ? nullptr
              : std::make_shared<const std::vector<Limited>>(std::move(Common));
}

Value HostState::loadRecord(Address From, uint64_t Size) const {
  const Object *O = From.Object ? find(From.Object) : nullptr;
  if (!O || !From.Offset)
    return Value();
  auto Result = std::make_shared<Cells>();
  int64_t End = *From.Offset + static_cast<int64_t>(Size);
  for (auto It = findCell(O->Content, *From.Offset);
       It != O->Content.end() && It->Offset < End; ++It)
    Result->push_back({It->Offset - *From.Offset, It->Size,
                       load({From.Object, It->Offset}, It->Size)});
  return Value(Record(std::move(Result)));
}

bool HostState::has(Address Place) const {
  const Object *O = Place.Offset ? find(Place.Object) : nullptr;
  if (!O)
    return false;
  const auto It = findCell(O->Content, *Place.Offset);
  return It != O->Content.end() && It->Offset == *Place.Offset;
}

void HostState::name(Address Place, unsigned Size, const SharedQuotient &Its) {
  assert(has(Place) && "only a cell has room for a name");
  Object &O = modify(Place.Object);
  const auto At = O.Content.begin() +
                  (findCell(O.Content, *Place.Offset) - O.Content.cbegin());
  if (At->Size == Size && !At->Content.isKnown())
    At->Content.Is = Its;
}

void HostState::eraseRange(Object &O, int64_t Begin, int64_t End) {
  std::erase_if(O.Content, [=](const Cell &C) {
    return C.Offset < End && C.Offset + C.Size > Begin;
  });
}

void HostState::store(Address To, unsigned Size, const Value &V) {
  if (!To.Object)
    return;
  if (V.Within) {
    const SharedLimits Its = V.Within;
    Value Plain = V;
    Plain.Within = nullptr;
    store(To, Size, Plain);
    if (Its->Range.getBitWidth() == 8 * Size)
      limit(To, Size, *Its);
    return;
  }
  Object &O = modify(To.Object);
  if (!To.Offset) {
    dropLimits(To.Object);
    // The first of several stores into an empty array says what it holds;
    // those that follow must agree.
    Meeting Unnamed;
    if (!O.HasUnknown)
      O.Filler = O.Content.empty() && !O.Filler.isKnown()
                     ? V
                     : launch::join(nullptr, O.Filler, V, Unnamed);
    O.HasUnknown |= !O.Filler.isKnown();
    for (Cell &C : O.Content)
      C.Content = merge(C.Content, V)
                      .value_or(holdSame(C.Content, V) ? C.Content : Value());
    return;
  }
  dropLimits(To.Object, *To.Offset, *To.Offset + Size);
  auto It = O.Content.begin() +
            (findCell(O.Content, *To.Offset) - O.Content.cbegin());
  if (It != O.Content.end() && It->Offset == *To.Offset && It->Size == Size) {
    It->Content = V;
    return;
  }
  eraseRange(O, *To.Offset, *To.Offset + Size);
  It = O.Content.begin() +
       (findCell(O.Content, *To.Offset) - O.Content.cbegin());
  O.Content.insert(It, {*To.Offset, Size, V});
}

void HostState::storeRecord(Address To, uint64_t Size, const Value &V) {
  if (!To.Object)
    return;
  const Record *Source = V.getRecord();
  if (!To.Offset || !Source) {
    if (To.Offset) {
      const int64_t End = *To.Offset + static_cast<int64_t>(Size);
      eraseRange(modify(To.Object), *To.Offset, End);
      dropLimits(To.Object, *To.Offset, End);
    } else
      forget(To.Object);
    return;
  }
  // Keeps the source alive and unshared from the object being written.
  Record Copy = *Source;
  const int64_t End = *To.Offset + static_cast<int64_t>(Size);
  eraseRange(modify(To.Object), *To.Offset, End);
  dropLimits(To.Object, *To.Offset, End);
  for (const Cell &C : *Copy)
    store(To.advance(C.Offset), C.Size,
          C.Content.addDoubts(V.Doubts).addFork(V.LostAt));
}

void HostState::forget(ObjectId Id) {
  if (!Id)
    return;
  modify(Id) = Object{{}, {}, true};
  dropLimits(Id);
}

void HostState::doubt(ObjectId Id, DoubtSet Reason) {
  if (!Id)
    return;
  Object &O = modify(Id);
  dropLimits(Id);
  O.HasUnknown = true;
  for (Cell &C : O.Content) {
    const int64_t *Integer = C.Content.getInteger();
    // Zero before a call is a placeholder for the answer, not a default.
    if (Integer && *Integer == 0)
      C.Content = Value();
    C.Content.Doubts |= Reason;
  }
}

std::vector<ObjectId> HostState::changedSince(const HostState &Before) const {
  std::vector<ObjectId> Result;
  auto Was = Before.Objects.begin();
  for (const auto &[Id, Now] : Objects) {
    while (Was != Before.Objects.end() && Was->first < Id)
      ++Was;
    const std::shared_ptr<Object> *Old =
        Was != Before.Objects.end() && Was->first == Id
            ? &Was->second
            : findIn(*Before.Initial, Id);
    if (!Old || *Old != Now)
      Result.push_back(Id);
  }
  return Result;
}

std::vector<ObjectId> HostState::pointeesOf(ObjectId Id) const {
  std::vector<ObjectId> Result;
  const Object *O = Id ? find(Id) : nullptr;
  for (const Cell &C : O ? O->Content : Cells())
    if (const Address *To = C.Content.getAddress(); To && To->Object)
      Result.push_back(To->Object);
  return Result;
}

void HostState::remove(const std::vector<ObjectId> &Dead) {
  if (Dead.empty())
    return;
  auto First = std::ranges::lower_bound(
      Objects, *std::ranges::min_element(Dead), {}, &Entry::first);
  Objects.erase(std::remove_if(First, Objects.end(),
                               [&](const Entry &E) {
                                 return std::ranges::count(Dead, E.first) > 0;
                               }),
                Objects.end());
}

std::shared_ptr<HostState::Object> HostState::joinObjects(
    const Object *Before, const std::shared_ptr<Object> &A,
    const std::shared_ptr<Object> &B,
    const std::function<Value(const Value *, const Value &, const Value &)>
        &Join) {
  auto Result = std::make_shared<Object>();
  const Value Unknown;
  auto Find = [&](const Object &In, const Cell &Like) -> const Value * {
    auto It = findCell(In.Content, Like.Offset);
    if (It == In.Content.end() || It->Offset != Like.Offset ||
        It->Size != Like.Size)
      return In.HasUnknown ? &Unknown : nullptr;
    return &It->Content;
  };
  for (const Cell &Left : A->Content) {
    const Value *Right = Find(*B, Left);
    Result->Content.push_back({Left.Offset, Left.Size,
                               Join(Before ? Find(*Before, Left) : nullptr,
                                    Left.Content, Right ? *Right : B->Filler)});
  }
  for (const Cell &Right : B->Content) {
    auto It = findCell(Result->Content, Right.Offset);
    if (It != Result->Content.end() && It->Offset == Right.Offset)
      continue;
    Result->Content.insert(It, {Right.Offset, Right.Size,
                                Join(Before ? Find(*Before, Right) : nullptr,
                                     A->Filler, Right.Content)});
  }
  Result->Filler =
      Join(Before ? &Before->Filler : nullptr, A->Filler, B->Filler);
  Result->HasUnknown = A->HasUnknown || B->HasUnknown;
  return Result;
}

HostState HostState::join(const HostState *Before, HostState A,
                          const HostState &B, Meeting &At) {
  auto Join = [&](const Value *Was, const Value &Left, const Value &Right) {
    if (A.Likely == B.Likely)
      return launch::join(Was, Left, Right, At);
    return A.Likely ? joinWithDefault(Left, Right, At)
                    : joinWithDefault(Right, Left, At);
  };
  std::vector<Entry> Result;
  const auto joined = [&](ObjectId Id, const std::shared_ptr<Object> &Left,
                          const std::shared_ptr<Object> &Right) {
    return Left == Right ? Left
                         : joinObjects(Before ? Before->find(Id) : nullptr,
                                       Left, Right, Join);
  };
  // An object that one path alone has is new, or as at first on the other.
  const auto alone = [&](const Entry &E, bool IsLeft) {
    const std::shared_ptr<Object> *Other = findIn(*A.Initial, E.first);
    if (!Other)
      return E.second;
    return IsLeft ? joined(E.first, E.second, *Other)
                  : joined(E.first, *Other, E.second);
  };
  auto Left = A.Objects.begin();
  auto Right = B.Objects.begin();
  while (Left != A.Objects.end() || Right != B.Objects.end()) {
    if (Right == B.Objects.end() ||
        (Left != A.Objects.end() && Left->first < Right->first)) {
      Result.push_back({Left->first, alone(*Left, true)});
      ++Left;
    } else if (Left == A.Objects.end() || Right->first < Left->first) {
      Result.push_back({Right->first, alone(*Right, false)});
      ++Right;
    } else {
      Result.push_back(
          {Left->first, joined(Left->first, Left->second, Right->second)});
      ++Left;
      ++Right;
    }
  }
  A.Objects = std::move(Result);
  A.keepCommonLimits(B);
  A.Contradicted &= B.Contradicted;
  A.Likely |= B.Likely;
  A.Taken = commonPath(std::move(A.Taken), B.Taken);
  return A;
}

void HostState::updateChanged(
    const HostState &Before,
    const std::function<Value(const Value *, const Value &)> &Change) {
  // What the steps in between say may be said of one of them only.
  keepCommonLimits(Before);
  for (Entry &E : Objects) {
    const Object *Was = Before.find(E.first);
    if (Was == E.second.get() || !Was)
      continue;
    std::shared_ptr<Object> Pin = E.second;
    Object &Now = modify(E.first);
    auto Update = [&](const Value *Old, Value &Content) {
      if (!Old || !holdSame(*Old, Content) || Old->Doubts != Content.Doubts)
        Content = Change(Old, Content);
    };
    for (Cell &C : Now.Content) {
      auto It = findCell(Was->Content, C.Offset);
      bool Found = It != Was->Content.end() && It->Offset == C.Offset &&
                   It->Size == C.Size;
      Update(Found ? &It->Content : nullptr, C.Content);
    }
    Update(&Was->Filler, Now.Filler);
  }
}

/// Between two integers, or two places in one object.
static std::optional<int64_t> distance(const Value &From, const Value &To) {
  const auto subtract = [](int64_t L, int64_t R) {
    return static_cast<int64_t>(static_cast<uint64_t>(L) -
                                static_cast<uint64_t>(R));
  };
  if (From.getInteger() && To.getInteger())
    return subtract(*To.getInteger(), *From.getInteger());
  const Address *A = From.getAddress(), *B = To.getAddress();
  if (A && B && A->Object && A->Object == B->Object && A->Offset && B->Offset)
    return subtract(*B->Offset, *A->Offset);
  return std::nullopt;
}

/// \p Distance further; what has no distances stays.
static Value moveOn(const Value &V, uint64_t Distance) {
  if (const int64_t *Start = V.getInteger())
    return Value(static_cast<int64_t>(static_cast<uint64_t>(*Start) + Distance),
                 V.Doubts);
  const Address *Place = V.getAddress();
  return Place && Distance ? Value(Place->advance(Distance), V.Doubts) : V;
}

std::vector<HostState::Series>
HostState::findSeries(const HostState &Older, const HostState &Old) const {
  std::vector<Series> Result;
  for (const Entry &E : Objects) {
    const Object *First = Older.find(E.first);
    const Object *Second = Old.find(E.first);
    if (!First || !Second ||
        (Second == E.second.get() && First == E.second.get()))
      continue;
    for (const Cell &C : E.second->Content) {
      Address Place{E.first, C.Offset};
      Value Earlier = Older.load(Place, C.Size);
      Value Was = Old.load(Place, C.Size);
      if (holdSame(Was, C.Content) && holdSame(Earlier, Was))
        continue;
      const std::optional<int64_t> Stride = distance(Was, C.Content);
      const bool IsLinear = Stride && distance(Earlier, Was) == Stride;
      Result.push_back(
          {Place, C.Size,
           IsLinear ? C.Content : merge(Was, C.Content).value_or(Value()),
           IsLinear ? *Stride : 0});
    }
  }
  return Result;
}

void HostState::advance(const std::vector<Series> &All, int64_t Steps) {
  for (const Series &S : All)
    store(S.Place, S.Size,
          moveOn(S.Last, static_cast<uint64_t>(S.Stride) *
                             static_cast<uint64_t>(Steps)));
}

} // namespace warpwise::launch
