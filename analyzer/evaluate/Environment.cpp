//===- Environment.cpp - Where a warp runs --------------------------------===//

#include "analyzer/evaluate/Environment.h"

#include "analyzer/evaluate/NumberRoles.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <bit>
#include <mutex>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr unsigned RegionBits = 36;
/// Shared variables lie close together in the hardware; only their position
/// relative to the banks counts, and each starts at bank 0 here.
constexpr uint64_t FirstRegion = 1;

uint64_t threadsOf(const launch::Shape &Shape) {
  uint64_t Threads = 1;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    Threads *= uint64_t(Shape.Block[Axis]) * (*Shape.Grid)[Axis];
  return Threads;
}

/// Numbers for sizes and pitches. They differ from each other, so that a
/// coincidence of two arguments is not taken for a fact.
uint64_t extent(uint64_t Key, MadeUp Made, const launch::Shape &Shape,
                unsigned Unit = 1024) {
  switch (Made) {
  case MadeUp::Work:
    // A power of two, as sizes that are used as masks have to be.
    if (Shape.Grid)
      return std::bit_ceil(threadsOf(Shape));
    [[fallthrough]];
  case MadeUp::Likely:
    return Unit * (1 + Key % 13);
  case MadeUp::Odd:
    return 1531 + 34 * (Key % 97);
  case MadeUp::Other:
    return 2049 + 130 * (Key % 61) + Key % 7;
  }
  return 0;
}

/// An address far from all others, aligned like the result of cudaMalloc.
uint64_t farAddress(uint64_t Key) {
  return (uint64_t(1) << 60) + ((Key % 4096) << RegionBits);
}

/// Likely 1.0: scales mostly stand for "as it is". The others are larger, in
/// case they are lengths, of which a warp has one lane each.
uint64_t real(unsigned Bits, MadeUp Made) {
  const float Number = Made == MadeUp::Odd     ? 13.75f
                       : Made == MadeUp::Other ? 100.25f
                                               : 1;
  return Bits == 32              ? std::bit_cast<uint32_t>(Number)
         : Bits == 64            ? std::bit_cast<uint64_t>(double(Number))
         : Made == MadeUp::Odd   ? 0x4ae0 // halves
         : Made == MadeUp::Other ? 0x5644
                                 : 0x3c00;
}

/// Programs do not come to products that 32 bits do not hold: of images, heads,
/// rows and columns each is smaller than a length of a vector.
constexpr unsigned unitOf(bool AreMultiplied) {
  return AreMultiplied ? 64 : 1024;
}

/// For the argument, or the member of one, with the number \p Key that the
/// kernel has as \p Its.
uint64_t inventNumber(uint64_t Key, const llvm::Value &Its, MadeUp Made,
                      const launch::Shape &Shape, bool AreMultiplied) {
  const Type *T = Its.getType();
  const unsigned Bits = T->getScalarSizeInBits();
  uint64_t Number = extent(Key, Made, Shape, unitOf(AreMultiplied));
  if (T->isFloatingPointTy())
    Number = real(Bits, Made);
  else if (T->isIntegerTy())
    switch (roleOf(Its)) {
    case Role::Extent:
      break;
    case Role::Shift:
      Number = Made == MadeUp::Work ? 5 : 5 + uint64_t(Made);
      break;
    case Role::Radius:
      Number = 4 + uint64_t(Made);
      break;
    case Role::Flag:
      Number = 1;
      break;
    case Role::Mask: // "Stride - 1" masks what is below a power of two
      Number = std::bit_ceil(Number);
      break;
    }
  return truncateTo(Number, Bits);
}

/// True when the kernel asks whether \p Pointer is null.
bool isTestedForNull(const llvm::Argument &Pointer) {
  return any_of(Pointer.users(), [](const User *U) {
    auto *Test = dyn_cast<ICmpInst>(U);
    return Test && (isa<ConstantPointerNull>(Test->getOperand(0)) ||
                    isa<ConstantPointerNull>(Test->getOperand(1)));
  });
}

