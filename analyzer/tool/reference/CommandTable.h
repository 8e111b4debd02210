//===- CommandTable.h - What the command line understands -------*- C++ -*-===//
//
// The sub-commands and options as plain data, read off the parser itself: the
// manual and the completions of shells are made from it, so they cannot say
// something else than --help.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_REFERENCE_COMMANDTABLE_H
#define WARPWISE_ANALYZER_TOOL_REFERENCE_COMMANDTABLE_H

#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

namespace warpwise::tool {

struct OptionWord {
  std::string Name; ///< "text"
  std::string Help;
};

struct OptionEntry {
  std::string Name;  ///< "format", "p"
  std::string Value; ///< what follows it: "file"; empty: nothing does
  std::string Help;
  std::vector<OptionWord> Words; ///< the only values, if there are such

  /// "--format", "-p"
  std::string spelling() const {
    return (Name.size() == 1 ? "-" : "--") + Name;
  }
};

struct CommandEntry {
  std::string Name, Summary;
  std::string Arguments; ///< "<files and folders> [-- compiler flags]"
  std::vector<OptionEntry> Options; ///< sorted by name
  /// Another program's (HandOver.cpp), which has its own --help.
  bool IsForeign = false;
};

/// All commands, as --help lists them.
std::vector<CommandEntry> commandTable();

/// What the value of an option is, as far as somebody can help to type it.
enum class ValueKind { Nothing, File, Gpu, Rule, Words, Other };
ValueKind kindOf(const OptionEntry &Option);

/// The names that the forms of a table have are the values of the option.
template <typename Format> class FormatNames {
public:
  explicit FormatNames(llvm::ArrayRef<Format> Table) : Table(Table) {}

  template <typename Option> void apply(Option &O) const {
    for (const Format &F : Table)
      O.getParser().addLiteralOption(F.Name, &F, F.Description);
  }

private:
  llvm::ArrayRef<Format> Table;
};

/// Makes the words of an option with a list of values known to the table.
class KnownWords {
public:
  template <typename Option> explicit KnownWords(Option &Its) {
    auto &Values = Its.getParser();
    for (unsigned N = 0; N != Values.getNumOptions(); ++N)
      add(Its, {Values.getOption(N).str(), Values.getDescription(N).str()});
  }

private:
  static void add(const llvm::cl::Option &Of, OptionWord Word);
};

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_REFERENCE_COMMANDTABLE_H
