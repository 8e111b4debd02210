//===- VectorModel.cpp - Sizes and elements of std::vector ----------------===//
//
// Libraries keep three pointers in a vector. Here it is a pointer to its first
// element and the number of elements, as two paths that come to the same number
// in different ways meet in one that is certain. The elements are an object of
// their own, the same as long as the vector lives, unless it is moved: nothing
// else can point to what it allocates anew.
//
// Values of elements are known as far as the program writes them one by one;
// what a constructor fills them with is not.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RuntimeModel.h"

#include "analyzer/launch/Layout.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warpwise::launch {

namespace {

class Vector {
public:
  Vector(HostEvaluator &Evaluator, const CXXRecordDecl *Class, Address This)
      : Evaluator(Evaluator), Class(Class),
        Element(cast<ClassTemplateSpecializationDecl>(Class)
                    ->getTemplateArgs()[0]
                    .getAsType()),
        ElementBytes(sizeOf(Evaluator.context(), Element)), This(This) {}

  void construct(const CXXConstructExpr *Construct);
  Value call(const CXXMethodDecl *Method,
             llvm::ArrayRef<const Expr *> Arguments);
  void copyFrom(Address Source);
  void moveFrom(Address Source);
  Value swap(Address Other);
  /// Its elements die with it from now on.
  void adoptElements();
  /// From here on nothing is known of it.
  void forget();

private:
  /// Where an iterator points, and what it is made of.
  struct Iterator {
    Value Pointer;
    QualType Pointee;
  };

  HostEvaluator &Evaluator;
  const CXXRecordDecl *Class;
  const QualType Element;
  const uint64_t ElementBytes;
  const Address This;

  bool isPlaced() const {
    return This.Object && This.Offset && ElementBytes != 0;
  }
  QualType pointerType() const { return Evaluator.context().VoidPtrTy; }
  uint64_t pointerBytes() const {
    return sizeOf(Evaluator.context(), pointerType());
  }
  Address sizePlace() const { return This.advance(pointerBytes()); }
  Value begin() const { return Evaluator.load(This, pointerType()); }
  void setBegin(const Value &V) { Evaluator.store(This, pointerType(), V); }
  Value size() const;
  void setSize(const Value &Count);
  Value end() const;
  Address elements();
  void makeElements();
  void makeEmpty();
  void forgetElements();
  void copyElements(Address From, const Value &Count, QualType Type);
  bool isPlain() const;
  bool isSame(QualType Type) const {
    return Evaluator.context().hasSameUnqualifiedType(
        Type.getNonReferenceType(), Evaluator.context().getRecordType(Class));
  }

  void evaluateAll(llvm::ArrayRef<const Expr *> Arguments);
  std::optional<Iterator> readIterator(const Expr *E);
  bool assign(const CXXMethodDecl *Callee,
              llvm::ArrayRef<const Expr *> Arguments);
  bool assignList(const Expr *E);
  bool assignRange(const Expr *First, const Expr *Last);
  Value readElement(const CXXMethodDecl *Callee,
                    llvm::ArrayRef<const Expr *> Arguments);
  Value change(const CXXMethodDecl *Method,
               llvm::ArrayRef<const Expr *> Arguments);
  Value append(const CXXMethodDecl *Method,
               llvm::ArrayRef<const Expr *> Arguments);
  Value dropLast();
  Value resize(llvm::ArrayRef<const Expr *> Arguments);
  Value findElement(const Value &Index);
  Value findData();
  Value asIterator(const Value &Pointer, QualType Type) const;
};

} // namespace

/// Elements that are bytes and nothing else.
bool Vector::isPlain() const {
  return Element.isTriviallyCopyableType(Evaluator.context());
}

Value Vector::size() const {
  const Value Count =
      Evaluator.load(sizePlace(), Evaluator.context().getSizeType());
  const int64_t *Number = Count.getInteger();
  // Where it is in doubt whether there are any, there are some as a rule.
  return Number && *Number == 0 && Count.Doubts ? Value().addFork(Count.LostAt)
                                                : Count;
}

