//===- NinjaFile.cpp - check as edges of Ninja ----------------------------===//

#include "analyzer/tool/NinjaFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace warpwise::tool {

/// A word of a command: Ninja hands that to a shell.
static std::string word(llvm::StringRef Text) {
  std::string Result = "'";
  for (const char C : Text)
    if (C == '\'')
      Result += "'\\''";
    else if (C == '$')
      Result += "$$";
    else
      Result += C;
  return Result + "'";
}

/// A path in a build line. Ninja quotes it where a command has it.
static std::string path(llvm::StringRef Text) {
  std::string Result;
  for (const char C : Text) {
    if (C == '$' || C == ' ' || C == ':')
      Result += '$';
    Result += C;
  }
  return Result;
}

static std::string words(const std::vector<std::string> &All) {
  std::string Text;
  for (const std::string &Each : All)
    Text += " " + word(Each);
  return Text;
}

static std::string beside(const std::string &File, const std::string &Name) {
  llvm::SmallString<256> Path(llvm::sys::path::parent_path(File));
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

std::string ninjaText(const NinjaProject &Its) {
  const std::string Name = llvm::sys::path::stem(Its.File).str();
  const std::string Check =
      fmt::format("cd {} && {} check{} --quiet {}", word(Its.Folder),
                  word(Its.Program), words(Its.Arguments),
                  word("--incremental=" + beside(Its.File, Name + ".kept")));
  // A unit that cannot be analysed is said by the last edge, with the others'
  // findings.
  std::string Text = fmt::format(
      R"(# Written by 'warpwise check --ninja'.
ninja_required_version = 1.5
rule unit
  command = {0} --format=json --output=$out --depfile=$out.d $in || [ $$? -eq 2 ]
  description = warpwise $in
  depfile = $out.d
  deps = gcc
  restat = 1
rule report
  command = {0} --format={1} --output=$out{2}{3}
  description = warpwise: all findings
rule write
  command = cd {4} && {5} check{6} {7}{3}{8}
  description = warpwise: which files there are
  generator = 1
  restat = 1
)",
      Check, Its.Format,
      Its.FailOn.empty() ? "" : " " + word("--fail-on=" + Its.FailOn),
      words(Its.Paths), word(Its.Folder), word(Its.Program),
      words(Its.Arguments), word("--ninja=" + Its.File),
      words({"--format=" + Its.Format, "--output=" + Its.Report}) +
          (Its.FailOn.empty() ? "" : " " + word("--fail-on=" + Its.FailOn)));
  std::string All;
  for (size_t I = 0; I != Its.Units.size(); ++I) {
    const std::string Out =
        path(beside(Its.File, fmt::format("{}.units/{}.json", Name, I + 1)));
    Text += fmt::format("build {}: unit {} | {}\n", Out, path(Its.Units[I]),
                        path(Its.Program));
    All += " " + Out;
  }
  Text += fmt::format("build {}: report |{}\n", path(Its.Report), All);
  if (!Its.Database.empty())
    // Ninja writes its own file anew if it knows it by the name that it has
    // itself, which is so in its folder (-C).
    Text += fmt::format("build {}: write | {} {}\n",
                        path(llvm::sys::path::filename(Its.File)),
                        path(Its.Database), path(Its.Program));
  return Text + fmt::format("default {}\n", path(Its.Report));
}

} // namespace warpwise::tool
