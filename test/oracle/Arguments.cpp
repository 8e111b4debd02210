//===- Arguments.cpp - What a kernel is called with -----------------------===//

#include "Arguments.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <bit>
#include <cstring>

using namespace llvm;

namespace warpwise::oracle {

Arguments::Arguments(const access::Program &Code,
                     const access::LaunchPlan &Plan, DeviceMemory &Memory,
                     Contents Initial)
    : Code(Code), Plan(Plan),
      Where(Code, Plan.Shape, Plan.Arguments, access::MadeUp::Likely),
      Memory(Memory), Initial(Initial) {
  const DataLayout &Layout = Code.Kernel->getParent()->getDataLayout();
  for (const Argument &Formal : Code.Kernel->args()) {
    const Type *T =
        Formal.hasByValAttr() ? Formal.getParamByValType() : Formal.getType();
    const uint64_t Bytes = Layout.getTypeAllocSize(const_cast<Type *>(T));
    Images.push_back(std::make_unique<char[]>(Bytes + sizeof(uint64_t)));
    Pointers.push_back(Images.back().get());
    if (Formal.hasByValAttr())
      addStruct(Formal, Images.back().get(), Bytes);
    else
      addScalar(Formal, Images.back().get(), Bytes);
  }
}

char *Arguments::buffer() {
  char *Made = Memory.allocate(Initial);
  Complete &= Made != nullptr;
  return Made;
}

/// What the evaluator starts with; 0 for an argument that it has no use for.
uint64_t Arguments::presetOf(const Argument &Formal) const {
  for (const access::Preset &P : Code.Presets)
    if (P.What == access::Preset::Kind::Argument && P.Object == &Formal)
      return Where.preset(P, {0, 0, 0}, 0).Lanes[0];
  return 0;
}

void Arguments::addScalar(const Argument &Formal, char *Image, uint64_t Bytes) {
  const unsigned Number = Formal.getArgNo();
  const launch::Argument Given = Number < Plan.Arguments.size()
                                     ? Plan.Arguments[Number]
                                     : launch::Argument();
  uint64_t Value = presetOf(Formal);
  if (Formal.getType()->isPointerTy())
    Value = reinterpret_cast<uint64_t>(buffer()) +
            uint64_t(Given.PointerOffset.value_or(0));
  else if (Given.Integer && Formal.getType()->isIntegerTy())
    Value = uint64_t(*Given.Integer);
  else if (Given.Real && Formal.getType()->isFloatTy())
    Value = std::bit_cast<uint32_t>(float(*Given.Real));
  else if (Given.Real && Formal.getType()->isDoubleTy())
    Value = std::bit_cast<uint64_t>(*Given.Real);
  std::memcpy(Image, &Value, std::min<uint64_t>(Bytes, sizeof Value));
}

void Arguments::addStruct(const Argument &Formal, char *Image, uint64_t Bytes) {
  fillMembers(Formal.getParamByValType(), 0, presetOf(Formal), Image);
  if (Formal.getArgNo() < Plan.Arguments.size())
    for (const launch::Argument::Member &M :
         Plan.Arguments[Formal.getArgNo()].Members)
      if (M.Offset + M.Bytes <= Bytes && M.Bytes <= sizeof M.Value)
        std::memcpy(Image + M.Offset, &M.Value, M.Bytes);
  Memory.addRegion(Image, Bytes, access::Space::Local);
}

/// Members that the launch does not tell. Pointers lead somewhere.
void Arguments::fillMembers(const Type *T, uint64_t Offset, uint64_t Base,
                            char *Image) {
  const DataLayout &Layout = Code.Kernel->getParent()->getDataLayout();
  if (auto *Struct = dyn_cast<StructType>(T)) {
    const StructLayout *Members =
        Layout.getStructLayout(const_cast<StructType *>(Struct));
    for (unsigned N = 0; N != Struct->getNumElements(); ++N)
      fillMembers(Struct->getElementType(N),
                  Offset + Members->getElementOffset(N), Base, Image);
    return;
  }
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    const uint64_t Bytes = Layout.getTypeAllocSize(Array->getElementType());
    for (uint64_t N = 0; N != std::min<uint64_t>(Array->getNumElements(), 256);
         ++N)
      fillMembers(Array->getElementType(), Offset + N * Bytes, Base, Image);
    return;
  }
  uint64_t Value = 0;
  if (T->isPointerTy())
    Value = reinterpret_cast<uint64_t>(buffer());
  else if (T->isIntegerTy() || T->isFloatingPointTy())
    Value = Where.invent(Base + Offset, T);
  const uint64_t Bytes = Layout.getTypeStoreSize(const_cast<Type *>(T));
  std::memcpy(Image + Offset, &Value, std::min<uint64_t>(Bytes, sizeof Value));
}

} // namespace warpwise::oracle
