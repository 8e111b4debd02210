//===- Completion.cpp - Completions of shells -----------------------------===//

#include "analyzer/tool/reference/Completion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace warpwise::tool {

/// \p Text between single quotes. \p Quote is what stands for one inside.
static std::string quoted(llvm::StringRef Text, llvm::StringRef Quote) {
  std::string Result = "'";
  for (const char C : Text)
    if (C == '\'')
      Result += Quote;
    else
      Result += C;
  return Result + "'";
}

static std::string joined(const std::vector<std::string> &Words) {
  return llvm::join(Words, " ");
}

static std::vector<std::string>
namesOf(const std::vector<CommandEntry> &Commands) {
  std::vector<std::string> Names;
  for (const CommandEntry &Each : Commands)
    Names.push_back(Each.Name);
  return Names;
}

static std::vector<std::string> wordsOf(const OptionEntry &Option) {
  std::vector<std::string> Words;
  for (const OptionWord &Each : Option.Words)
    Words.push_back(Each.Name);
  return Words;
}

//===--- bash -------------------------------------------------------------===//

static std::string bashValues(const OptionEntry &Option) {
  switch (kindOf(Option)) {
  case ValueKind::Words:
    return "words=" + quoted(joined(wordsOf(Option)), "'\\''");
  case ValueKind::File:
    return "files=1";
  case ValueKind::Gpu:
    return "words=$(_warpwise_names profiles list)";
  case ValueKind::Rule:
    return "words=$(_warpwise_names list-rules)";
  case ValueKind::Nothing:
  case ValueKind::Other:
    return "";
  }
  return "";
}

std::string bashCompletion(const std::vector<CommandEntry> &Commands) {
  std::string Options, Values;
  for (const CommandEntry &Command : Commands) {
    if (Command.IsForeign) {
      Options += fmt::format("  {}) words=$(_warpwise_help) files=1;;\n",
                             Command.Name);
      continue;
    }
    std::vector<std::string> Names;
    for (const OptionEntry &Each : Command.Options) {
      const std::string Value = bashValues(Each);
      Names.push_back(Each.spelling() +
                      (Each.Value.empty() || Each.Name.size() == 1 ? "" : "="));
      if (!Value.empty())
        Values += fmt::format("    {}{}) {};;\n", Command.Name, Each.spelling(),
                              Value);
    }
    Options += fmt::format(
        "  {}) words='{}'{};;\n", Command.Name, joined(Names),
        Command.Name == "explain"   ? "\" $(_warpwise_names list-rules)\""
        : Command.Arguments.empty() ? ""
                                    : " files=1");
  }
  return fmt::format(R"BASH(# bash completion for warpwise
# Made by 'warpwise completion bash'.

# The first words of a list that the program prints.
_warpwise_names() {{
  "$program" "$@" 2>/dev/null | while read -r name _; do echo "$name"; done
}}

# Options and sub-commands of a command that has its own --help.
_warpwise_help() {{
  "$program" "${{before[@]}}" --help 2>/dev/null | while read -r word _; do
    case $word in
    --*) echo "${{word%%[,= ]*}}" ;;
    [a-z]*) [[ ${{#before[@]}} -eq 1 && $word != *[!a-z-]* ]] && echo "$word" ;;
    esac
  done
}}

_warpwise() {{
  local program=${{COMP_WORDS[0]}} word=${{COMP_WORDS[COMP_CWORD]}}
  local last=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command= option= words= files= number before=()
  COMPREPLY=()
  for ((number = 1; number < COMP_CWORD; number++)); do
    case ${{COMP_WORDS[number]}} in
    --)
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
    -* | =) ;;
    *)
      command=${{command:-${{COMP_WORDS[number]}}}}
      before+=("${{COMP_WORDS[number]}}")
      ;;
    esac
  done
  # Bash makes a word of its own of "=".
  if [[ $word == = ]]; then
    option=$last word=
  elif [[ $last == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}
  elif [[ $last == -? ]]; then
    option=$last
  fi
  if [[ -n $option ]]; then
    case $command$option in
{2}    *) files=1 ;;
    esac
  else
    case $command in
    '') words='{0} --help --version' ;;
{1}    esac
    [[ $word == -* ]] && files=
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ -n $files ]]; then
    local found
    mapfile -t found < <(compgen -f -- "$word")
    COMPREPLY+=("${{found[@]}}")
    compopt -o filenames 2>/dev/null
  elif [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}}

complete -F _warpwise warpwise
)BASH",
                     joined(namesOf(Commands)), Options, Values);
}

//===--- zsh --------------------------------------------------------------===//

