//===- RandomIndices.cpp - What data that nobody knows cost ---------------===//

#include "analyzer/evaluate/RandomIndices.h"

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/ObjectSizes.h"
#include "analyzer/evaluate/Program.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Casting.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpwise::access {
namespace {

/// Of how many neighbouring lanes it is known that they share what is not known
/// of their addresses.
unsigned sharedWidth(uint32_t From) {
  unsigned Width = 1;
  for (uint32_t Apart = OriginApart2; Width != WarpLanes && !(From & Apart);
       Apart <<= 1)
    Width *= 2;
  return Width;
}

/// A load of so many bytes of an element of an array, so far from where it
/// begins.
struct Part {
  const llvm::Value *Array = nullptr, *Index = nullptr;
  uint64_t Element = 1; ///< bytes from one to the next
  uint64_t Offset = 0;  ///< may be less than 0, as it is without sign
  unsigned Bytes = 0;

  bool isBeside(const Part &Other) const {
    return Array == Other.Array && Index == Other.Index;
  }
};

Part partOf(const Site &Of) {
  using namespace llvm::PatternMatch;
  const llvm::DataLayout &Layout = Of.Instruction->getModule()->getDataLayout();
  Part P;
  P.Bytes = Of.Bytes;
  P.Array = llvm::getLoadStorePointerOperand(Of.Instruction);
  if (!P.Array)
    return P;
  llvm::APInt Offset(Layout.getIndexTypeSizeInBits(P.Array->getType()), 0);
  P.Array = P.Array->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  P.Offset = uint64_t(Offset.getSExtValue());
  const auto *Address = llvm::dyn_cast<llvm::GetElementPtrInst>(P.Array);
  if (!Address || Address->getNumIndices() != 1 ||
      Address->getOperand(1)->getType()->getScalarSizeInBits() > 64)
    return P;
  P.Array = Address->getPointerOperand();
  P.Element = Layout.getTypeAllocSize(Address->getSourceElementType());
  P.Index = Address->getOperand(1);
  llvm::Value *Inner = nullptr;
  const llvm::APInt *By = nullptr;
  while (match(P.Index, m_ZExtOrSExt(m_Value(Inner))) ||
         match(P.Index, m_AddLike(m_Value(Inner), m_APInt(By)))) {
    if (By)
      P.Offset += uint64_t(By->getSExtValue()) * P.Element;
    P.Index = Inner;
    By = nullptr;
  }
  if (match(P.Index, m_Mul(m_Value(), m_APInt(By))))
    P.Element *= By->getZExtValue();
  else if (match(P.Index, m_Shl(m_Value(), m_APInt(By))))
    P.Element <<= By->getLimitedValue(63);
  return P;
}

/// Sectors that \p Parts of an element touch together, \p At bytes into one.
double sectorsOf(const profile::RequestLaw &Law, llvm::ArrayRef<Part> Parts,
                 uint64_t At) {
  std::set<uint64_t> Touched;
  for (const Part &P : Parts)
    for (unsigned Byte = 0; Byte != P.Bytes; ++Byte)
      Touched.insert((At + P.Offset + Byte) / Law.SectorBytes);
  return double(Touched.size());
}

} // namespace

RandomIndices::RandomIndices(const Program &Code, const LaunchPlan &Plan,
                             const profile::RequestLaw &Law, const Site &S,
                             uint32_t UnknownFrom, uint32_t Active)
    : Code(Code), Plan(Plan), Law(Law), S(S), Active(Active),
      Width(sharedWidth(UnknownFrom)) {}

std::optional<uint64_t> RandomIndices::bytesToChooseFrom(Trust In) const {
  std::optional<uint64_t> Bytes = certainBytes(Code, Plan, S);
  const auto narrow = [&Bytes](uint64_t To) {
    Bytes = std::min(Bytes.value_or(To), To);
  };
  if (S.At.ArrayBytes && S.At.From == S.Object)
    narrow(S.At.ArrayBytes);
  if (S.Window && (In == Trust::Types || !S.Window->IsByType))
    narrow(S.Window->Bytes);
  return Bytes;
}

