//===- Analyst.cpp - Questions and answers as JSON ------------------------===//

#include "analyzer/lsp/Analyst.h"

namespace json = llvm::json;

namespace warpwise::lsp {

json::Value toJSON(const Question &Q) {
  json::Object Texts;
  for (const auto &[File, Text] : Q.Texts)
    Texts[json::fixUTF8(File)] = json::fixUTF8(Text);
  return json::Object{{"uri", Q.Uri},
                      {"file", Q.File},
                      {"version", Q.Version},
                      {"texts", std::move(Texts)},
                      {"settings", Q.Settings}};
}

bool fromJSON(const json::Value &From, Question &Q, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  if (!Map)
    return false;
  if (const json::Value *Settings = From.getAsObject()->get("settings"))
    Q.Settings = *Settings;
  return Map.map("uri", Q.Uri) && Map.map("file", Q.File) &&
         Map.map("version", Q.Version) && Map.map("texts", Q.Texts);
}

static json::Value toJSON(const Remark &R) {
  return json::Object{{"range", R.Range},
                      {"markdown", json::fixUTF8(R.Markdown)},
                      {"label", R.Label}};
}

static bool fromJSON(const json::Value &From, Remark &R, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  if (!Map)
    return false;
  if (const json::Value *Range = From.getAsObject()->get("range"))
    R.Range = *Range;
  return Map.map("markdown", R.Markdown) && Map.map("label", R.Label);
}

json::Value toJSON(const Answer &A) {
  json::Object Result{{"version", A.Version},
                      {"profile", json::fixUTF8(A.Profile)},
                      {"problem", json::fixUTF8(A.Problem)},
                      {"misses_files", A.MissesFiles},
                      {"last", A.IsLast}};
  if (A.Diagnostics)
    Result["diagnostics"] = json::Array(*A.Diagnostics);
  if (A.Remarks) {
    json::Array All;
    for (const Remark &R : *A.Remarks)
      All.push_back(toJSON(R));
    Result["remarks"] = std::move(All);
  }
  if (A.Actions)
    Result["actions"] = json::Array(*A.Actions);
  if (A.Files)
    Result["files"] = json::Array(*A.Files);
  return Result;
}

bool fromJSON(const json::Value &From, Answer &A, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  if (!Map)
    return false;
  if (const json::Array *All = From.getAsObject()->getArray("diagnostics"))
    A.Diagnostics = *All;
  if (const json::Array *All = From.getAsObject()->getArray("actions"))
    A.Actions = *All;
  return Map.map("version", A.Version) && Map.map("profile", A.Profile) &&
         Map.map("problem", A.Problem) && Map.map("last", A.IsLast) &&
         Map.map("misses_files", A.MissesFiles) &&
         Map.map("remarks", A.Remarks) && Map.map("files", A.Files);
}

} // namespace warpwise::lsp
