//===- LaunchJson.cpp -----------------------------------------------------===//

#include "analyzer/tool/LaunchJson.h"

#include <cmath>

namespace warpwise::launch {

namespace json = llvm::json;

/// llvm::json reads 64-bit numbers only.
using WideSize = std::optional<std::vector<uint64_t>>;

static WideSize widen(const std::optional<Dim3> &Size) {
  return Size ? WideSize({(*Size)[0], (*Size)[1], (*Size)[2]}) : std::nullopt;
}

static bool narrow(const WideSize &Wide, std::optional<Dim3> &Size) {
  if (!Wide)
    return true;
  if (Wide->size() != 3)
    return false;
  Size.emplace();
  for (size_t I = 0; I < 3; ++I)
    (*Size)[I] = static_cast<uint32_t>((*Wide)[I]);
  return true;
}

static json::Value toJSON(const Argument::Member &M) {
  return json::Object{{"offset", M.Offset},
                      {"bytes", M.Bytes},
                      {"value", M.Value},
                      {"certain", M.Certain},
                      {"pointer", M.IsPointer}};
}

static bool fromJSON(const json::Value &From, Argument::Member &M,
                     json::Path Path) {
  json::ObjectMapper Map(From, Path);
  uint64_t Bytes = 0;
  bool Complete = Map && Map.map("offset", M.Offset) &&
                  Map.map("bytes", Bytes) && Map.map("value", M.Value) &&
                  Map.map("certain", M.Certain) &&
                  Map.map("pointer", M.IsPointer);
  M.Bytes = static_cast<unsigned>(Bytes);
  return Complete;
}

json::Value toJSON(const Argument &A) {
  // JSON has no infinity; without the value the argument is merely unknown.
  std::optional<double> Real = A.Real;
  if (Real && !std::isfinite(*Real))
    Real.reset();
  return json::Object{{"integer", A.Integer},
                      {"real", Real},
                      {"pointer_offset", A.PointerOffset},
                      {"scratch", A.IsScratch},
                      {"not_null", A.NotNull},
                      {"members", json::Array(A.Members)},
                      {"certain", A.Certain}};
}

bool fromJSON(const json::Value &From, Argument &A, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  return Map && Map.map("integer", A.Integer) && Map.map("real", A.Real) &&
         Map.map("pointer_offset", A.PointerOffset) &&
         Map.map("scratch", A.IsScratch) && Map.map("not_null", A.NotNull) &&
         Map.map("members", A.Members) && Map.map("certain", A.Certain);
}

json::Value toJSON(const Launch &L) {
  return json::Object{{"mangled", L.Mangled},
                      {"file", L.At.File},
                      {"line", L.At.Line},
                      {"block", widen(L.Block)},
                      {"grid", widen(L.Grid)},
                      {"block_certain", L.BlockCertain},
                      {"grid_certain", L.GridCertain},
                      {"dynamic_shared_bytes", L.DynamicSharedBytes},
                      {"shared_certain", L.SharedBytesCertain},
                      {"when", L.When},
                      {"special", L.IsSpecial},
                      {"arguments", json::Array(L.Arguments)},
                      {"count", L.Count}};
}

bool fromJSON(const json::Value &From, Launch &L, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  WideSize Block, Grid;
  uint64_t Count = 0, Line = 0;
  bool Complete = Map && Map.map("mangled", L.Mangled) &&
                  Map.map("file", L.At.File) && Map.map("line", Line) &&
                  Map.map("block", Block) && Map.map("grid", Grid) &&
                  Map.map("block_certain", L.BlockCertain) &&
                  Map.map("grid_certain", L.GridCertain) &&
                  Map.map("dynamic_shared_bytes", L.DynamicSharedBytes) &&
                  Map.map("shared_certain", L.SharedBytesCertain) &&
                  Map.map("when", L.When) && Map.map("special", L.IsSpecial) &&
                  Map.map("arguments", L.Arguments) && Map.map("count", Count);
  L.Count = static_cast<unsigned>(Count);
  L.At.Line = static_cast<unsigned>(Line);
  return Complete && narrow(Block, L.Block) && narrow(Grid, L.Grid);
}

} // namespace warpwise::launch
