//===- UnitReport.cpp -----------------------------------------------------===//

#include "analyzer/tool/UnitReport.h"

#include "analyzer/tool/LaunchJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>

namespace json = llvm::json;

namespace warpwise::tool {

static std::string spell(const frontend::Problem &P) {
  return fmt::format("{}:{}:{}: {}", P.Where.File, P.Where.Line, P.Where.Column,
                     P.Message);
}

std::vector<std::string> sortedNames(const llvm::StringSet<> &Names) {
  std::vector<std::string> Result;
  for (const auto &Name : Names)
    Result.push_back(Name.getKey().str());
  llvm::sort(Result);
  return Result;
}

UnitReport makeReport(const pipeline::AnalyzeResult &Result) {
  UnitReport Report;
  Report.Launches = Result.Launches;
  Report.LaunchNotes = Result.LaunchNotes;
  Report.OtherFiles = Result.OtherFiles;
  Report.KernelsWithoutLaunch = Result.KernelsWithoutLaunch;
  for (const frontend::DroppedFunction &F : Result.Dropped) {
    // The error is usually inside the function; then its place says enough.
    bool Inside = F.Cause.Where.File == F.Where.File;
    Report.Missing.push_back({F.Name, F.IsKernel, /*IsError=*/true,
                              Inside ? F.Cause.Where : F.Where,
                              Inside ? F.Cause.Message : spell(F.Cause)});
  }
  for (const access::Kernel &K : Result.Result.Kernels) {
    bool Named =
        llvm::any_of(Result.Dropped, [&](const frontend::DroppedFunction &F) {
          return F.Mangled == K.Mangled || F.Where == K.Where;
        });
    if (K.State != access::Status::Skipped) {
      Report.Kernels.push_back(K.Mangled);
      Report.KernelFiles.push_back(K.Where.File);
      for (const access::Access &A : K.Accesses)
        if (A.Memory != access::Space::Local) {
          ++Report.Accesses;
          Report.Judged += access::isJudged(A);
        }
    } else if (!Named)
      Report.Missing.push_back(
          {K.Name, /*IsKernel=*/true, /*IsError=*/false, K.Where, K.Reason});
  }
  std::sort(Report.Missing.begin(), Report.Missing.end());
  Report.HostErrors = Result.HostErrors.size();
  if (!Result.HostErrors.empty())
    Report.FirstHostError = spell(Result.HostErrors.front());
  Report.MissingHeaders = Result.MissingHeaders;
  Report.AsksNvcc = Result.AsksNvcc;
  Report.Files = sortedNames(Result.Files.Users);
  Report.SystemFiles = sortedNames(Result.Files.System);
  Report.UnusedTemplates = Result.UnusedTemplates;
  return Report;
}

static json::Value toJSON(const frontend::KernelTemplate &T) {
  return json::Object{{"name", T.Name},
                      {"file", T.Where.File},
                      {"line", uint64_t(T.Where.Line)},
                      {"column", uint64_t(T.Where.Column)}};
}

static bool mapPlace(json::ObjectMapper &Map, access::Place &Where) {
  uint64_t Line = 0, Column = 0;
  const bool Complete = Map.map("file", Where.File) && Map.map("line", Line) &&
                        Map.map("column", Column);
  Where.Line = static_cast<unsigned>(Line);
  Where.Column = static_cast<unsigned>(Column);
  return Complete;
}

static json::Value toJSON(const LeftOut &L) {
  return json::Object{{"name", L.Name},
                      {"kernel", L.IsKernel},
                      {"error", L.IsError},
                      {"file", L.Where.File},
                      {"line", uint64_t(L.Where.Line)},
                      {"column", uint64_t(L.Where.Column)},
                      {"cause", L.Cause}};
}

static bool fromJSON(const json::Value &From, LeftOut &L, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  return Map && Map.map("name", L.Name) && Map.map("kernel", L.IsKernel) &&
         Map.map("error", L.IsError) && mapPlace(Map, L.Where) &&
         Map.map("cause", L.Cause);
}

} // namespace warpwise::tool

