//===- RuleCommands.cpp - warpwise explain, list-rules --------------------===//

#include "analyzer/tool/Commands.h"

#include "analyzer/tool/CommandLine.h"
#include "analyzer/tool/Messages.h"
#include "rules/Rule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>

namespace cl = llvm::cl;

namespace warpwise::tool {

static cl::opt<std::string> Wanted(cl::Positional, cl::desc("<rule>"),
                                   cl::cat(optionCategory()),
                                   cl::sub(explainCommand()));

int runExplain() {
  for (const rules::Entry &Entry : rules::registry())
    if (Entry.Name == Wanted.getValue() ||
        Entry.Name == "cuda-memory-" + Wanted.getValue())
      return writeResult("", [&](llvm::raw_ostream &Out) { Out << Entry.Page; })
                 ? ExitDone
                 : ExitError;
  std::string Names = llvm::join(llvm::map_range(rules::registry(),
                                                 [](const rules::Entry &E) {
                                                   return std::string(E.Name);
                                                 }),
                                 ", ");
  printError(Wanted.empty() ? fmt::format("no rule given; there are {}", Names)
                            : fmt::format("unknown rule '{}'; there are {}",
                                          Wanted.getValue(), Names));
  return ExitError;
}

int runListRules() {
  size_t Width = 0;
  for (const rules::Entry &Entry : rules::registry())
    Width = std::max(Width, Entry.Name.size());
  return writeResult("",
                     [&](llvm::raw_ostream &Out) {
                       for (const rules::Entry &Entry : rules::registry())
                         Out << fmt::format("{:<{}}  {}\n", Entry.Name, Width,
                                            Entry.Summary);
                     })
             ? ExitDone
             : ExitError;
}

} // namespace warpwise::tool
