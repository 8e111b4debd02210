//===- CommandTable.cpp - What the command line understands ---------------===//

#include "analyzer/tool/reference/CommandTable.h"

#include "analyzer/tool/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

namespace cl = llvm::cl;

namespace warpwise::tool {

using WordsOf = std::map<const cl::Option *, std::vector<OptionWord>>;

/// Filled in while static objects are made.
static WordsOf &knownWords() {
  static WordsOf All;
  return All;
}

void KnownWords::add(const cl::Option &Of, OptionWord Word) {
  knownWords()[&Of].push_back(std::move(Word));
}

/// Of an alias, the option that it stands for.
static const cl::Option &meant(cl::Option &Its) {
  for (const auto &[Name, Each] : cl::getRegisteredOptions(checkCommand()))
    if (Its.HelpStr == "Same as --" + Name.str())
      return *Each;
  return Its;
}

static OptionEntry entryOf(llvm::StringRef Name, cl::Option &Its) {
  OptionEntry Entry = {Name.str(), "", Its.HelpStr.str(), {}};
  const cl::Option &Meant = meant(Its);
  if (const auto Words = knownWords().find(&Meant); Words != knownWords().end())
    Entry.Words = Words->second;
  Entry.Value = Meant.ValueStr.str();
  if (Entry.Value.empty() && !Entry.Words.empty())
    Entry.Value = "value";
  return Entry;
}

static CommandEntry entryOf(cl::SubCommand &Its) {
  CommandEntry Entry;
  Entry.Name = Its.getName().str();
  Entry.Summary = Its.getDescription().str();
  for (const cl::Option *Positional : Its.PositionalOpts)
    Entry.Arguments = Positional->HelpStr.str();
  for (const auto &[Name, Option] : cl::getRegisteredOptions(Its))
    if (llvm::is_contained(Option->Categories, &optionCategory()))
      Entry.Options.push_back(entryOf(Name, *Option));
  Entry.Options.push_back(
      {"help", "", "Say what there is, with all options", {}});
  llvm::sort(Entry.Options, [](const OptionEntry &A, const OptionEntry &B) {
    return A.Name < B.Name;
  });
  Entry.IsForeign = &Its == &profileCommand() || &Its == &profilesCommand();
  return Entry;
}

std::vector<CommandEntry> commandTable() {
  std::vector<CommandEntry> Table;
  for (cl::SubCommand *Command : allCommands())
    Table.push_back(entryOf(*Command));
  return Table;
}

ValueKind kindOf(const OptionEntry &Option) {
  if (!Option.Words.empty())
    return ValueKind::Words;
  if (Option.Value.empty())
    return ValueKind::Nothing;
  return llvm::StringSwitch<ValueKind>(Option.Value)
      .Cases("file", "path", "dir", "old.sarif", ValueKind::File)
      .Case("name", ValueKind::Gpu)
      .Case("globs", ValueKind::Rule)
      .Default(ValueKind::Other);
}

} // namespace warpwise::tool
