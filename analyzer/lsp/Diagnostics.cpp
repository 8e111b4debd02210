//===- Diagnostics.cpp - Findings as an editor shows them -----------------===//

#include "analyzer/lsp/Diagnostics.h"

#include "analyzer/advice/Wording.h"
#include "analyzer/lsp/Sources.h"

namespace warpwise::lsp {

namespace json = llvm::json;
using namespace mlir::lsp;

DiagnosticWriter::DiagnosticWriter(std::string Uri, std::string File,
                                   advice::SourceText Read, PageOf Page)
    : From(std::make_unique<Sources>(std::move(Uri), std::move(File),
                                     std::move(Read))),
      Page(std::move(Page)) {}

DiagnosticWriter::~DiagnosticWriter() = default;

json::Value DiagnosticWriter::rangeOf(const Place &Where) {
  return toJSON(From->rangeOf(Where));
}

/// MLIR's type, with what it lacks added afterwards.
static Diagnostic make(const Place &Where, DiagnosticSeverity Severity,
                       const std::string &Message, Sources &From) {
  Diagnostic D;
  D.range = From.rangeOf(Where);
  D.severity = Severity;
  D.source = "warpwise";
  D.message = json::fixUTF8(Message);
  return D;
}

json::Value DiagnosticWriter::related(const Place &Where,
                                      const std::string &Message) {
  return json::Object{
      {"location", json::Object{{"uri", From->uriOf(Where.File)},
                                {"range", toJSON(From->rangeOf(Where))}}},
      {"message", json::fixUTF8(Message)}};
}

json::Value DiagnosticWriter::finding(const advice::Finding &F) {
  json::Value Result = toJSON(
      make(F.Where, DiagnosticSeverity::Warning, advice::headline(F), *From));
  json::Object &Its = *Result.getAsObject();
  Its["code"] = F.Rule;
  if (const std::string Link = Page(F.Rule); !Link.empty())
    Its["codeDescription"] = json::Object{{"href", Link}};
  json::Array Related;
  for (const advice::Note &N : F.Notes)
    if (N.Where.isKnown())
      Related.push_back(related(N.Where, N.Message));
  if (!F.Remedy.empty())
    Related.push_back(related(F.Where, F.Remedy));
  for (const advice::AffectedAccess &S : F.Also)
    Related.push_back(related(S.Where, "the same here"));
  if (const std::string Instances = advice::describeInstances(F);
      !Instances.empty())
    Related.push_back(related(F.Where, Instances));
  Its["relatedInformation"] = std::move(Related);
  return Result;
}

json::Value DiagnosticWriter::information(const Place &Where,
                                          const std::string &Message) {
  return toJSON(make(Where, DiagnosticSeverity::Information, Message, *From));
}

json::Value DiagnosticWriter::unnecessary(const advice::Note &Comment) {
  Diagnostic D =
      make(Comment.Where, DiagnosticSeverity::Hint, Comment.Message, *From);
  D.tags = {DiagnosticTag::Unnecessary};
  return toJSON(D);
}

} // namespace warpwise::lsp