/// True when the kernel asks whether a pointer from memory is what another one
/// is: two members may lead to the same allocation.
bool comparesLoadedPointers(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    auto *Test = dyn_cast<ICmpInst>(&I);
    return Test && Test->getOperand(0)->getType()->isPointerTy() &&
           none_of(Test->operands(),
                   [](const Use &U) { return isa<ConstantPointerNull>(U); }) &&
           any_of(Test->operands(), [](const Use &U) {
             return isa<LoadInst>(getUnderlyingObject(U));
           });
  });
}

uint64_t lanesBelow(unsigned Lane) { return (uint64_t(1) << Lane) - 1; }

/// What \p Bytes at \p Offset of a constant table say.
std::optional<uint64_t> readTable(const GlobalVariable &Variable,
                                  uint64_t Offset, unsigned Bytes) {
  // What is read becomes a constant of LLVM's context, which the launches that
  // are evaluated at the same time share.
  static std::mutex Context;
  const std::lock_guard Locked(Context);
  auto *Type = IntegerType::get(Variable.getContext(), Bytes * 8);
  Constant *Read = ConstantFoldLoadFromConst(
      const_cast<Constant *>(Variable.getInitializer()), Type,
      APInt(64, Offset), Variable.getParent()->getDataLayout());
  if (auto *Integer = dyn_cast_or_null<ConstantInt>(Read))
    return Integer->getZExtValue();
  return std::nullopt;
}

} // namespace

Environment::Environment(const Program &Code, const launch::Shape &Shape,
                         const std::vector<launch::Argument> &Arguments,
                         MadeUp Made)
    : Shape(Shape), Arguments(Arguments), Made(Made),
      Grid(Shape.Grid.value_or(launch::Dim3{uint32_t(extent(3, Made, Shape)),
                                            uint32_t(extent(5, Made, Shape)),
                                            uint32_t(extent(7, Made, Shape))})),
      AsksForGrid(any_of(Code.Presets,
                         [](const Preset &P) {
                           return P.What >= Preset::Kind::NctaidX &&
                                  P.What <= Preset::Kind::NctaidZ;
                         })),
      MultipliesSizes(Code.MultipliesSizes) {
  uint64_t Region = FirstRegion;
  for (const Preset &P : Code.Presets) {
    const bool Object = P.What == Preset::Kind::Global ||
                        P.What == Preset::Kind::Private ||
                        (P.What == Preset::Kind::Argument &&
                         P.Object->getType()->isPointerTy());
    if (!Object || Bases.contains(P.Object))
      continue;
    if (P.What == Preset::Kind::Private)
      PrivateRegions.push_back(Region);
    const uint64_t Base = Region++ << RegionBits;
    Bases[P.Object] = Base;
    if (P.What == Preset::Kind::Argument && P.Number < Arguments.size() &&
        Arguments[P.Number].Holds) {
      const launch::Contents *Holds = Arguments[P.Number].Holds.get();
      (Holds->IsLikely ? Copied : Given)
          .push_back(
              {Base + uint64_t(Arguments[P.Number].PointerOffset.value_or(0)),
               Holds});
    }
    if (auto *Variable = dyn_cast<GlobalVariable>(P.Object)) {
      if (Variable->isConstant() && Variable->hasInitializer() &&
          !Variable->isExternallyInitialized())
        Tables.push_back(
            {Base, Code.ObjectBytes.at(Variable), Variable, 0, {}});
    } else if (auto *A = dyn_cast<llvm::Argument>(P.Object);
               A && A->hasByValAttr()) {
      Table T{Base, Code.ObjectBytes.at(A), nullptr, A->getArgNo(), {}};
      if (T.Argument < Arguments.size() &&
          !comparesLoadedPointers(*Code.Kernel))
        for (const launch::Argument::Member &M : Arguments[T.Argument].Members)
          if (M.IsPointer)
            T.Pointers[M.Offset] = (Region++ << RegionBits) + uint64_t(M.Value);
      Tables.push_back(std::move(T));
    }
  }
  // Each warp asks for them anew, and how the kernel uses one takes a search.
  for (const Preset &P : Code.Presets)
    if (P.What == Preset::Kind::Argument)
      ArgumentValues.try_emplace(P.Object, argument(P));
  if (!Shape.Grid)
    fitGridToArguments();
}