namespace warpwise::frontend {

// In the namespace of KernelTemplate, where llvm::json looks for it.
static bool fromJSON(const json::Value &From, KernelTemplate &T,
                     json::Path Path) {
  json::ObjectMapper Map(From, Path);
  return Map && Map.map("name", T.Name) && tool::mapPlace(Map, T.Where);
}

} // namespace warpwise::frontend

namespace warpwise::tool {

static bool fromJSON(const json::Value &From, UnitReport &R, json::Path Path) {
  json::ObjectMapper Map(From, Path);
  if (!Map)
    return false;
  if (const json::Value *Payload = From.getAsObject()->get("payload"))
    R.Payload = *Payload;
  return Map.map("failure", R.Failure) && Map.map("lost", R.IsLost) &&
         Map.map("launches", R.Launches) &&
         Map.map("launch_notes", R.LaunchNotes) &&
         Map.map("other_files", R.OtherFiles) &&
         Map.map("kernels", R.Kernels) &&
         Map.map("kernel_files", R.KernelFiles) &&
         R.KernelFiles.size() == R.Kernels.size() &&
         Map.map("accesses", R.Accesses) && Map.map("judged", R.Judged) &&
         Map.map("without_launch", R.KernelsWithoutLaunch) &&
         Map.map("missing", R.Missing) &&
         Map.map("host_errors", R.HostErrors) &&
         Map.map("first_host_error", R.FirstHostError) &&
         Map.map("missing_headers", R.MissingHeaders) &&
         Map.map("asks_nvcc", R.AsksNvcc) && Map.map("files", R.Files) &&
         Map.map("system_files", R.SystemFiles) &&
         Map.map("unused_templates", R.UnusedTemplates);
}

std::string writeReport(const UnitReport &R) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  json::OStream Json(Out);
  // Attribute by attribute: a payload can be large, and this does not copy it.
  Json.object([&] {
    Json.attribute("failure", R.Failure);
    Json.attribute("lost", R.IsLost);
    Json.attributeBegin("payload");
    Json.value(R.Payload);
    Json.attributeEnd();
    Json.attribute("launches", json::Array(R.Launches));
    Json.attribute("launch_notes", json::Array(R.LaunchNotes));
    Json.attribute("other_files", json::Array(R.OtherFiles));
    Json.attribute("kernels", json::Array(R.Kernels));
    Json.attribute("kernel_files", json::Array(R.KernelFiles));
    Json.attribute("accesses", R.Accesses);
    Json.attribute("judged", R.Judged);
    Json.attribute("without_launch", json::Array(R.KernelsWithoutLaunch));
    json::Array Missing;
    for (const LeftOut &L : R.Missing)
      Missing.push_back(toJSON(L));
    Json.attribute("missing", std::move(Missing));
    Json.attribute("host_errors", R.HostErrors);
    Json.attribute("first_host_error", R.FirstHostError);
    Json.attribute("missing_headers", json::Array(R.MissingHeaders));
    Json.attribute("asks_nvcc", R.AsksNvcc);
    Json.attribute("files", json::Array(R.Files));
    Json.attribute("system_files", json::Array(R.SystemFiles));
    json::Array Unused;
    for (const frontend::KernelTemplate &T : R.UnusedTemplates)
      Unused.push_back(toJSON(T));
    Json.attribute("unused_templates", std::move(Unused));
  });
  return Text;
}

llvm::Expected<UnitReport> parseReport(llvm::StringRef Text) {
  llvm::Expected<UnitReport> Report = json::parse<UnitReport>(Text);
  if (Report)
    launch::shareContents(Report->Launches);
  return Report;
}

UnitReport readReport(llvm::StringRef Text) {
  llvm::Expected<UnitReport> Report = parseReport(Text);
  if (Report)
    return std::move(*Report);
  UnitReport Failed;
  Failed.Failure = fmt::format("the analysis gave no readable result: {}",
                               llvm::toString(Report.takeError()));
  return Failed;
}

} // namespace warpwise::tool
