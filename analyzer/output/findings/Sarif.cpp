//===- Sarif.cpp - Findings as SARIF 2.1.0 --------------------------------===//

#include "analyzer/output/findings/Sarif.h"

#include "analyzer/advice/Wording.h"
#include "analyzer/output/Paths.h"
#include "analyzer/output/accesses/AccessJson.h"
#include "analyzer/output/findings/SourcePositions.h"
#include "profiler/io/JsonDepth.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace json = llvm::json;

namespace warpwise::output {

static constexpr llvm::StringLiteral Schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json";
static constexpr llvm::StringLiteral Version = "2.1.0";
static constexpr llvm::StringLiteral Name = "Warpwise";
static constexpr llvm::StringLiteral Root = "SRCROOT";
/// Its number changes when other things go into a fingerprint.
static constexpr llvm::StringLiteral Fingerprint = "warpwisePlace/v1";

/// Foreign bytes may be no UTF-8, which JSON cannot have.
static json::Value text(llvm::StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}

static json::Object message(llvm::StringRef Text) {
  return json::Object{{"text", text(Text)}};
}

/// A path as part of a URI.
static std::string escaped(llvm::StringRef Path) {
  std::string Result;
  for (const char C : Path)
    if (llvm::isAlnum(C) || llvm::StringRef("-._~/").contains(C))
      Result += C;
    else
      Result += fmt::format("%{:02X}", uint8_t(C));
  return Result;
}

/// "BankConflict" of "cuda-memory-bank-conflict".
static std::string pascalCase(llvm::StringRef Rule) {
  Rule.consume_front("cuda-memory-");
  std::string Result;
  bool Upper = true;
  for (const char C : Rule) {
    if (C != '-')
      Result += Upper ? llvm::toUpper(C) : C;
    Upper = C == '-';
  }
  return Result;
}

namespace {

class SarifWriter {
public:
  explicit SarifWriter(const FindingsReport &Report)
      : Report(Report), Sources(Report.Source) {}

  json::Object document();

private:
  json::Object driver() const;
  json::Object invocation() const;
  json::Object result(const advice::Finding &F);
  json::Object physical(const access::Place &Where);
  json::Object artifact(const std::string &File) const;
  json::Array related(const advice::Finding &F);
  json::Object fix(const advice::Rewrite &Rewrite);
  json::Object properties(const advice::Finding &F) const;