void Vector::setSize(const Value &Count) {
  const int64_t *Number = Count.getInteger();
  const auto Most = INT64_MAX / static_cast<int64_t>(ElementBytes);
  const bool IsKnown = Number && *Number >= 0 && *Number <= Most;
  Evaluator.store(sizePlace(), Evaluator.context().getSizeType(),
                  IsKnown ? Value(*Number, Count.Doubts).addFork(Count.LostAt)
                          : Value().addFork(Count.LostAt));
}

Value Vector::end() const {
  const Value Begin = begin(), Count = size();
  const Address *First = Begin.getAddress();
  const int64_t *Number = Count.getInteger();
  if (!First)
    return Value();
  return Value(
      Number ? First->advance(static_cast<uint64_t>(*Number) * ElementBytes)
             : Address{First->Object, std::nullopt},
      Begin.Doubts | Count.Doubts);
}

/// The first of the elements, in an object that is known.
Address Vector::elements() {
  const Value Begin = begin();
  const Address *Place = Begin.getAddress();
  if (!Place || !Place->Object) {
    makeElements();
    return *begin().getAddress();
  }
  return {Place->Object, 0};
}

void Vector::adoptElements() {
  const Value Begin = begin();
  if (const Address *Place = Begin.getAddress();
      Place && Evaluator.Objects.isElements(Place->Object))
    Evaluator.Objects.giveElements(Place->Object, This.Object);
}

void Vector::makeElements() {
  const Address First = Evaluator.Objects.makeElements(This.Object);
  // They all have values.
  Evaluator.State.forget(First.Object);
  setBegin(Value(First));
}

void Vector::makeEmpty() {
  makeElements();
  setSize(Value(int64_t(0)));
}

void Vector::forgetElements() {
  const Value Begin = begin();
  if (const Address *Place = Begin.getAddress())
    Evaluator.State.forget(Place->Object);
}

void Vector::copyElements(Address From, const Value &Count, QualType Type) {
  const Address First = elements();
  const int64_t *Number = Count.getInteger();
  Value Copied;
  if (Number && *Number > 0 && isPlain() && From.Object &&
      Evaluator.context().hasSameUnqualifiedType(Type, Element))
    Copied =
        Evaluator.State
            .loadRecord(From, static_cast<uint64_t>(*Number) * ElementBytes)
            .addDoubts(Count.Doubts);
  Evaluator.State.forget(First.Object);
  if (Copied.isKnown())
    Evaluator.State.storeRecord(
        First, static_cast<uint64_t>(*Number) * ElementBytes, Copied);
}

void Vector::copyFrom(Address Source) {
  if (Source == This || !isPlaced())
    return;
  const Vector Other(Evaluator, Class, Source);
  if (!Other.isPlaced())
    return forget();
  const Value Begin = Other.begin(), Count = Other.size();
  const Address *From = Begin.getAddress();
  copyElements(From ? *From : Nowhere, Count, Element);
  setSize(Count);
}

void Vector::moveFrom(Address Source) {
  if (Source == This || !isPlaced())
    return;
  Vector Other(Evaluator, Class, Source);
  if (!Other.isPlaced())
    return forget();
  setBegin(Other.begin());
  setSize(Other.size());
  adoptElements();
  Other.makeEmpty();
}

void Vector::evaluateAll(llvm::ArrayRef<const Expr *> Arguments) {
  for (const Expr *Argument : Arguments) {
    // Of an allocator, mostly.
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    if (Argument->isGLValue() || Argument->getType()->isRecordType())
      Evaluator.locate(Argument);
    else
      Evaluator.evaluate(Argument);
  }
}

void Vector::forget() {
  if (!isPlaced())
    return Evaluator.State.forget(This.Object);
  forgetElements();
  setSize(Value());
}