std::optional<uint64_t> Environment::sizeForGrid(uint64_t Number) const {
  if (Shape.Grid || !AsksForGrid)
    return std::nullopt;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (const auto &From = Shape.GridFrom[Axis];
        From && From->Argument == Number) {
      // As long as others, but blocks that are looked at have to be in the
      // grid.
      constexpr int64_t FewestBlocks = 8;
      const auto Size = std::max<uint64_t>(
          extent(Number, Made, Shape, unitOf(MultipliesSizes)),
          From->argumentFor(FewestBlocks));
      const auto OfBlock = std::max<uint64_t>(1, From->argumentFor(1));
      return llvm::alignTo(Size, OfBlock);
    }
  return std::nullopt;
}

std::optional<uint64_t> Environment::sizeForThreads(uint64_t Key,
                                                    const Value &Its) const {
  /// Of a loop over all data, however many they are: more than L2 has room for.
  constexpr uint64_t FewestRounds = 8, Walked = 1 << 26;
  constexpr uint64_t Unit = 1024, Most = 1 << 30;
  if (!Shape.Grid || Made != MadeUp::Likely || MultipliesSizes ||
      !Its.getType()->isIntegerTy() || Its.getType()->getIntegerBitWidth() < 32)
    return std::nullopt;
  const std::optional<GridBound> Bound = gridBoundOf(Its);
  if (!Bound)
    return std::nullopt;
  uint64_t Size = 1;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (Bound->Axes[Axis])
      Size *= uint64_t(Shape.Block[Axis]) * (*Shape.Grid)[Axis];
  if (Bound->IsWalked)
    Size = std::max(Size * FewestRounds, Walked);
  Size *= Bound->Scale;
  // A little more, so that no two are the same.
  return std::clamp(llvm::alignTo(Size, Unit) + Unit * (Key % 13),
                    extent(Key, Made, Shape, Unit), Most);
}

uint64_t Environment::invent(uint64_t Key, const Value &Its) const {
  if (Made == MadeUp::Likely && Its.getType()->isIntegerTy()) {
    if (const auto Named = comparedWith(Its))
      return *Named;
    if (const auto Stride = elementStrideOf(Its))
      return *Stride;
  }
  const std::optional<uint64_t> Size = sizeForThreads(Key, Its);
  return Size ? *Size : inventNumber(Key, Its, Made, Shape, MultipliesSizes);
}

void Environment::fitGridToArguments() {
  for (const auto &[Formal, V] : ArgumentValues)
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      if (const auto &From = Shape.GridFrom[Axis];
          From && Formal->getType()->isIntegerTy() &&
          cast<llvm::Argument>(Formal)->getArgNo() == From->Argument) {
        const int64_t Its =
            signExtend(V.Lanes[0], Formal->getType()->getIntegerBitWidth());
        if (std::abs(double(Its)) <= launch::FromArgument::Most)
          Grid[Axis] =
              uint32_t(std::clamp<int64_t>(From->extentFor(Its), 1, INT32_MAX));
      }
}

bool Environment::isOriginUnknown(
    const std::vector<launch::Argument> &Arguments, uint64_t Number) {
  return Number >= Arguments.size() ||
         (!Arguments[Number].PointerOffset && !isNull(Arguments[Number]));
}

bool Environment::mayBeAnother(const llvm::Argument &Pointer) {
  return any_of(Pointer.users(), [&](const User *U) {
    auto *Test = dyn_cast<ICmpInst>(U);
    return Test && any_of(Test->operands(), [&](const Use &Operand) {
             return !isa<ConstantPointerNull>(Operand) &&
                    getUnderlyingObject(Operand) != &Pointer;
           });
  });
}

