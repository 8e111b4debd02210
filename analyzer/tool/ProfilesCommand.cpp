//===- ProfilesCommand.cpp - warpwise profiles ----------------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Messages.h"
#include "profiler/profile/Profile.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::list<std::string> Words(cl::Positional, cl::ZeroOrMore,
                                   cl::desc("list | show <name>"),
                                   cl::cat(optionCategory()),
                                   cl::sub(profilesCommand()));

static int list() {
  // A user's own profile hides the built-in one of the same name.
  auto Print = [](llvm::raw_ostream &Out, const std::string &Name) {
    profile::ReadResult Found = profile::find(Name);
    Out << (Found ? fmt::format("{:<20}  {:<8}  {}; {}\n", Name,
                                Found.Value->Architecture, Found.Value->Gpu,
                                Found.Value->Origin)
                  : fmt::format("{:<20}  {}\n", Name, Found.Error));
  };
  return writeResult("",
                     [&](llvm::raw_ostream &Out) {
                       std::vector<std::string> Own = profile::userNames();
                       for (const std::string &Name : Own)
                         Print(Out, Name);
                       for (const std::string &Name : profile::builtinNames())
                         if (std::find(Own.begin(), Own.end(), Name) ==
                             Own.end())
                           Print(Out, Name);
                     })
             ? 0
             : 1;
}

static int show(const std::string &Name) {
  profile::ReadResult Found = profile::find(Name);
  if (!Found) {
    printError(Found.Error);
    return 1;
  }
  return writeResult("",
                     [&](llvm::raw_ostream &Out) {
                       Out << profile::describe(*Found.Value);
                     })
             ? 0
             : 1;
}

int runProfiles() {
  if (Words.size() == 1 && Words[0] == "list")
    return list();
  if (Words.size() == 2 && Words[0] == "show")
    return show(Words[1]);
  printError("use 'warpwise profiles list' or 'warpwise profiles show NAME'");
  return 1;
}

} // namespace warpwise::tool
