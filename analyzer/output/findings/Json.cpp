//===- Json.cpp - Findings as JSON ----------------------------------------===//

#include "analyzer/output/findings/Json.h"

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

static bool mapProof(const json::Object &O, Proof &State, json::Path P) {
  const auto Name = O.getString("proof");
  for (const Proof Known : {Proof::Exact, Proof::Bounded, Proof::Estimated,
                            Proof::DataDependent, Proof::Unknown})
    if (Name == output::nameOf(Known)) {
      State = Known;
      return true;
    }
  P.field("proof").report("expected exact, bounded, estimated, "
                          "data-dependent or unknown");
  return false;
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

json::Value toJSON(const Site &S) {
  return json::Object{
      {"file", S.Where.File},        {"line", S.Where.Line},
      {"column", S.Where.Column},    {"extra_cycles", S.ExtraCycles},
      {"extra_bytes", S.ExtraBytes}, {"weight", S.Weight},
      {"fingerprint", S.Fingerprint}};
}

bool fromJSON(const json::Value &V, Site &S, json::Path P) {
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
  if (!Members || !Members.map("factor", G.Factor) ||
      !Members.map("low", G.Low) || !Members.map("high", G.High) ||
      !Members.map("bound_by", G.BoundBy) || !Members.map("under", G.Under) ||
      !Members.map("kernel_us", G.Microseconds))
    return false;
  Gain = std::move(G);
  return true;
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
                      {"withheld", R.Withheld},
                      {"verified", R.Verified}};
}

bool fromJSON(const json::Value &V, Rewrite &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("title", R.Title) && O.map("replacements", R.Changes) &&
         O.map("withheld", R.Withheld) && O.map("verified", R.Verified);
}

json::Value toJSON(const KernelSummary &K) {
  return json::Object{{"name", K.Name},           {"mangled", K.Mangled},
                      {"file", K.Where.File},     {"line", K.Where.Line},
                      {"column", K.Where.Column}, {"launches", K.Launches},
                      {"bound_by", K.BoundBy},    {"time_ns", K.Nanoseconds},
                      {"whole", K.IsWhole},       {"wasted", K.Wasted}};
}

bool fromJSON(const json::Value &V, KernelSummary &K, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("name", K.Name) && O.map("mangled", K.Mangled) &&
         mapPlace(O, K.Where) && mapCount(O, "launches", K.Launches) &&
         O.map("bound_by", K.BoundBy) && O.map("time_ns", K.Nanoseconds) &&
         O.map("whole", K.IsWhole) && O.map("wasted", K.Wasted);
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
      {"message", F.Message},
      {"kernel", F.Kernel},
      {"object", F.Object},
      {"remedy", F.Remedy},
      {"fix", F.Fix ? toJSON(*F.Fix) : nullptr},
      {"cause", F.Cause},
      {"also", F.Also},
      {"proof", output::nameOf(F.State)},
      {"per_request", F.PerRequest ? toJSON(*F.PerRequest) : nullptr},
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
         mapPlace(O, F.Where) && O.map("message", F.Message) &&
         O.map("kernel", F.Kernel) && O.map("object", F.Object) &&
         O.map("remedy", F.Remedy) && O.map("fix", F.Fix) &&
         O.map("cause", F.Cause) && O.map("also", F.Also) &&
         mapProof(*V.getAsObject(), F.State, P) &&
         O.map("per_request", F.PerRequest) &&
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