bool Environment::isNull(const launch::Argument &Pointer) {
  return Pointer.Certain && Pointer.Integer == 0;
}

LaneValue Environment::argument(const Preset &P) const {
  const auto *Formal = cast<llvm::Argument>(P.Object);
  const Type *T = Formal->getType();
  const launch::Argument *Given =
      P.Number < Arguments.size() ? &Arguments[P.Number] : nullptr;
  if (T->isPointerTy()) {
    const uint64_t Base = Bases.lookup(Formal);
    if (Formal->hasByValAttr())
      return LaneValue::uniform(Base);
    if (Given && isNull(*Given))
      return LaneValue::uniform(0);
    const uint32_t Other =
        mayBeAnother(*Formal) ? OriginAssumed | OriginPointer : 0;
    if (!isOriginUnknown(Arguments, P.Number))
      return LaneValue::uniform(Base + uint64_t(*Given->PointerOffset), Other);
    // Likely not null, but the kernel may know better.
    const bool MayBeNull = !(Given && Given->NotNull && Given->Certain);
    return LaneValue::uniform(Base, MayBeNull && isTestedForNull(*Formal)
                                        ? OriginAssumed | OriginPointer
                                        : Other);
  }
  const unsigned Bits = T->getScalarSizeInBits();
  const bool Trusted = Given && (Given->Certain || Made == MadeUp::Likely ||
                                 Made == MadeUp::Work);
  const uint32_t From = Given && !Given->Certain ? OriginAssumed : 0;
  if (T->isIntegerTy() && Trusted && Given->Integer)
    return LaneValue::uniform(truncateTo(uint64_t(*Given->Integer), Bits),
                              From);
  if (T->isFloatingPointTy() && Trusted && Given->Real)
    return LaneValue::uniform(Bits == 32
                                  ? std::bit_cast<uint32_t>(float(*Given->Real))
                                  : std::bit_cast<uint64_t>(*Given->Real),
                              From);
  if (T->isIntegerTy())
    if (const std::optional<uint64_t> Size = sizeForGrid(P.Number))
      return LaneValue::uniform(truncateTo(*Size, Bits), OriginAssumed);
  return LaneValue::uniform(invent(P.Number, *Formal), OriginAssumed);
}