warp::RandomRequest RandomIndices::request(unsigned Neighbours) const {
  warp::RandomRequest R;
  R.Groups = warp::neighbourGroups(Active, Neighbours);
  R.Bytes = S.Bytes;
  R.Stride = uint64_t(Neighbours) * S.Bytes;
  // "Matrices[9 * Index[i] + 3]" has a ninth as many places as words.
  if (Neighbours == 1 && S.At.From == S.Object && S.At.Bytes > 0)
    R.Stride = std::max(R.Stride, uint64_t(S.At.Bytes));
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    R.Offsets[Lane] = Lane % Neighbours * S.Bytes;
  R.ObjectBytes = bytesToChooseFrom(Trust::Types);
  return R;
}

warp::Expectation RandomIndices::costOf(unsigned Neighbours) const {
  const warp::RandomRequest R = request(Neighbours);
  switch (S.Memory) {
  case Space::Shared:
    if (S.IsEmulated) {
      // Its passes do not depend on where lanes go, but for how long each phase
      // has lanes left.
      warp::LaneAddresses Apart{};
      for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
        Apart[Lane] = uint64_t(Lane) * S.Bytes;
      const unsigned All =
          warp::swapLoop(Law, Apart, Active, S.Bytes).wavefrontsOfRound();
      return {.Expected = double(All), .Low = 1, .High = double(All)};
    }
    return warp::expectWavefronts(Law, R,
                                  S.Serialises ? warp::SharedOperation::Atomic
                                  : S.Op == Operation::Store
                                      ? warp::SharedOperation::Store
                                      : warp::SharedOperation::Load);
  case Space::Constant:
    return warp::expectWords(Law, R);
  default:
    return warp::expectSectors(Law, R);
  }
}

double RandomIndices::most() const { return costOf(1).High; }

std::optional<double> RandomIndices::mostOfPlaces() const {
  if (S.Memory == Space::Constant) {
    warp::RandomRequest R = request(1);
    R.ObjectBytes = bytesToChooseFrom(Trust::Proof);
    if (const auto Places = R.elements())
      return double(*Places) * S.Bytes / Law.constantBytes(S.Bytes);
  }
  if (S.Memory == Space::Global && S.Window && !S.Window->IsByType)
    // It may begin with the last byte of a sector.
    return 1 + std::ceil(double(S.Window->Bytes - 1) / Law.SectorBytes);
  return std::nullopt;
}

double RandomIndices::lines() const {
  profile::RequestLaw OfLines = Law;
  OfLines.SectorBytes = Law.LineBytes;
  return warp::expectSectors(OfLines, request(Width)).Expected;
}

double RandomIndices::linePasses() const {
  return warp::expectWavefronts(Law, request(Width),
                                warp::SharedOperation::Load)
      .Expected;
}

double RandomIndices::swapRounds() const {
  return warp::expectSwapRounds(Law, request(Width));
}

double RandomIndices::lostLines() const {
  const warp::RandomRequest R = request(Width);
  const double Room = double(Law.ConstantLines) * Law.ConstantLineBytes;
  if (!R.ObjectBytes || *R.ObjectBytes <= Room)
    return 0;
  profile::RequestLaw OfLines = Law;
  OfLines.SectorBytes = Law.ConstantLineBytes;
  return warp::expectSectors(OfLines, R).Expected *
         (1 - Room / double(*R.ObjectBytes));
}

RandomIndices::Members RandomIndices::membersBeside() const {
  const Part Own = partOf(S);
  llvm::SmallVector<Part, 4> Parts;
  for (const Site &Other : Code.Sites)
    if (Other.Op == Operation::Load && Other.Memory == S.Memory &&
        Other.Instruction->getParent() == S.Instruction->getParent())
      if (const Part P = partOf(Other); Own.Index && P.isBeside(Own))
        Parts.push_back(P);
  if (Parts.size() < 2)
    return {};
  unsigned Places = 0;
  double Together = 0, Alone = 0;
  uint64_t At = 0;
  do {
    Together += sectorsOf(Law, Parts, At);
    for (const Part &P : Parts)
      Alone += sectorsOf(Law, P, At);
    ++Places;
    At = (At + Own.Element) % Law.SectorBytes;
  } while (At != 0);
  return {Together / Alone, Together / Places};
}

} // namespace warpwise::access
