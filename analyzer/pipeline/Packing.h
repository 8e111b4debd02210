//===- Packing.h - The model as bytes, apart from its lines -----*- C++ -*-===//
//
// Writes the model's structures down and reads them again, bit by bit what they
// were. Places stand in a table beside the bytes: what was written of code that
// has moved since is read with the places that it has now.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_PACKING_H
#define WARPWISE_ANALYZER_PIPELINE_PACKING_H

#include "analyzer/model/Members.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpwise::pipeline {

/// Places by number.
class PlaceTable {
public:
  /// The number of \p Where, which is added if need be.
  unsigned add(llvm::StringRef File, unsigned Line, unsigned Column) {
    const unsigned FileNumber =
        Files.try_emplace(File, Files.size()).first->second;
    const auto [Entry, IsNew] =
        Numbers.try_emplace({FileNumber, {Line, Column}}, All.size());
    if (IsNew)
      All.push_back({File.str(), Line, Column});
    return Entry->second;
  }
  /// Its number, or nothing.
  std::optional<unsigned> find(const Place &Where) const {
    const auto File = Files.find(Where.File);
    if (File == Files.end())
      return std::nullopt;
    const auto At = Numbers.find({File->second, {Where.Line, Where.Column}});
    if (At == Numbers.end())
      return std::nullopt;
    return At->second;
  }
  const std::vector<Place> &all() const { return All; }

private:
  std::vector<Place> All;
  llvm::StringMap<unsigned> Files;
  llvm::DenseMap<std::pair<unsigned, std::pair<unsigned, unsigned>>, unsigned>
      Numbers;
};

/// Writes.
class Packer {
public:
  /// With \p AddsPlaces, those that \p Table lacks are added.
  Packer(PlaceTable &Table, bool AddsPlaces)
      : Table(Table), AddsPlaces(AddsPlaces) {}

  std::string Bytes;
  /// There is a place that the table lacks.
  bool LacksPlace = false;

  void operator()(const auto &...All) { (put(All), ...); }

  void number(uint64_t N) {
    for (; N >= 0x80; N >>= 7)
      Bytes += char(N | 0x80);
    Bytes += char(N);
  }
  void text(llvm::StringRef Text) {
    number(Text.size());
    Bytes.append(Text.data(), Text.size());
  }
  void place(llvm::StringRef File, unsigned Line, unsigned Column) {
    number(Table.add(File, Line, Column));
  }

private:
  PlaceTable &Table;
  bool AddsPlaces;

  void put(const std::string &Text) { text(Text); }
  void put(const Place &Where) {
    if (AddsPlaces)
      return place(Where.File, Where.Line, Where.Column);
    const auto Number = Table.find(Where);
    LacksPlace |= !Number;
    number(Number.value_or(0));
  }
  /// By name: all else that the source says of it is read from there.
  void put(const DeclaredArray &Array) { (*this)(Array.Where, Array.Name); }
  void put(const DeclaredPointer &Pointer) {
    (*this)(Pointer.Kernel, Pointer.Name);
  }
  void put(const ThreadIndices &) {} // read from the source as well
  void put(const std::shared_ptr<const launch::Contents> &Holds) {
    put(Holds != nullptr);
    if (Holds)
      put(*Holds);
  }
  template <typename T> void put(const std::optional<T> &Some) {
    put(Some.has_value());
    if (Some)
      put(*Some);
  }
  template <typename T> void put(const std::vector<T> &All) { list(All); }
  template <typename T> void put(const std::set<T> &All) { list(All); }
  template <typename K, typename V> void put(const std::map<K, V> &All) {
    list(All);
  }
  template <typename T, size_t N> void put(const std::array<T, N> &All) {
    for (const T &One : All)
      put(One);
  }
  template <typename A, typename B> void put(const std::pair<A, B> &Both) {
    (*this)(Both.first, Both.second);
  }
  template <typename... T> void put(const std::tuple<T...> &All) {
    std::apply(*this, All);
  }
  template <typename T> void put(const T &Value) {
    if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>) {
      number(uint64_t(Value));
    } else if constexpr (std::is_integral_v<T>) {
      const int64_t Wide = Value;
      number(uint64_t(Wide) << 1 ^ uint64_t(Wide >> 63));
    } else if constexpr (std::is_floating_point_v<T>) {
      const double Wide = Value;
      Bytes.append(reinterpret_cast<const char *>(&Wide), sizeof(Wide));
    } else {
      access::members(Value,
                      [this](const auto &...All) { (this->put(All), ...); });
    }
  }
  void list(const auto &All) {
    number(All.size());
    for (const auto &One : All)
      put(One);
  }
};