LaneValue Environment::preset(const Preset &P, const launch::Dim3 &Block,
                              unsigned Warp) const {
  using Kind = Preset::Kind;
  const auto [X, Y, Z] = Shape.Block;
  auto lanes = [](auto Fn, uint32_t From = 0) {
    LaneValue R;
    R.Uniform = false;
    R.From = From;
    for (unsigned L = 0; L != WarpLanes; ++L)
      R.Lanes[L] = Fn(L);
    if (std::all_of(R.Lanes.begin(), R.Lanes.end(),
                    [&](uint64_t V) { return V == R.Lanes[0]; }))
      R.Uniform = true;
    return R;
  };
  const uint64_t First = uint64_t(Warp) * WarpLanes;
  const uint32_t Unknown = Shape.Grid ? 0 : OriginAssumed;
  switch (P.What) {
  case Kind::Constant:
    return LaneValue::uniform(P.Number);
  case Kind::Argument:
    return ArgumentValues.find(P.Object)->second;
  case Kind::Global:
  case Kind::Private:
    return LaneValue::uniform(Bases.lookup(P.Object) + P.Number);
  case Kind::TidX:
    return lanes([&](unsigned L) { return (First + L) % X; });
  case Kind::TidY:
    return lanes([&](unsigned L) { return (First + L) / X % Y; });
  case Kind::TidZ:
    return lanes([&](unsigned L) { return (First + L) / (uint64_t(X) * Y); });
  case Kind::NtidX:
    return LaneValue::uniform(X);
  case Kind::NtidY:
    return LaneValue::uniform(Y);
  case Kind::NtidZ:
    return LaneValue::uniform(Z);
  case Kind::CtaidX:
    return LaneValue::uniform(Block[0], Unknown);
  case Kind::CtaidY:
    return LaneValue::uniform(Block[1], Unknown);
  case Kind::CtaidZ:
    return LaneValue::uniform(Block[2], Unknown);
  case Kind::NctaidX:
    return LaneValue::uniform(Grid[0], Unknown);
  case Kind::NctaidY:
    return LaneValue::uniform(Grid[1], Unknown);
  case Kind::NctaidZ:
    return LaneValue::uniform(Grid[2], Unknown);
  case Kind::LaneId:
    return lanes([](unsigned L) { return L; });
  case Kind::LaneMaskLess:
    return lanes([](unsigned L) { return lanesBelow(L); });
  case Kind::LaneMaskLessEqual:
    return lanes([](unsigned L) { return lanesBelow(L + 1); });
  case Kind::LaneMaskEqual:
    return lanes([](unsigned L) { return uint64_t(1) << L; });
  case Kind::LaneMaskGreater:
    return lanes([](unsigned L) { return lanesBelow(32) ^ lanesBelow(L + 1); });
  case Kind::LaneMaskGreaterEqual:
    return lanes([](unsigned L) { return lanesBelow(32) ^ lanesBelow(L); });
  case Kind::Undefined:
    return LaneValue::unknown(OriginUndefined);
  case Kind::Assumed:
    return LaneValue::uniform(invent(P.Number, P.Object->getType()),
                              OriginAssumed);
  }
  return LaneValue::uniform(0, OriginAssumed);
}

bool Environment::isPrivate(uint64_t Address) const {
  return std::binary_search(PrivateRegions.begin(), PrivateRegions.end(),
                            Address >> RegionBits);
}

bool Environment::mayKnowContents(uint64_t Address) const {
  const auto isNear = [Address](uint64_t Base) {
    constexpr uint64_t Half = uint64_t(1) << (RegionBits - 1);
    return (Address + Half) >> RegionBits == (Base + Half) >> RegionBits;
  };
  return std::any_of(Given.begin(), Given.end(),
                     [&](const auto &G) { return isNear(G.first); }) ||
         std::any_of(Tables.begin(), Tables.end(),
                     [&](const Table &T) { return isNear(T.Base); });
}

std::optional<uint64_t> Environment::likelyContents(uint64_t Address,
                                                    unsigned Bytes) const {
  for (const auto &[Base, Holds] : Copied)
    if (Address >= Base && Address >> RegionBits == Base >> RegionBits)
      return Holds->read(Address - Base, Bytes);
  return std::nullopt;
}

std::optional<uint64_t> Environment::contents(uint64_t Address,
                                              unsigned Bytes) const {
  for (const auto &[Base, Holds] : Given)
    if (Address >= Base && Address >> RegionBits == Base >> RegionBits)
      return Holds->read(Address - Base, Bytes);
  for (const Table &T : Tables) {
    if (Address < T.Base || Address + Bytes > T.Base + T.Bytes || Bytes > 8)
      continue;
    const uint64_t Offset = Address - T.Base;
    if (!T.Variable) {
      if (T.Argument >= Arguments.size() || !Arguments[T.Argument].Certain)
        return std::nullopt;
      for (const launch::Argument::Member &M : Arguments[T.Argument].Members)
        if (M.Offset == Offset && M.Bytes == Bytes && M.Certain) {
          if (!M.IsPointer)
            return truncateTo(uint64_t(M.Value), Bytes * 8);
          const auto Found = T.Pointers.find(Offset);
          return Found == T.Pointers.end() ? std::nullopt
                                           : std::optional(Found->second);
        }
      return std::nullopt;
    }
    return readTable(*T.Variable, Offset, Bytes);
  }
  return std::nullopt;
}