  const FindingsReport &Report;
  ReportSources Sources;
};

} // namespace

json::Object SarifWriter::artifact(const std::string &File) const {
  const std::string Short = shortenPath(File, Report.WorkingDirectory);
  if (Short == File)
    return json::Object{{"uri", "file://" + escaped(File)}};
  return json::Object{{"uri", escaped(Short)}, {"uriBaseId", Root}};
}

json::Object SarifWriter::physical(const access::Place &Where) {
  json::Object Location{{"artifactLocation", artifact(Where.File)}};
  if (Where.Line == 0)
    return Location;
  json::Object Region{{"startLine", Where.Line}};
  if (Where.Column)
    Region["startColumn"] =
        Sources.of(Where.File).column(Where.Line, Where.Column);
  Location["region"] = std::move(Region);
  return Location;
}

json::Object SarifWriter::driver() const {
  json::Array Rules;
  for (const RuleText &R : Report.Rules) {
    json::Object Rule{
        {"id", R.Name},
        {"name", pascalCase(R.Name)},
        {"shortDescription", message(R.Summary)},
        {"fullDescription", message(R.Summary)},
        {"help",
         json::Object{{"text", text(R.Page)}, {"markdown", text(R.Page)}}},
        {"helpUri", R.Uri},
        {"defaultConfiguration", json::Object{{"level", "warning"}}},
        {"properties",
         json::Object{
             {"tags", json::Array{"cuda", "gpu", "memory", "performance"}},
             {"precision", "high"},
             {"problem.severity", "warning"}}}};
    Rules.push_back(std::move(Rule));
  }
  return json::Object{{"name", Name},
                      {"version", Report.Version},
                      {"semanticVersion", Report.Version},
                      {"rules", std::move(Rules)}};
}

json::Object SarifWriter::invocation() const {
  json::Array Notifications;
  for (const std::string &Error : Report.Errors)
    Notifications.push_back(
        json::Object{{"level", "error"}, {"message", message(Error)}});
  return json::Object{{"executionSuccessful", Report.Errors.empty()},
                      {"toolExecutionNotifications", std::move(Notifications)}};
}

/// Where else to look: the launches and calls that the notes name, and the
/// other places with the same cause.
json::Array SarifWriter::related(const advice::Finding &F) {
  json::Array All;
  const auto add = [&](const access::Place &Where, llvm::StringRef Text) {
    json::Object Location{{"id", int64_t(All.size() + 1)},
                          {"physicalLocation", physical(Where)},
                          {"message", message(Text)}};
    All.push_back(std::move(Location));
    return All.back().getAsObject();
  };
  for (const advice::AffectedAccess &S : F.Also)
    if (!S.Where.File.empty())
      (*add(S.Where, "the same"))["properties"] =
          json::Object{{Fingerprint, S.Fingerprint}};
  for (const advice::Note &N : F.Notes)
    if (!N.Where.File.empty() && N.Where != F.Where)
      add(N.Where, N.Message);
  return All;
}

json::Object SarifWriter::fix(const advice::Rewrite &Rewrite) {
  std::map<std::string, json::Array> ByFile;
  for (const advice::Replacement &C : Rewrite.Changes) {
    const SourcePositions &In = Sources.of(C.Old.File);
    const SourcePosition Begin = In.position(C.Old.Offset);
    const SourcePosition End = In.position(C.Old.Offset + C.Old.Length);
    ByFile[C.Old.File].push_back(json::Object{
        {"deletedRegion", json::Object{{"startLine", Begin.Line},
                                       {"startColumn", Begin.Column},
                                       {"endLine", End.Line},
                                       {"endColumn", End.Column}}},
        {"insertedContent", message(C.Text)}});
  }
  json::Array Changes;
  for (auto &[File, Replacements] : ByFile)
    Changes.push_back(json::Object{{"artifactLocation", artifact(File)},
                                   {"replacements", std::move(Replacements)}});
  return json::Object{
      {"description", message(Rewrite.Title + ": " + Rewrite.Verified)},
      {"artifactChanges", std::move(Changes)}};
}

json::Object SarifWriter::properties(const advice::Finding &F) const {
  json::Object All{
      {"kernel", text(F.Kernel)},
      {"object", text(F.Object)},
      {"guidelines", F.Guidelines},
      {"proof", nameOf(F.State)},
      {"profile", text(Report.Profile)},
      {"extraCyclesPerRequest", F.ExtraCycles},
      {"extraCyclesInterval", json::Array{F.ExtraCyclesLow, F.ExtraCyclesHigh}},
      {"extraBytesPerRequest", F.ExtraBytes},
  };
  if (F.PerRequest) {
    All[F.PerRequest->Unit] = F.PerRequest->Actual;
    All["ideal"] = F.PerRequest->Ideal;
    All["interval"] = json::Array{F.PerRequest->Low, F.PerRequest->High};
    // Of a conflict, the passes for each that would do.
    if (F.PerRequest->Unit == "wavefronts" && F.PerRequest->Ideal > 0)
      All["ways"] = F.PerRequest->Actual / F.PerRequest->Ideal;
  }
  if (F.Faster) {
    All["gain"] = F.Faster->Factor;
    All["gainInterval"] = json::Array{F.Faster->Low, F.Faster->High};
    All["boundBy"] = F.Faster->BoundBy;
    if (F.Faster->FillsGpu)
      All["fillsGpu"] = true; // taken for: its size is not known
    if (F.Faster->MostBlocks)
      All["mostBlocks"] = F.Faster->MostBlocks;
    if (F.Faster->Microseconds)
      All["kernelMicroseconds"] = *F.Faster->Microseconds;
  }
  return All;
}

json::Object SarifWriter::result(const advice::Finding &F) {
  std::string Text = advice::headline(F);
  for (const advice::Note &N : advice::explanation(F, {}))
    Text += "\n" + N.Message;
  json::Object Location{{"physicalLocation", physical(F.Where)}};
  if (!F.Kernel.empty())
    Location["logicalLocations"] = json::Array{json::Object{
        {"fullyQualifiedName", text(F.Kernel)}, {"kind", "function"}}};
  json::Object Result{
      {"ruleId", F.Rule},
      {"level", F.Level == advice::Severity::Remark ? "note" : "warning"},
      {"message", message(Text)},
      {"locations", json::Array{std::move(Location)}},
      {"relatedLocations", related(F)},
      {"partialFingerprints", json::Object{{Fingerprint, F.Fingerprint}}},
      {"properties", properties(F)}};
  const auto Rule =
      std::find_if(Report.Rules.begin(), Report.Rules.end(),
                   [&](const RuleText &R) { return R.Name == F.Rule; });
  if (Rule != Report.Rules.end())
    Result["ruleIndex"] = Rule - Report.Rules.begin();
  // The share of the kernel's time that is wasted.
  if (F.Faster && F.Faster->Factor > 1)
    Result["rank"] = 100 * (1 - 1 / F.Faster->Factor);
  if (F.Fix && F.Fix->isOffered() && !F.Fix->Verified.empty())
    Result["fixes"] = json::Array{fix(*F.Fix)};
  return Result;
}

json::Object SarifWriter::document() {
  json::Array Results;
  for (const advice::Finding &F : Report.Findings)
    Results.push_back(result(F));
  json::Object Run{
      {"tool", json::Object{{"driver", driver()}}},
      {"columnKind", "utf16CodeUnits"},
      {"invocations", json::Array{invocation()}},
      {"results", std::move(Results)},
      {"properties", json::Object{{"profile", text(Report.Profile)},
                                  {"gpu", text(Report.Gpu)},
                                  {"origin", text(Report.Origin)},
                                  {"suppressed", int64_t(Report.Suppressed)}}}};
  if (!Report.WorkingDirectory.empty()) {
    std::string Folder = escaped(Report.WorkingDirectory);
    if (!llvm::StringRef(Folder).ends_with("/"))
      Folder += '/';
    Run["originalUriBaseIds"] =
        json::Object{{Root, json::Object{{"uri", "file://" + Folder}}}};
  }
  return json::Object{{"$schema", Schema},
                      {"version", Version},
                      {"runs", json::Array{std::move(Run)}}};
}

void writeFindingsAsSarif(const FindingsReport &Report,
                          llvm::raw_ostream &Out) {
  Out << llvm::formatv("{0:2}\n", json::Value(SarifWriter(Report).document()));
}

static llvm::Error wrong(const std::string &Why) {
  return llvm::createStringError(Why);
}

/// The name of the program that made \p Run, or empty.
static llvm::StringRef toolOf(const json::Object &Run) {
  const json::Object *Tool = Run.getObject("tool");
  const json::Object *Driver = Tool ? Tool->getObject("driver") : nullptr;
  return Driver ? Driver->getString("name").value_or("") : "";
}

static void takeFingerprint(const json::Object *From,
                            std::set<std::string> &Into) {
  if (!From)
    return;
  if (const auto Print = From->getString(Fingerprint))
    Into.insert(Print->str());
}

llvm::Expected<std::set<std::string>> readFingerprints(llvm::StringRef Text) {
  if (io::isNestedDeeperThan(Text))
    return wrong("it nests too deeply");
  llvm::Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return wrong("it is no JSON: " + llvm::toString(Parsed.takeError()));
  const json::Object *Document = Parsed->getAsObject();
  if (!Document || Document->getString("version") != Version)
    return wrong("it is no SARIF " + Version.str());
  const json::Array *Runs = Document->getArray("runs");
  if (!Runs)
    return wrong("it has no 'runs'");
  std::set<std::string> Known;
  bool IsOurs = false;
  for (const json::Value &Run : *Runs) {
    const json::Object *Its = Run.getAsObject();
    if (!Its || toolOf(*Its) != Name)
      continue;
    IsOurs = true;
    const json::Array *Results = Its->getArray("results");
    if (!Results)
      return wrong("a run in it has no 'results'");
    for (const json::Value &Result : *Results) {
      const json::Object *Members = Result.getAsObject();
      if (!Members)
        return wrong("a result in it is no object");
      takeFingerprint(Members->getObject("partialFingerprints"), Known);
      if (const json::Array *Others = Members->getArray("relatedLocations"))
        for (const json::Value &Other : *Others)
          if (const json::Object *Place = Other.getAsObject())
            takeFingerprint(Place->getObject("properties"), Known);
    }
  }
  if (!IsOurs)
    return wrong("no run in it is Warpwise's");
  return Known;
}

} // namespace warpwise::output