/// Reads what a Packer wrote. Bytes that it did not write make no sense, and no
/// harm.
class Unpacker {
public:
  Unpacker(llvm::StringRef Bytes, const std::vector<Place> &Places)
      : Left(Bytes), Places(Places) {}

  void operator()(auto &...All) { (get(All), ...); }
  /// All has been read, and made sense.
  bool isDone() const { return !Failed && Left.empty(); }

private:
  llvm::StringRef Left;
  const std::vector<Place> &Places;
  bool Failed = false;

  llvm::StringRef take(uint64_t Count) {
    if (Count > Left.size()) {
      Failed = true;
      Left = {};
      return {};
    }
    const llvm::StringRef Taken = Left.take_front(Count);
    Left = Left.drop_front(Count);
    return Taken;
  }
  uint64_t number() {
    uint64_t N = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      const llvm::StringRef Byte = take(1);
      if (Byte.empty())
        return 0;
      N |= uint64_t(Byte[0] & 0x7f) << Shift;
      if (!(Byte[0] & 0x80))
        return N;
    }
    Failed = true;
    return 0;
  }
  void get(std::string &Text) { Text = take(number()).str(); }
  void get(Place &Where) {
    const uint64_t Number = number();
    if (Number < Places.size())
      Where = Places[Number];
    else
      Failed = true;
  }
  void get(DeclaredArray &Array) { (*this)(Array.Where, Array.Name); }
  void get(DeclaredPointer &Pointer) { (*this)(Pointer.Kernel, Pointer.Name); }
  void get(ThreadIndices &) {}
  template <typename T> void get(std::optional<T> &Some) {
    bool IsThere = false;
    get(IsThere);
    Some.reset();
    if (IsThere)
      get(Some.emplace());
  }
  template <typename T> void get(std::vector<T> &All) {
    list([&](T &One) { All.push_back(std::move(One)); }, T());
  }
  template <typename T> void get(std::set<T> &All) {
    list([&](T &One) { All.insert(std::move(One)); }, T());
  }
  template <typename K, typename V> void get(std::map<K, V> &All) {
    list([&](std::pair<K, V> &One) { All.insert(std::move(One)); },
         std::pair<K, V>());
  }
  template <typename T, size_t N> void get(std::array<T, N> &All) {
    for (T &One : All)
      get(One);
  }
  template <typename A, typename B> void get(std::pair<A, B> &Both) {
    (*this)(Both.first, Both.second);
  }
  template <typename... T> void get(std::tuple<T...> &All) {
    std::apply(*this, All);
  }
  template <typename T> void get(T &Value) {
    if constexpr (std::is_enum_v<T> || std::is_unsigned_v<T>) {
      Value = T(number());
    } else if constexpr (std::is_integral_v<T>) {
      const uint64_t N = number();
      Value = T(int64_t(N >> 1) ^ -int64_t(N & 1));
    } else if constexpr (std::is_floating_point_v<T>) {
      double Wide = 0;
      const llvm::StringRef Bytes = take(sizeof(Wide));
      if (!Bytes.empty())
        std::memcpy(&Wide, Bytes.data(), sizeof(Wide));
      Value = T(Wide);
    } else {
      access::members(Value, [this](auto &...All) { (this->get(All), ...); });
    }
  }
  /// Stops where nothing is left, whatever the count says.
  template <typename T> void list(auto &&Add, const T &Empty) {
    for (uint64_t Count = number(); Count != 0 && !Failed; --Count) {
      T One = Empty;
      get(One);
      Add(One);
    }
  }
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_PACKING_H