const Environment::Table *Environment::memberAt(uint64_t Address) const {
  for (const Table &T : Tables)
    if (!T.Variable && Address >= T.Base && Address < T.Base + T.Bytes)
      return &T;
  return nullptr;
}

uint64_t Environment::inventMember(uint64_t Address, unsigned Bytes,
                                   const Value &Load) const {
  const Table &T = *memberAt(Address);
  const uint64_t Offset = Address - T.Base;
  if (T.Argument < Arguments.size() &&
      (Made == MadeUp::Likely || Made == MadeUp::Work))
    for (const launch::Argument::Member &M : Arguments[T.Argument].Members)
      if (M.Offset == Offset && M.Bytes == Bytes && !M.IsPointer)
        return truncateTo(uint64_t(M.Value), Bytes * 8);
  // Behind the other arguments, whose numbers are their keys.
  constexpr uint64_t MostArguments = 64;
  return invent(MostArguments * (1 + Offset / Bytes) + T.Argument, Load);
}

/// Whether \p V, or a half of it, is multiplied with something that is no
/// constant, as the pitch of an image is with the number of a row.
static bool isPitch(const Value &V) {
  return any_of(V.users(), [](const User *Its) {
    const auto *I = cast<Instruction>(Its);
    return isa<CastInst, ExtractElementInst>(I) ||
                   I->getOpcode() == Instruction::LShr
               ? isPitch(*I)
               : I->getOpcode() == Instruction::Mul &&
                     none_of(I->operands(), [](const Use &Factor) {
                       return isa<Constant>(Factor);
                     });
  });
}

/// Whether \p Load gets two numbers at once, as copies of records do.
static bool getsTwoWords(const Value &Load) {
  using namespace PatternMatch;
  const Type *T = Load.getType();
  if (const auto *Vector = dyn_cast<FixedVectorType>(T))
    return Vector->getNumElements() == 2 &&
           Vector->getElementType()->isIntegerTy(32);
  return T->isIntegerTy(64) && all_of(Load.users(), [](const User *Its) {
           return match(Its, m_LShr(m_Value(), m_SpecificInt(32))) ||
                  (isa<TruncInst>(Its) &&
                   Its->getType()->getScalarSizeInBits() <= 32);
         });
}

uint64_t Environment::inventLoaded(uint64_t Address, const Value &Load) const {
  const Type *T = Load.getType();
  // Copies of records take pointers for numbers.
  if (T->isPointerTy() || any_of(Load.users(), IsaPred<IntToPtrInst>))
    return farAddress(Address / 8);
  const unsigned Bits = T->getScalarSizeInBits();
  if (Bits <= 1)
    return 1;
  if (T->isFloatingPointTy())
    return real(Bits, Made);
  // An offset from memory has no reason to be aligned, unlike a pitch.
  const uint64_t Gap = Made == MadeUp::Odd     ? 37
                       : Made == MadeUp::Other ? 1024
                       : isPitch(Load)         ? 256
                                               : 261;
  // Rising with the address: a row pointer's next entry is not below it, and a
  // loop from one to the other runs.
  const auto word = [&](uint64_t At, unsigned Bytes) {
    return truncateTo(Gap * (At / Bytes % (1 << 16) + 1), Bytes * 8);
  };
  return getsTwoWords(Load) ? word(Address, 4) | word(Address + 4, 4) << 32
                            : word(Address, Bits / 8);
}

uint64_t Environment::invent(uint64_t Key, const Type *T) const {
  if (T->isPointerTy())
    return farAddress(Key);
  const unsigned Bits = T->getScalarSizeInBits();
  if (T->isFloatingPointTy())
    return real(Bits, Made);
  if (Bits == 1)
    return 1;
  if (Bits != 0 && Bits <= 8)
    return Made == MadeUp::Work ? 1 : 1 + 2 * uint64_t(Made);
  return truncateTo(extent(Key, Made, Shape), Bits ? Bits : 64);
}

} // namespace warpwise::access
