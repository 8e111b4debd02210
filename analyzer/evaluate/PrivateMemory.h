//===- PrivateMemory.h - Contents of private arrays -------------*- C++ -*-===//
//
// Each lane's own copy of the kernel's private arrays, byte by byte, as far as
// their contents are known: small index tables live there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H
#define WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H

#include "analyzer/evaluate/LaneValue.h"

#include <memory>
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
    for (unsigned L = 0; L != 32; ++L) {
      if (!(Active >> L & 1))
        continue;
      if (Address.Unknown >> L & 1) {
        forgetLane(L); // it may have gone anywhere
        continue;
      }
      Array *A = find(Address.lane(L), Bytes);
      if (!A)
        continue;
      if (A->Known.empty()) {
        A->Content.resize(A->Bytes);
        A->Known.resize(A->Bytes);
      }
      const uint64_t First = Address.lane(L) - A->Base;
      const bool Known = Value && Bytes <= 8 && !(Value->Unknown >> L & 1) &&
                         !(Value->From & OriginAssumed);
      for (unsigned B = 0; B != Bytes; ++B) {
        if (Known) {
          A->Content[First + B][L] = uint8_t(Value->lane(L) >> (8 * B));
          A->Known[First + B] |= 1u << L;
        } else {
          A->Known[First + B] &= ~(1u << L);
        }
      }
    }
  }

  LaneValue load(const LaneValue &Address, unsigned Bytes, uint32_t Active) {
    LaneValue R = LaneValue::unknown(OriginPrivate);
    for (unsigned L = 0; L != 32; ++L) {
      if (!(Active >> L & 1) || (Address.Unknown >> L & 1) || Bytes > 8)
        continue;
      Array *A = find(Address.lane(L), Bytes);
      if (!A || A->Known.empty())
        continue;
      const uint64_t First = Address.lane(L) - A->Base;
      uint64_t Value = 0;
      bool Known = true;
      for (unsigned B = 0; B != Bytes; ++B) {
        Known &= A->Known[First + B] >> L & 1;
        Value |= uint64_t(A->Content[First + B][L]) << (8 * B);
      }
      if (Known) {
        R.Lanes[L] = Value;
        R.Unknown &= ~(1u << L);
      }
    }
    return R;
  }

private:
  void forgetLane(unsigned L) {
    for (Array &A : Arrays)
      for (uint32_t &Known : A.Known)
        Known &= ~(1u << L);
  }
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_PRIVATEMEMORY_H