/// The pointer type that a library's iterator holds; null for other types.
static QualType pointerOf(QualType Type) {
  if (Type->isPointerType())
    return Type;
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type->getAsCXXRecordDecl());
  const IdentifierInfo *Name = Class ? Class->getIdentifier() : nullptr;
  if (!Name || (Name->getName() != "__normal_iterator" &&
                Name->getName() != "__wrap_iter"))
    return {};
  const TemplateArgumentList &Arguments = Class->getTemplateArgs();
  return Arguments.size() != 0 &&
                 Arguments[0].getKind() == TemplateArgument::Type &&
                 Arguments[0].getAsType()->isPointerType()
             ? Arguments[0].getAsType()
             : QualType();
}

std::optional<Vector::Iterator> Vector::readIterator(const Expr *E) {
  const QualType Pointer = pointerOf(E->getType());
  if (Pointer.isNull())
    return std::nullopt;
  const bool IsRecord = E->getType()->isRecordType();
  return Iterator{IsRecord ? Evaluator.load(Evaluator.locate(E), Pointer)
                           : Evaluator.evaluate(E),
                  Pointer->getPointeeType()};
}

/// False when \p E is not written as a list; it is not evaluated then.
bool Vector::assignList(const Expr *E) {
  E = E->IgnoreParens();
  while (true) {
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bound->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else
      break;
  }
  const auto *List = dyn_cast<CXXStdInitializerListExpr>(E);
  if (!List)
    return false;
  const Expr *Array = List->getSubExpr();
  const auto *Type =
      Evaluator.context().getAsConstantArrayType(Array->getType());
  if (!Type)
    return false;
  const Value Count(static_cast<int64_t>(Type->getZExtSize()));
  copyElements(Evaluator.locate(Array), Count, Type->getElementType());
  setSize(Count);
  return true;
}

/// False when they are no pointers; they are not evaluated then.
bool Vector::assignRange(const Expr *First, const Expr *Last) {
  if (pointerOf(Last->getType()).isNull())
    return false;
  const std::optional<Iterator> From = readIterator(First);
  if (!From)
    return false;
  const Value To = readIterator(Last)->Pointer;
  const Address *Begin = From->Pointer.getAddress(), *End = To.getAddress();
  const uint64_t Bytes = sizeOf(Evaluator.context(), From->Pointee);
  Value Count;
  if (Begin && End && Begin->Object && Begin->Object == End->Object &&
      Begin->Offset && End->Offset && *End->Offset >= *Begin->Offset && Bytes)
    Count = Value((*End->Offset - *Begin->Offset) / static_cast<int64_t>(Bytes),
                  From->Pointer.Doubts | To.Doubts);
  Count = Count.addFork(std::max(From->Pointer.LostAt, To.LostAt));
  copyElements(Begin ? *Begin : Nowhere, Count, From->Pointee);
  setSize(Count);
  return true;
}

/// What constructors and assign() have in common. False when it is something
/// else; nothing is evaluated then.
bool Vector::assign(const CXXMethodDecl *Callee,
                    llvm::ArrayRef<const Expr *> Arguments) {
  if (Arguments.empty() || Callee->getNumParams() == 0)
    return false;
  if (Callee->getParamDecl(0)->getType()->isIntegerType()) {
    const Value Count = Evaluator.evaluate(Arguments[0]);
    evaluateAll(Arguments.drop_front());
    elements();
    forgetElements();
    setSize(Count);
    return true;
  }
  if (assignList(Arguments[0])) {
    evaluateAll(Arguments.drop_front());
    return true;
  }
  if (Arguments.size() < 2 || !assignRange(Arguments[0], Arguments[1]))
    return false;
  evaluateAll(Arguments.drop_front(2));
  return true;
}

void Vector::construct(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Constructor = Construct->getConstructor();
  llvm::ArrayRef<const Expr *> Arguments(Construct->getArgs(),
                                         Construct->getNumArgs());
  if (!isPlaced()) {
    Evaluator.passToUnknown(Constructor, Arguments);
    return forget();
  }
  makeEmpty();
  if (Arguments.empty() || isa<CXXDefaultArgExpr>(Arguments[0]))
    return;
  const QualType First = Constructor->getParamDecl(0)->getType();
  if (isSame(First)) {
    const Address Source = Evaluator.locate(Arguments[0]);
    evaluateAll(Arguments.drop_front());
    return First->isRValueReferenceType() ? moveFrom(Source) : copyFrom(Source);
  }
  if (!assign(Constructor, Arguments)) {
    Evaluator.passToUnknown(Constructor, Arguments);
    forget();
  }
}

