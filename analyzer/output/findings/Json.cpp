//===- Json.cpp - Findings as JSON ----------------------------------------===//

#include "analyzer/output/findings/Json.h"
#include "analyzer/advice/Wording.h"

#include "analyzer/output/accesses/AccessJson.h"

#include "llvm/Support/raw_ostream.h"

namespace json = llvm::json;

namespace warpwise::advice {

using access::Proof;

static bool mapCount(json::ObjectMapper &O, llvm::StringLiteral Key,
                     unsigned &Out) {
  uint64_t Wide = 0;
  if (!O.map(Key, Wide))
    return false;
  Out = unsigned(Wide);
  return true;
}

/// Reads the members that a Finding and a Note have in common.
static bool mapPlace(json::ObjectMapper &O, access::Place &Where) {
  return O.map("file", Where.File) && mapCount(O, "line", Where.Line) &&
         mapCount(O, "column", Where.Column);
}

/// Reads one of \p All by its name; \p Expected lists the names.
template <typename Enumeration>
static bool mapName(const json::Object &O, llvm::StringLiteral Key,
                    std::initializer_list<Enumeration> All,
                    llvm::StringLiteral Expected, Enumeration &Out,
                    json::Path P) {
  using output::nameOf;
  const auto Name = O.getString(Key);
  for (const Enumeration Known : All)
    if (Name == llvm::StringRef(nameOf(Known))) {
      Out = Known;
      return true;
    }
  P.field(Key).report(Expected);
  return false;
}

static bool mapProof(const json::Object &O, Proof &State, json::Path P) {
  return mapName(O, "proof",
                 {Proof::Exact, Proof::Bounded, Proof::Estimated,
                  Proof::DataDependent, Proof::Unknown},
                 "expected exact, bounded, estimated, data-dependent or "
                 "unknown",
                 State, P);
}

static bool mapSeverity(const json::Object &O, Severity &Level, json::Path P) {
  return mapName(O, "severity", {Severity::Warning, Severity::Remark},
                 "expected warning or remark", Level, P);
}

/// A place alone, as a way to a finding consists of them.
static bool readWay(const json::Value &V, std::vector<access::Place> &Way,
                    json::Path P) {
  const json::Array *Calls = V.getAsArray();
  if (!Calls) {
    P.report("expected array");
    return false;
  }
  for (size_t I = 0; I != Calls->size(); ++I) {
    json::ObjectMapper O((*Calls)[I], P.index(I));
    if (!O || !mapPlace(O, Way.emplace_back()))
      return false;
  }
  return true;
}

static bool mapWays(const json::Object &O,
                    std::vector<std::vector<access::Place>> &Ways,
                    json::Path P) {
  const json::Array *All = O.getArray("called_from");
  if (!All) {
    P.field("called_from").report("expected array");
    return false;
  }
  for (size_t I = 0; I != All->size(); ++I)
    if (!readWay((*All)[I], Ways.emplace_back(),
                 P.field("called_from").index(I)))
      return false;
  return true;
}

json::Value toJSON(const Note &N) {
  return json::Object{{"file", N.Where.File},
                      {"line", N.Where.Line},
                      {"column", N.Where.Column},
                      {"message", N.Message}};
}

bool fromJSON(const json::Value &V, Note &N, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapPlace(O, N.Where) && O.map("message", N.Message);
}

json::Value toJSON(const AffectedAccess &S) {
  return json::Object{
      {"file", S.Where.File},        {"line", S.Where.Line},
      {"column", S.Where.Column},    {"extra_cycles", S.ExtraCycles},
      {"extra_bytes", S.ExtraBytes}, {"weight", S.Weight},
      {"fingerprint", S.Fingerprint}};
}

bool fromJSON(const json::Value &V, AffectedAccess &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapPlace(O, S.Where) && O.map("extra_cycles", S.ExtraCycles) &&
         O.map("extra_bytes", S.ExtraBytes) && O.map("weight", S.Weight) &&
         O.map("fingerprint", S.Fingerprint);
}

static json::Value toJSON(const Need &N) {
  return json::Object{{"unit", N.Unit},
                      {"actual", N.Actual},
                      {"ideal", N.Ideal},
                      {"low", N.Low},
                      {"high", N.High}};
}

bool fromJSON(const json::Value &V, Need &N, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("unit", N.Unit) && O.map("actual", N.Actual) &&
         O.map("ideal", N.Ideal) && O.map("low", N.Low) &&
         O.map("high", N.High);
}

static json::Value toJSON(const price::Gain &G) {
  return json::Object{{"factor", G.Factor},
                      {"low", G.Low},
                      {"high", G.High},
                      {"bound_by", G.BoundBy},
                      {"under", G.Under},
                      {"fills_gpu", G.FillsGpu},
                      {"most_blocks", G.MostBlocks},
                      {"open_loops", G.HasOpenLoops},
                      {"unlaunched", G.IsUnlaunched},
                      {"kernel_us", G.Microseconds
                                        ? json::Value(*G.Microseconds)
                                        : json::Value(nullptr)}};
}

static bool mapGain(const json::Object &O, std::optional<price::Gain> &Gain,
                    json::Path P) {
  const json::Value *Its = O.get("gain");
  if (!Its || Its->kind() == json::Value::Null)
    return true;
  json::ObjectMapper Members(*Its, P.field("gain"));
  price::Gain G;
  uint64_t MostBlocks = 0;
  if (!Members || !Members.map("factor", G.Factor) ||
      !Members.map("low", G.Low) || !Members.map("high", G.High) ||
      !Members.map("bound_by", G.BoundBy) || !Members.map("under", G.Under) ||
      !Members.map("fills_gpu", G.FillsGpu) ||
      !Members.map("most_blocks", MostBlocks) ||
      !Members.map("open_loops", G.HasOpenLoops) ||
      !Members.map("unlaunched", G.IsUnlaunched) ||
      !Members.map("kernel_us", G.Microseconds))
    return false;
  G.MostBlocks = static_cast<unsigned>(MostBlocks);
  Gain = std::move(G);
  return true;
}

static json::Value toJSON(const Request &R) {
  json::Array Offsets;
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (R.Lanes.ActiveMask >> Lane & 1)
      Offsets.push_back(R.Lanes.Offsets[Lane]);
    else
      Offsets.push_back(nullptr);
  return json::Object{{"space", llvm::StringRef(output::nameOf(R.Memory))},
                      {"op", llvm::StringRef(output::nameOf(R.Op))},
                      {"bytes", R.Bytes},
                      {"warp", R.Lanes.Warp},
                      {"offsets", std::move(Offsets)},
                      {"stride", R.Lanes.Stride ? json::Value(*R.Lanes.Stride)
                                                : json::Value(nullptr)},
                      {"made_up", R.Lanes.IsMadeUp},
                      {"step_made_up", R.Lanes.IsStepMadeUp},
                      {"step_varies", R.Lanes.StepVaries},
                      {"step_factors", R.Lanes.StepFactors}};
}

static bool mapRequest(const json::Value &V, Request &R, json::Path P) {
  using access::Operation, access::Space;
  json::ObjectMapper O(V, P);
  std::vector<std::optional<int64_t>> Offsets;
  if (!O || !mapCount(O, "bytes", R.Bytes) ||
      !mapCount(O, "warp", R.Lanes.Warp) || !O.map("offsets", Offsets) ||
      !O.map("stride", R.Lanes.Stride) || !O.map("made_up", R.Lanes.IsMadeUp) ||
      !O.map("step_made_up", R.Lanes.IsStepMadeUp) ||
      !O.map("step_varies", R.Lanes.StepVaries) ||
      !O.map("step_factors", R.Lanes.StepFactors))
    return false;
  if (Offsets.size() != access::WarpLanes) {
    P.field("offsets").report("expected one for each lane");
    return false;
  }
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    if (Offsets[Lane]) {
      R.Lanes.ActiveMask |= 1u << Lane;
      R.Lanes.Offsets[Lane] = *Offsets[Lane];
    }
  const json::Object &Members = *V.getAsObject();
  return mapName(Members, "space",
                 {Space::Global, Space::Shared, Space::Constant, Space::Local,
                  Space::Texture, Space::Generic},
                 "expected a memory space", R.Memory, P) &&
         mapName(Members, "op",
                 {Operation::Load, Operation::Store, Operation::Atomic},
                 "expected load, store or atomic", R.Op, P);
}

static bool mapWorst(const json::Object &O, std::optional<Request> &Worst,
                     json::Path P) {
  const json::Value *Its = O.get("worst_request");
  if (!Its || Its->kind() == json::Value::Null)
    return true;
  return mapRequest(*Its, Worst.emplace(), P.field("worst_request"));
}

static json::Value toJSON(const launch::Dim3 &Dim) {
  return json::Array{Dim[0], Dim[1], Dim[2]};
}

static bool mapDim3(const json::Value &V, launch::Dim3 &Dim, json::Path P) {
  std::vector<uint64_t> Extents;
  if (!json::fromJSON(V, Extents, P))
    return false;
  if (Extents.size() != Dim.size()) {
    P.report("expected x, y and z");
    return false;
  }
  for (size_t Axis = 0; Axis != Dim.size(); ++Axis)
    Dim[Axis] = uint32_t(Extents[Axis]);
  return true;
}

static json::Value toJSON(const LaunchSummary &L) {
  const launch::Shape &S = L.Shape;
  return json::Object{{"block", toJSON(S.Block)},
                      {"grid", S.Grid ? toJSON(*S.Grid) : nullptr},
                      {"dynamic_shared_bytes", S.DynamicSharedBytes},
                      {"source", output::nameOf(S.Source)},
                      {"file", S.At.File},
                      {"line", S.At.Line},
                      {"column", S.At.Column},
                      {"when", S.When},
                      {"special", S.IsSpecial},
                      {"bound_by", L.BoundBy},
                      {"time_ns", L.Nanoseconds},
                      {"whole", L.IsWhole},
                      {"wasted", L.Wasted}};
}

bool fromJSON(const json::Value &V, LaunchSummary &L, json::Path P) {
  using launch::ShapeSource;
  json::ObjectMapper O(V, P);
  launch::Shape &S = L.Shape;
  if (!O || !mapPlace(O, S.At) ||
      !O.map("dynamic_shared_bytes", S.DynamicSharedBytes) ||
      !O.map("when", S.When) || !O.map("special", S.IsSpecial) ||
      !O.map("bound_by", L.BoundBy) || !O.map("time_ns", L.Nanoseconds) ||
      !O.map("whole", L.IsWhole) || !O.map("wasted", L.Wasted))
    return false;
  const json::Object &Members = *V.getAsObject();
  const json::Value *Block = Members.get("block");
  const json::Value *Grid = Members.get("grid");
  if (!Block) {
    P.field("block").report("missing value");
    return false;
  }
  if (Grid && Grid->kind() != json::Value::Null &&
      !mapDim3(*Grid, S.Grid.emplace(), P.field("grid")))
    return false;
  return mapDim3(*Block, S.Block, P.field("block")) &&
         mapName(Members, "source",
                 {ShapeSource::Launch, ShapeSource::Bounds, ShapeSource::Option,
                  ShapeSource::Assumed},
                 "expected launch, bounds, option or assumed", S.Source, P);
}

json::Value toJSON(const Replacement &R) {
  return json::Object{{"file", R.Old.File},
                      {"offset", R.Old.Offset},
                      {"length", R.Old.Length},
                      {"was", R.Was},
                      {"text", R.Text}};
}

bool fromJSON(const json::Value &V, Replacement &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("file", R.Old.File) && O.map("offset", R.Old.Offset) &&
         O.map("length", R.Old.Length) && O.map("was", R.Was) &&
         O.map("text", R.Text);
}

json::Value toJSON(const Rewrite &R) {
  return json::Object{{"title", R.Title},
                      {"replacements", R.Changes},
                      {"presumes", R.Presumes},
                      {"withheld", R.Withheld},
                      {"verified", R.Verified}};
}

bool fromJSON(const json::Value &V, Rewrite &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("title", R.Title) && O.map("replacements", R.Changes) &&
         O.map("presumes", R.Presumes) && O.map("withheld", R.Withheld) &&
         O.map("verified", R.Verified);
}

json::Value toJSON(const KernelSummary &K) {
  json::Array Shapes;
  for (const LaunchSummary &L : K.Shapes)
    Shapes.push_back(toJSON(L));
  return json::Object{{"name", K.Name},
                      {"mangled", K.Mangled},
                      {"file", K.Where.File},
                      {"line", K.Where.Line},
                      {"column", K.Where.Column},
                      {"launches", K.Launches},
                      {"bound_by", K.BoundBy},
                      {"time_ns", K.Nanoseconds},
                      {"whole", K.IsWhole},
                      {"wasted", K.Wasted},
                      {"shapes", std::move(Shapes)}};
}

bool fromJSON(const json::Value &V, KernelSummary &K, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("name", K.Name) && O.map("mangled", K.Mangled) &&
         mapPlace(O, K.Where) && mapCount(O, "launches", K.Launches) &&
         O.map("bound_by", K.BoundBy) && O.map("time_ns", K.Nanoseconds) &&
         O.map("whole", K.IsWhole) && O.map("wasted", K.Wasted) &&
         O.map("shapes", K.Shapes);
}

json::Value toJSON(const Finding &F) {
  json::Array CalledFrom;
  for (const auto &Way : F.CalledFrom) {
    json::Array Calls;
    for (const access::Place &Call : Way)
      Calls.push_back(json::Object{
          {"file", Call.File}, {"line", Call.Line}, {"column", Call.Column}});
    CalledFrom.push_back(std::move(Calls));
  }
  return json::Object{
      {"rule", F.Rule},
      {"guidelines", F.Guidelines},
      {"file", F.Where.File},
      {"line", F.Where.Line},
      {"column", F.Where.Column},
      {"severity", llvm::StringRef(advice::nameOf(F.Level))},
      {"message", F.Message},
      {"kernel", F.Kernel},
      {"kernel_file", F.KernelFile},
      {"object", F.Object},
      {"remedy", F.Remedy},
      {"fix", F.Fix ? toJSON(*F.Fix) : nullptr},
      {"cause", F.Cause},
      {"also", F.Also},
      {"proof", output::nameOf(F.State)},
      {"per_request", F.PerRequest ? toJSON(*F.PerRequest) : nullptr},
      {"worst_request", F.Worst ? toJSON(*F.Worst) : nullptr},
      {"fingerprint", F.Fingerprint},
      {"extra_cycles", F.ExtraCycles},
      {"extra_cycles_low", F.ExtraCyclesLow},
      {"extra_cycles_high", F.ExtraCyclesHigh},
      {"extra_bytes", F.ExtraBytes},
      {"gain", F.Faster ? toJSON(*F.Faster) : nullptr},
      {"weight", F.Weight},
      {"instances", F.Instances},
      {"judged", F.Judged},
      {"found_in", F.FoundIn},
      {"clean_in", F.CleanIn},
      {"called_from", std::move(CalledFrom)},
      {"notes", F.Notes}};
}

bool fromJSON(const json::Value &V, Finding &F, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("rule", F.Rule) && O.map("guidelines", F.Guidelines) &&
         mapPlace(O, F.Where) && mapSeverity(*V.getAsObject(), F.Level, P) &&
         O.map("message", F.Message) && O.map("kernel", F.Kernel) &&
         O.map("kernel_file", F.KernelFile) && O.map("object", F.Object) &&
         O.map("remedy", F.Remedy) && O.map("fix", F.Fix) &&
         O.map("cause", F.Cause) && O.map("also", F.Also) &&
         mapProof(*V.getAsObject(), F.State, P) &&
         O.map("per_request", F.PerRequest) &&
         mapWorst(*V.getAsObject(), F.Worst, P) &&
         O.map("fingerprint", F.Fingerprint) &&
         O.map("extra_cycles", F.ExtraCycles) &&
         O.map("extra_cycles_low", F.ExtraCyclesLow) &&
         O.map("extra_cycles_high", F.ExtraCyclesHigh) &&
         O.map("extra_bytes", F.ExtraBytes) &&
         mapGain(*V.getAsObject(), F.Faster, P) && O.map("weight", F.Weight) &&
         mapCount(O, "instances", F.Instances) &&
         mapCount(O, "judged", F.Judged) && O.map("found_in", F.FoundIn) &&
         O.map("clean_in", F.CleanIn) &&
         mapWays(*V.getAsObject(), F.CalledFrom, P) && O.map("notes", F.Notes);
}

} // namespace warpwise::advice

namespace warpwise::output {

static constexpr llvm::StringLiteral Schema = "warpwise-findings/1";

void writeFindingsAsJson(const FindingsReport &Report, llvm::raw_ostream &Out) {
  json::OStream J(Out, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("schema", Schema);
    J.attributeObject("profile", [&] {
      J.attribute("name", Report.Profile);
      J.attribute("gpu", Report.Gpu);
      J.attribute("origin", Report.Origin);
    });
    J.attribute("suppressed", int64_t(Report.Suppressed));
    J.attribute("errors", Report.Errors);
    J.attribute("kernels", Report.Kernels);
    J.attribute("findings", Report.Findings);
  });
  Out << '\n';
}

} // namespace warpwise::output
