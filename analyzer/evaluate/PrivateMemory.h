//===- PrivateMemory.h - Contents of private arrays -------------*- C++ -*-===//
//
// Each lane's own copy of the kernel's private arrays, byte by byte, as far as
// their contents are known: small index tables live there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H
#define WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H

#include "analyzer/evaluate/LaneValue.h"

#include <array>
#include <bit>
#include <vector>

namespace warpwise::access {

class PrivateMemory {
  struct Array {
    uint64_t Base = 0, Bytes = 0;
    std::vector<std::array<uint8_t, 32>> Content; ///< [byte][lane]
    std::vector<uint32_t> Known;                  ///< [byte], a bit per lane
  };
  std::vector<Array> Arrays;

  Array *find(uint64_t Address, unsigned Bytes) {
    for (Array &A : Arrays)
      if (Address >= A.Base && Address + Bytes <= A.Base + A.Bytes)
        return &A;
    return nullptr;
  }

public:
  /// Larger arrays are not followed; reading them yields unknown lanes.
  static constexpr uint64_t MaxBytes = 4096;

  void add(uint64_t Base, uint64_t Bytes) {
    if (Bytes <= MaxBytes)
      Arrays.push_back({Base, Bytes, {}, {}});
  }

  /// Forgets all contents.
  void clear() {
    for (Array &A : Arrays)
      A.Known.assign(A.Known.size(), 0);
  }

  void store(const LaneValue &Address, const LaneValue *Value, unsigned Bytes,
             uint32_t Active) {
    if (const uint32_t Astray = Active & Address.Unknown)
      forget(Astray); // it may have gone anywhere
    const uint32_t Known = Value && Bytes <= 8 && !(Value->From & OriginAssumed)
                               ? ~Value->Unknown
                               : 0;
    forEachAddress(
        Address, Active & ~Address.Unknown, [&](uint64_t At, uint32_t Lanes) {
          Array *A = find(At, Bytes);
          if (!A)
            return;
          if (A->Known.empty()) {
            A->Content.resize(A->Bytes);
            A->Known.resize(A->Bytes);
          }
          for (unsigned B = 0; B != Bytes; ++B) {
            uint32_t &Its = A->Known[At - A->Base + B];
            Its = (Its & ~Lanes) | (Known & Lanes);
            if (Known & Lanes)
              put(A->Content[At - A->Base + B], *Value, 8 * B, Known & Lanes);
          }
        });
  }

  LaneValue load(const LaneValue &Address, unsigned Bytes, uint32_t Active) {
    LaneValue R = LaneValue::unknown(OriginPrivate);
    if (Bytes > 8)
      return R;
    forEachAddress(
        Address, Active & ~Address.Unknown, [&](uint64_t At, uint32_t Lanes) {
          Array *A = find(At, Bytes);
          if (!A || A->Known.empty())
            return;
          const auto *Rows = &A->Content[At - A->Base];
          for (unsigned B = 0; B != Bytes; ++B)
            Lanes &= A->Known[At - A->Base + B];
          if (Lanes == ~0u) {
            R.Lanes.fill(0);
            for (unsigned B = 0; B != Bytes; ++B)
              for (unsigned L = 0; L != 32; ++L)
                R.Lanes[L] |= uint64_t(Rows[B][L]) << (8 * B);
          } else
            for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
              const unsigned L = std::countr_zero(Left);
              R.Lanes[L] = 0;
              for (unsigned B = 0; B != Bytes; ++B)
                R.Lanes[L] |= uint64_t(Rows[B][L]) << (8 * B);
            }
          R.Unknown &= ~Lanes;
        });
    return R;
  }

  /// Forgets what \p Lanes hold.
  void forget(uint32_t Lanes) {
    for (Array &A : Arrays)
      for (uint32_t &Known : A.Known)
        Known &= ~Lanes;
  }

private:
  /// Calls \p Visit with addresses and the lanes that have them: with one if
  /// all have the same, as most do, otherwise lane by lane.
  template <typename Visitor>
  static void forEachAddress(const LaneValue &Address, uint32_t Lanes,
                             Visitor Visit) {
    if (!Lanes)
      return;
    const uint64_t First = Address.lane(std::countr_zero(Lanes));
    bool Same = true;
    for (uint32_t Left = Lanes; Left != 0 && Same; Left &= Left - 1)
      Same = Address.lane(std::countr_zero(Left)) == First;
    if (Same)
      return Visit(First, Lanes);
    for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1)
      Visit(Address.lane(std::countr_zero(Left)), Left & -Left);
  }

  /// The byte of \p Value at \p Shift, in \p Lanes.
  static void put(std::array<uint8_t, 32> &Row, const LaneValue &Value,
                  unsigned Shift, uint32_t Lanes) {
    if (Value.Uniform && Lanes == ~0u)
      return Row.fill(uint8_t(Value.Lanes[0] >> Shift));
    for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      Row[L] = uint8_t(Value.lane(L) >> Shift);
    }
  }
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H