Value Vector::readElement(const CXXMethodDecl *Callee,
                          llvm::ArrayRef<const Expr *> Arguments) {
  const bool IsOne =
      Arguments.size() == 1 && Evaluator.context().hasSameUnqualifiedType(
                                   Arguments[0]->getType(), Element);
  if (IsOne && isPlain())
    return Element->isRecordType()
               ? Evaluator.load(Evaluator.locate(Arguments[0]), Element)
               : Evaluator.evaluate(Arguments[0]);
  // emplace_back() takes references that it does not write to.
  if (Element->isScalarType())
    evaluateAll(Arguments);
  else
    Evaluator.passToUnknown(Callee, Arguments);
  return Value();
}

Value Vector::append(const CXXMethodDecl *Method,
                     llvm::ArrayRef<const Expr *> Arguments) {
  const Value New = readElement(Method, Arguments);
  const Value Count = size();
  const Address First = elements();
  const int64_t *Number = Count.getInteger();
  if (!Number) {
    Evaluator.State.forget(First.Object);
    return Value(Address{First.Object, std::nullopt});
  }
  if (Count.Doubts)
    Evaluator.State.doubt(First.Object, Count.Doubts);
  const Address Place =
      First.advance(static_cast<uint64_t>(*Number) * ElementBytes);
  Evaluator.store(Place, Element, New.addDoubts(Count.Doubts));
  setSize(Value(*Number + 1, Count.Doubts).addFork(Count.LostAt));
  return Value(Place, Count.Doubts);
}

Value Vector::dropLast() {
  const Value Count = size();
  const int64_t *Number = Count.getInteger();
  setSize((Number ? Value(*Number - 1, Count.Doubts) : Value())
              .addFork(Count.LostAt));
  return Value();
}

Value Vector::resize(llvm::ArrayRef<const Expr *> Arguments) {
  const Value New = Evaluator.evaluate(Arguments[0]);
  evaluateAll(Arguments.drop_front());
  const Value Old = size();
  const Address First = elements();
  setSize(New);
  const Value Kept = size();
  const int64_t *From = Old.getInteger(), *To = Kept.getInteger();
  if (!From || !To || Old.Doubts || New.Doubts)
    Evaluator.State.forget(First.Object);
  else if (*From < *To)
    // What was there before a vector shrank is not there again.
    Evaluator.State.storeRecord(
        First.advance(static_cast<uint64_t>(*From) * ElementBytes),
        static_cast<uint64_t>(*To - *From) * ElementBytes, Value());
  return Value();
}

Value Vector::swap(Address Place) {
  Vector Other(Evaluator, Class, Place);
  if (Place == This)
    return Value();
  if (!Other.isPlaced()) {
    forget();
    Other.forget();
    return Value();
  }
  const Value Begin = begin(), Count = size();
  setBegin(Other.begin());
  setSize(Other.size());
  Other.setBegin(Begin);
  Other.setSize(Count);
  adoptElements();
  Other.adoptElements();
  return Value();
}

