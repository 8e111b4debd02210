//===- LaunchJson.cpp -----------------------------------------------------===//

#include "analyzer/tool/LaunchJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

static json::Value toJSON(const Contents &C) {
  return json::Object{
      {"what", int64_t(C.What)}, {"element_bytes", C.ElementBytes},
      {"elements", C.Elements},  {"below", C.Below},
      {"seed", C.Seed},          {"data", llvm::toHex(C.Data)},
      {"likely", C.IsLikely}};
}

static bool fromJSON(const json::Value &From,
                     std::shared_ptr<const Contents> &Into, json::Path Path) {
  if (From.getAsNull())
    return true;
  Contents C;
  json::ObjectMapper Map(From, Path);
  int64_t What = 0;
  uint64_t ElementBytes = 0;
  std::string Data;
  if (!Map || !Map.map("what", What) ||
      !Map.map("element_bytes", ElementBytes) ||
      !Map.map("elements", C.Elements) || !Map.map("below", C.Below) ||
      !Map.map("seed", C.Seed) || !Map.map("data", Data) ||
      !Map.map("likely", C.IsLikely))
    return false;
  if (What < 0 || What > int64_t(Contents::Kind::Bytes) ||
      !llvm::tryGetFromHex(Data, C.Data)) {
    Path.report("no contents of memory");
    return false;
  }
  C.What = Contents::Kind(What);
  C.ElementBytes = unsigned(ElementBytes);
  Into = std::make_shared<const Contents>(std::move(C));
  return true;
}

json::Value toJSON(const Argument &A) {
  // JSON has no infinity; without the value the argument is merely unknown.
  std::optional<double> Real = A.Real;
  if (Real && !std::isfinite(*Real))
    Real.reset();
  return json::Object{
      {"integer", A.Integer},
      {"real", Real},
      {"pointer_offset", A.PointerOffset},
      {"table_bytes", A.TableBytes},
      {"allocation_bytes", A.AllocationBytes},
      {"holds", A.Holds ? toJSON(*A.Holds) : json::Value(nullptr)},
      {"scratch", A.IsScratch},
      {"shared", A.IsShared},
      {"elsewhere", A.IsElsewhere},
      {"not_null", A.NotNull},
      {"members", json::Array(A.Members)},
      {"certain", A.Certain}};
}

bool fromJSON(const json::Value &From, Argument &A, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  return Map && Map.map("integer", A.Integer) && Map.map("real", A.Real) &&
         Map.map("pointer_offset", A.PointerOffset) &&
         Map.map("table_bytes", A.TableBytes) &&
         Map.map("allocation_bytes", A.AllocationBytes) &&
         Map.map("holds", A.Holds) && Map.map("scratch", A.IsScratch) &&
         Map.map("shared", A.IsShared) && Map.map("elsewhere", A.IsElsewhere) &&
         Map.map("not_null", A.NotNull) && Map.map("members", A.Members) &&
         Map.map("certain", A.Certain);
}

static json::Value toJSON(const FromArgument &F) {
  return json::Object{{"argument", F.Argument},
                      {"times", F.Times},
                      {"plus", F.Plus},
                      {"by", F.By}};
}

static bool fromJSON(const json::Value &From, FromArgument &F,
                     json::Path Path) {
  json::ObjectMapper Map(From, Path);
  uint64_t Number = 0;
  if (!Map || !Map.map("argument", Number) || !Map.map("times", F.Times) ||
      !Map.map("plus", F.Plus) || !Map.map("by", F.By))
    return false;
  F.Argument = uint32_t(Number);
  constexpr int64_t Most = FromArgument::Most;
  if (F.Times > 0 && F.Times <= Most && F.By > 0 && F.By <= Most &&
      F.Plus >= -Most && F.Plus <= Most)
    return true;
  Path.report("no quotient");
  return false;
}

json::Value toJSON(const Launch &L) {
  return json::Object{{"mangled", L.Mangled},
                      {"file", L.At.File},
                      {"line", L.At.Line},
                      {"block", widen(L.Block)},
                      {"grid", widen(L.Grid)},
                      {"block_certain", L.BlockCertain},
                      {"grid_certain", L.GridCertain},
                      {"block_axes", widen(L.BlockAxes)},
                      {"block_most", widen(L.BlockMost)},
                      {"grid_most", widen(L.GridMost)},
                      {"grid_from", json::Array(L.GridFrom)},
                      {"dynamic_shared_bytes", L.DynamicSharedBytes},
                      {"shared_certain", L.SharedBytesCertain},
                      {"when", L.When},
                      {"special", L.IsSpecial},
                      {"dead", L.IsDead},
                      {"no_multiple_of", L.NoMultipleOf},
                      {"arguments", json::Array(L.Arguments)},
                      {"count", L.Count}};
}

bool fromJSON(const json::Value &From, Launch &L, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  WideSize Block, Grid, Axes, Most, GridLimits;
  std::optional<Dim3> BlockAxes, BlockMost, GridMost;
  std::vector<std::optional<FromArgument>> GridFrom;
  uint64_t Count = 0, Line = 0, NoMultipleOf = 0;
  bool Complete =
      Map && Map.map("mangled", L.Mangled) && Map.map("file", L.At.File) &&
      Map.map("line", Line) && Map.map("block", Block) &&
      Map.map("grid", Grid) && Map.map("block_certain", L.BlockCertain) &&
      Map.map("grid_certain", L.GridCertain) && Map.map("block_axes", Axes) &&
      Map.map("block_most", Most) && Map.map("grid_most", GridLimits) &&
      Map.map("grid_from", GridFrom) && GridFrom.size() == L.GridFrom.size() &&
      Map.map("dead", L.IsDead) && Map.map("no_multiple_of", NoMultipleOf) &&
      Map.map("dynamic_shared_bytes", L.DynamicSharedBytes) &&
      Map.map("shared_certain", L.SharedBytesCertain) &&
      Map.map("when", L.When) && Map.map("special", L.IsSpecial) &&
      Map.map("arguments", L.Arguments) && Map.map("count", Count);
  L.Count = static_cast<unsigned>(Count);
  L.At.Line = static_cast<unsigned>(Line);
  if (!Complete || !narrow(Block, L.Block) || !narrow(Grid, L.Grid) ||
      !narrow(Axes, BlockAxes) || !narrow(Most, BlockMost) ||
      !narrow(GridLimits, GridMost))
    return false;
  L.BlockAxes = BlockAxes.value_or(L.BlockAxes);
  L.BlockMost = BlockMost.value_or(L.BlockMost);
  L.GridMost = GridMost.value_or(L.GridMost);
  std::ranges::copy(GridFrom, L.GridFrom.begin());
  L.NoMultipleOf = static_cast<unsigned>(NoMultipleOf);
  return true;
}

void shareContents(std::vector<Launch> &Launches) {
  std::vector<std::shared_ptr<const Contents>> All;
  for (Launch &L : Launches)
    for (Argument &A : L.Arguments) {
      if (!A.Holds)
        continue;
      const auto Found = llvm::find_if(
          All, [&](const auto &Other) { return *Other == *A.Holds; });
      if (Found != All.end())
        A.Holds = *Found;
      else
        All.push_back(A.Holds);
    }
}

} // namespace warpwise::launch
