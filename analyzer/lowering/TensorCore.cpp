//===- TensorCore.cpp - Matrix fragments as accesses ----------------------===//
//
// The layouts are those of the mma instructions in the PTX manual ("Matrix
// Fragments for mma.m16n8k16" and its neighbours): lane l belongs to group
// l / 4 and is number l % 4 in it; a group owns a line of the matrix, and its
// lanes own neighbouring registers of that line. Checked against the H200's
// counters for all types that NVIDIA's samples use.
//
//===----------------------------------------------------------------------===//

#include "analyzer/lowering/TensorCore.h"

#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace warpwise::lowering {
namespace {

constexpr unsigned GroupLines = 8; ///< lines of a register block
constexpr unsigned GroupLanes = 4; ///< lanes that share a line
constexpr unsigned RegisterBytes = 4;
constexpr unsigned MatrixRowBytes = 16; ///< of an 8x8 matrix of ldmatrix

/// The name of a wmma intrinsic taken apart:
/// llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0
struct WmmaName {
  unsigned M = 0, N = 0, K = 0;
  bool IsStore = false;
  char Matrix = 0; ///< a, b, c or d
  bool RowMajor = true, HasStride = false;
  StringRef Type;
};

std::optional<WmmaName> parseName(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.wmma."))
    return std::nullopt;
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  WmmaName W;
  if (Words.size() < 5 || (Words[1] != "load" && Words[1] != "store"))
    return std::nullopt;
  StringRef Shape = Words[0];
  if (!Shape.consume_front("m") || Shape.consumeInteger(10, W.M) ||
      !Shape.consume_front("n") || Shape.consumeInteger(10, W.N) ||
      !Shape.consume_front("k") || Shape.consumeInteger(10, W.K))
    return std::nullopt;
  W.IsStore = Words[1] == "store";
  W.Matrix = Words[2].front();
  W.RowMajor = Words[3] == "row";
  W.HasStride = Words[4] == "stride";
  W.Type = Words[W.HasStride ? 5 : 4];
  return W;
}

/// 0 for types of less than a byte, which are not modelled.
unsigned elementBytes(StringRef Type) {
  return StringSwitch<unsigned>(Type)
      .Cases("s8", "u8", 1)
      .Cases("f16", "bf16", 2)
      .Cases("f32", "tf32", "s32", 4)
      .Case("f64", 8)
      .Default(0);
}

class Requests {
  std::vector<FragmentRequest> Made;
  unsigned ElementBytes;

  template <typename Fn> void add(unsigned Bytes, Fn Spot) {
    FragmentRequest R;
    R.Bytes = Bytes;
    for (unsigned L = 0; L != 32; ++L) {
      const auto [Line, Element] = Spot(L / GroupLanes, L % GroupLanes);
      R.Line[L] = uint16_t(Line);
      R.Element[L] = uint16_t(Element);
    }
    Made.push_back(R);
  }

public:
  explicit Requests(unsigned ElementBytes) : ElementBytes(ElementBytes) {
    assert(ElementBytes != 0 && "a type that is not modelled");
  }

  std::vector<FragmentRequest> take() { return std::move(Made); }

  /// An operand register by register. Lines: its extent across K.
  void operandByRegister(unsigned Lines, unsigned K, bool KContiguous) {
    const unsigned PerRegister = std::max(1u, RegisterBytes / ElementBytes);
    const unsigned BlockK = GroupLanes * PerRegister;
    for (unsigned Line = 0; Line < Lines; Line += GroupLines)
      for (unsigned At = 0; At < K; At += BlockK) {
        if (KContiguous) {
          add(std::max(RegisterBytes, ElementBytes),
              [&](unsigned Group, unsigned Lane) {
                return std::pair(Line + Group, At + Lane * PerRegister);
              });
          continue;
        }
        // Across the lines: nothing to put together, one element at a time.
        for (unsigned E = 0; E != PerRegister; ++E)
          add(ElementBytes, [&](unsigned Group, unsigned Lane) {
            return std::pair(At + Lane * PerRegister + E, Line + Group);
          });
      }
  }

  /// An operand by ldmatrix: each lane fetches one 16-byte row of an 8x8 matrix
  /// of 16-bit elements, up to four matrices a request.
  void operandByMatrix(unsigned Lines, unsigned Length) {
    const unsigned RowElements = MatrixRowBytes / ElementBytes;
    const unsigned Down = Lines / GroupLines, Across = Length / RowElements;
    for (unsigned First = 0; First < Down * Across; First += 4) {
      FragmentRequest R;
      R.Bytes = MatrixRowBytes;
      const unsigned Count = std::min(4u, Down * Across - First);
      R.Lanes = Count == 4 ? ~0u : (1u << (8 * Count)) - 1;
      for (unsigned L = 0; L != 8 * Count; ++L) {
        const unsigned Matrix = First + L / 8;
        R.Line[L] = uint16_t(Matrix % Down * GroupLines + L % 8);
        R.Element[L] = uint16_t(Matrix / Down * RowElements);
      }
      Made.push_back(R);
    }
  }

  /// An accumulator: two neighbouring columns to a lane.
  void accumulator(unsigned M, unsigned N, bool RowMajor) {
    for (unsigned Row = 0; Row < M; Row += GroupLines)
      for (unsigned Column = 0; Column < N; Column += 2 * GroupLanes) {
        if (RowMajor) {
          add(2 * ElementBytes, [&](unsigned Group, unsigned Lane) {
            return std::pair(Row + Group, Column + 2 * Lane);
          });
          continue;
        }
        for (unsigned E = 0; E != 2; ++E)
          add(ElementBytes, [&](unsigned Group, unsigned Lane) {
            return std::pair(Column + 2 * Lane + E, Row + Group);
          });
      }
  }
};

} // namespace

std::optional<FragmentAccess> fragmentAccess(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return std::nullopt;
  const std::optional<WmmaName> Name = parseName(Callee->getName());
  if (!Name || !Name->HasStride || elementBytes(Name->Type) == 0)
    return std::nullopt;
  FragmentAccess Access;
  Access.Pointer = Call.getArgOperand(0);
  Access.Stride = Call.getArgOperand(Call.arg_size() - 1);
  Access.IsStore = Name->IsStore;
  Access.ElementBytes = elementBytes(Name->Type);
  Requests Made(Access.ElementBytes);
  if (Name->Matrix == 'c' || Name->Matrix == 'd') {
    Made.accumulator(Name->M, Name->N, Name->RowMajor);
  } else {
    const bool IsA = Name->Matrix == 'a';
    const unsigned Lines = IsA ? Name->M : Name->N;
    const bool KContiguous = IsA == Name->RowMajor;
    // ldmatrix reads shared memory only and transposes 16-bit elements only.
    // The compiler uses it for half and 8-bit integers.
    const bool ByMatrix =
        objectOf(Access.Pointer).Memory == access::Space::Shared &&
        (Name->Type == "f16" || (Access.ElementBytes == 1 && KContiguous));
    if (!ByMatrix)
      Made.operandByRegister(Lines, Name->K, KContiguous);
    else if (KContiguous)
      Made.operandByMatrix(Lines, Name->K);
    else
      Made.operandByMatrix(Name->K, Lines);
  }
  Access.Requests = Made.take();
  return Access;
}

} // namespace warpwise::lowering