/// Whatever is not const.
Value Vector::change(const CXXMethodDecl *Method,
                     llvm::ArrayRef<const Expr *> Arguments) {
  const IdentifierInfo *Identifier = Method->getIdentifier();
  const StringRef Name = Identifier ? Identifier->getName() : "";
  if (Name == "push_back" || Name == "emplace_back")
    return append(Method, Arguments);
  if (Name == "pop_back")
    return dropLast();
  if (Name == "clear") {
    setSize(Value(int64_t(0)));
    return Value();
  }
  if (Name == "resize" && !Arguments.empty())
    return resize(Arguments);
  if (Name == "swap" && Arguments.size() == 1)
    return swap(Evaluator.locate(Arguments[0]));
  if (Name == "assign" && assign(Method, Arguments))
    return Value();
  if (Method->getOverloadedOperator() == OO_Equal && Arguments.size() == 1) {
    const QualType Type = Method->getParamDecl(0)->getType();
    if (isSame(Type)) {
      const Address Source = Evaluator.locate(Arguments[0]);
      if (Type->isRValueReferenceType())
        moveFrom(Source);
      else
        copyFrom(Source);
    } else if (!assignList(Arguments[0])) {
      Evaluator.passToUnknown(Method, Arguments);
      forget();
    }
    return Value(This);
  }
  Evaluator.passToUnknown(Method, Arguments);
  forget();
  return Value();
}

Value Vector::findElement(const Value &Index) {
  const Value Begin = begin();
  const Address *First = Begin.getAddress();
  if (!First || !First->Object)
    return Value();
  const int64_t *Number = Index.getInteger();
  // Another index would be another element.
  if (!Number || *Number < 0 || Index.Doubts)
    return Value(Address{First->Object, std::nullopt});
  return Value(Address{First->Object, 0}.advance(
      static_cast<uint64_t>(*Number) * ElementBytes));
}

/// An empty vector may say null.
Value Vector::findData() {
  const Value Count = size();
  const int64_t *Number = Count.getInteger();
  if (Number && *Number == 0)
    return Value();
  const bool IsCertain = Number && !Count.Doubts;
  return begin().addDoubts(IsCertain ? 0 : Evaluator.Branches.getDoubt(Class));
}

Value Vector::asIterator(const Value &Pointer, QualType Type) const {
  if (Type->isPointerType())
    return Pointer;
  if (pointerOf(Type).isNull() ||
      sizeOf(Evaluator.context(), Type) != pointerBytes())
    return Value();
  auto Content = std::make_shared<Cells>();
  Content->push_back({0, static_cast<unsigned>(pointerBytes()), Pointer});
  return Value(Record(std::move(Content)));
}

Value Vector::call(const CXXMethodDecl *Method,
                   llvm::ArrayRef<const Expr *> Arguments) {
  if (!isPlaced()) {
    Evaluator.passToUnknown(Method, Arguments);
    if (changesSize(Method))
      forget();
    return Value();
  }
  if (changesSize(Method))
    return change(Method, Arguments);
  enum class Kind { Other, Size, Empty, Data, Begin, End, At, Front, Back };
  const IdentifierInfo *Name = Method->getIdentifier();
  const Kind What = llvm::StringSwitch<Kind>(Name ? Name->getName() : "")
                        .Case("size", Kind::Size)
                        .Case("empty", Kind::Empty)
                        .Case("data", Kind::Data)
                        .Cases("begin", "cbegin", Kind::Begin)
                        .Cases("end", "cend", Kind::End)
                        .Case("at", Kind::At)
                        .Case("front", Kind::Front)
                        .Case("back", Kind::Back)
                        .Default(Method->getOverloadedOperator() == OO_Subscript
                                     ? Kind::At
                                     : Kind::Other);
  switch (What) {
  case Kind::Size:
    return size();
  case Kind::Empty: {
    Value Count = size();
    if (const int64_t *Number = Count.getInteger())
      Count.Data = int64_t(*Number == 0);
    return Count;
  }
  case Kind::Data:
    return findData();
  case Kind::Begin:
    return asIterator(begin(), Method->getReturnType());
  case Kind::End:
    return asIterator(end(), Method->getReturnType());
  case Kind::At:
    return findElement(Arguments.empty() ? Value()
                                         : Evaluator.evaluate(Arguments[0]));
  case Kind::Front:
    return findElement(Value(int64_t(0)));
  case Kind::Back: {
    Value Last = size();
    if (const int64_t *Number = Last.getInteger())
      Last.Data = *Number - 1;
    return findElement(Last);
  }
  case Kind::Other:
    break;
  }
  evaluateAll(Arguments);
  // Reverse iterators are not followed, and what they are written through not.
  if (!Method->isConst() && Name && Name->getName().starts_with("r") &&
      Name->getName() != "reserve")
    forgetElements();
  return Value();
}