/// Text in the brackets or behind the colon of a specification of _arguments.
static std::string zshText(llvm::StringRef Text) {
  std::string Result;
  for (const char C : Text) {
    if (C == '[' || C == ']' || C == ':' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result;
}

static std::string zshAction(const OptionEntry &Option) {
  switch (kindOf(Option)) {
  case ValueKind::Words: {
    std::string Words;
    for (const OptionWord &Each : Option.Words)
      Words += fmt::format(R"( {}\:"{}")", Each.Name, zshText(Each.Help));
    return fmt::format("(({}))", Words.substr(1));
  }
  case ValueKind::File:
    return "_files";
  case ValueKind::Gpu:
    return "_warpwise_gpus";
  case ValueKind::Rule:
    return "_warpwise_rules";
  case ValueKind::Nothing:
  case ValueKind::Other:
    return "";
  }
  return "";
}

std::string zshCompletion(const std::vector<CommandEntry> &Commands) {
  std::string Summaries, Cases;
  for (const CommandEntry &Command : Commands) {
    Summaries += fmt::format(
        "    {}\n",
        quoted(Command.Name + ":" + zshText(Command.Summary), "'\\''"));
    if (Command.IsForeign) {
      Cases += fmt::format("  {}) _gnu_generic ;;\n", Command.Name);
      continue;
    }
    Cases += fmt::format("  {})\n    _arguments \\\n", Command.Name);
    for (const OptionEntry &Each : Command.Options) {
      std::string Spec = Each.spelling();
      if (!Each.Value.empty())
        Spec += Each.Name.size() == 1 ? "" : "=";
      Spec += "[" + zshText(Each.Help) + "]";
      if (!Each.Value.empty())
        Spec += fmt::format(":{}:{}", zshText(Each.Value), zshAction(Each));
      Cases += fmt::format("      {} \\\n", quoted("*" + Spec, "'\\''"));
    }
    Cases += Command.Name == "explain"   ? "      '*:rule:_warpwise_rules'\n"
             : Command.Arguments.empty() ? "      && return\n"
                                         : "      '*:file:_files'\n";
    Cases += "    ;;\n";
  }
  return fmt::format(R"ZSH(#compdef warpwise
# Made by 'warpwise completion zsh'.

_warpwise_gpus() {{
  local -a names
  names=(${{${{(f)"$(_call_program gpus warpwise profiles list 2>/dev/null)"}}%% *}})
  compadd -a names
}}

_warpwise_rules() {{
  local -a names
  names=(${{${{(f)"$(_call_program rules warpwise list-rules 2>/dev/null)"}}%% *}})
  compadd -a names
}}

_warpwise() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}

_warpwise "$@"
)ZSH",
                     Summaries, Cases);
}

//===--- fish -------------------------------------------------------------===//

static std::string fishValues(const OptionEntry &Option) {
  switch (kindOf(Option)) {
  case ValueKind::Words:
    return " -x -a " + quoted(joined(wordsOf(Option)), "\\'");
  case ValueKind::File:
    return " -r -F";
  case ValueKind::Gpu:
    return " -x -a '(warpwise profiles list 2>/dev/null | string replace -r "
           "\" .*\" \"\")'";
  case ValueKind::Rule:
    return " -x -a '(warpwise list-rules | string replace -r \" .*\" \"\")'";
  case ValueKind::Other:
    return " -x";
  case ValueKind::Nothing:
    return " -f";
  }
  return "";
}

std::string fishCompletion(const std::vector<CommandEntry> &Commands) {
  std::string Text = "# fish completion for warpwise\n"
                     "# Made by 'warpwise completion fish'.\n\n";
  for (const CommandEntry &Command : Commands) {
    Text += fmt::format("complete -c warpwise -n __fish_use_subcommand -f -a "
                        "{} -d {}\n",
                        Command.Name, quoted(Command.Summary, "\\'"));
    const std::string Condition =
        fmt::format("complete -c warpwise -n "
                    "'__fish_seen_subcommand_from {}'",
                    Command.Name);
    if (Command.IsForeign) {
      Text += Condition +
              fmt::format(" -a '(warpwise {} --help 2>/dev/null | string match "
                          "-r -a -- \"^ +-.*?(--[a-z][a-z-]*)\" | string match "
                          "-- \"--*\")'\n",
                          Command.Name);
      continue;
    }
    if (Command.Name == "explain")
      Text += Condition + " -f -a '(warpwise list-rules | string replace -r "
                          "\" .*\" \"\")'\n";
    for (const OptionEntry &Each : Command.Options)
      Text += fmt::format("{} -{} {}{} -d {}\n", Condition,
                          Each.Name.size() == 1 ? "s" : "l", Each.Name,
                          fishValues(Each), quoted(Each.Help, "\\'"));
  }
  return Text;
}

} // namespace warpwise::tool