Value modelVectorCall(HostEvaluator &Evaluator, const CXXMethodDecl *Callee,
                      Address This, llvm::ArrayRef<const Expr *> Arguments) {
  return Vector(Evaluator, Callee->getParent(), This).call(Callee, Arguments);
}

std::optional<Value> modelVectorSwap(HostEvaluator &Evaluator,
                                     const FunctionDecl *Callee,
                                     llvm::ArrayRef<const Expr *> Arguments) {
  if (Arguments.size() != 2 || !Callee->isInStdNamespace() ||
      Callee->getName() != "swap")
    return std::nullopt;
  const CXXRecordDecl *Class = Arguments[0]->getType()->getAsCXXRecordDecl();
  if (!isVector(Class) ||
      Class != Arguments[1]->getType()->getAsCXXRecordDecl())
    return std::nullopt;
  const Address First = Evaluator.locate(Arguments[0]);
  return Vector(Evaluator, Class, First).swap(Evaluator.locate(Arguments[1]));
}

void modelVectorConstruction(HostEvaluator &Evaluator,
                             const CXXConstructExpr *Construct, Address This) {
  Vector(Evaluator, Construct->getConstructor()->getParent(), This)
      .construct(Construct);
}

void forgetVector(HostEvaluator &Evaluator, const CXXRecordDecl *Class,
                  Address Place) {
  Vector(Evaluator, Class, Place).forget();
}

namespace {

/// A vector in a record, or an array of such, by the bytes before it.
struct Part {
  QualType Type;
  Address Offset;
};

} // namespace

static void collectParts(QualType Type, Address Offset,
                         std::vector<Part> &Parts) {
  const CXXRecordDecl *Class =
      Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class || Class->isTriviallyCopyable() || Class->isInvalidDecl() ||
      Class->isDependentContext() || !Offset.Offset)
    return;
  if (Type->isArrayType() || isVector(Class)) {
    Parts.push_back({Type, Offset});
    return;
  }
  for (const CXXBaseSpecifier &Base : Class->bases())
    if (!Base.isVirtual())
      collectParts(Base.getType(), offsetToBase(Offset, Class, &Base), Parts);
  for (const FieldDecl *Field : Class->fields())
    collectParts(Field->getType(), offsetTo(Offset, Field), Parts);
}

static std::vector<Part> collectParts(const HostEvaluator &Evaluator,
                                      QualType Type) {
  std::vector<Part> Parts;
  if (Evaluator.Objects.haveElements())
    collectParts(Type, {0, 0}, Parts);
  return Parts;
}

void adoptVectors(HostEvaluator &Evaluator, QualType Type, Address Place) {
  for (const Part &P : collectParts(Evaluator, Type))
    if (!P.Type->isArrayType())
      Vector(Evaluator, P.Type->getAsCXXRecordDecl(),
             Place.advance(static_cast<uint64_t>(*P.Offset.Offset)))
          .adoptElements();
}

void separateVectors(HostEvaluator &Evaluator, QualType Type, Address From,
                     Address To, bool IsMove) {
  for (const Part &P : collectParts(Evaluator, Type)) {
    const auto Offset = static_cast<uint64_t>(*P.Offset.Offset);
    const Address Source = From.advance(Offset), Target = To.advance(Offset);
    const uint64_t Bytes = sizeOf(Evaluator.context(), P.Type);
    Evaluator.State.storeRecord(Target, Bytes, Value());
    if (P.Type->isArrayType()) {
      // Too rare to look at each.
      if (IsMove)
        Evaluator.State.storeRecord(Source, Bytes, Value());
      continue;
    }
    Vector Copy(Evaluator, P.Type->getAsCXXRecordDecl(), Target);
    if (IsMove)
      Copy.moveFrom(Source);
    else
      Copy.copyFrom(Source);
  }
}

} // namespace warpwise::launch
