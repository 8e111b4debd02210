//===- CompileCommands.cpp - From nvcc's command line to Clang's ----------===//
//
// One gate for every command: what Clang's own option parser does not know, or
// what does not change what the front end sees, is dropped. So neither a flag
// of another compiler nor one that loads a plugin or starts a program can come
// through, whichever compiler the command was written for.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompileCommands.h"

#include "analyzer/frontend/CommandParts.h"
#include "analyzer/frontend/NvccOptions.h"

#include "clang/Basic/LangStandard.h"
#include "clang/Driver/Options.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::frontend {
namespace {

namespace options = clang::driver::options;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// What a command says about the device side of its file.
struct CommandFacts {
  std::vector<std::string> Arguments; ///< Clang's, in canonical spelling
  std::vector<std::string> Archs;     ///< as written
  std::string CudaPath;
  std::string PtxasOptions;
  std::optional<unsigned> MaxRegisters;
  bool RestrictPointers = false;
};

//===--- The gate ---------------------------------------------------------===//

/// Options that pass the gate. -O, -g and -m are left out: the analysis sets
/// its own, and -march names a CPU that this Clang need not know. -fopenmp is
/// for the host, and would ask for a header that only OpenMP's package has.
constexpr options::ID KeptOptions[] = {options::OPT_D,
                                       options::OPT_U,
                                       options::OPT_I,
                                       options::OPT_isystem,
                                       options::OPT_isystem_after,
                                       options::OPT_cxx_isystem,
                                       options::OPT_stdlibxx_isystem,
                                       options::OPT_iquote,
                                       options::OPT_idirafter,
                                       options::OPT_iprefix,
                                       options::OPT_iwithprefix,
                                       options::OPT_iwithprefixbefore,
                                       options::OPT_isysroot,
                                       options::OPT__sysroot_EQ,
                                       options::OPT_imacros,
                                       options::OPT_ivfsoverlay,
                                       options::OPT_vfsoverlay,
                                       options::OPT_nostdinc,
                                       options::OPT_nostdincxx,
                                       options::OPT_nostdlibinc,
                                       options::OPT_stdlib_EQ,
                                       options::OPT_gcc_toolchain,
                                       options::OPT_gcc_install_dir_EQ,
                                       options::OPT_target,
                                       options::OPT_pthread,
                                       options::OPT_cuda_feature_EQ,
                                       options::OPT_w};

/// -f options that pass the gate, without -f, -fno- and the equals sign: the
/// ones that change the language or the code of the device.
constexpr llvm::StringLiteral KeptFeatures[] = {
    "access-control",
    "aligned-allocation",
    "approx-func",
    "bracket-depth",
    "builtin",
    "char8_t",
    "coroutines",
    "cxx-exceptions",
    "declspec",
    "delayed-template-parsing",
    "dollars-in-identifiers",
    "exceptions",
    "experimental-library",
    "fp-contract",
    "freestanding",
    "gnu-keywords",
    "gpu-allow-device-init",
    "gpu-approx-transcendentals",
    "gpu-default-stream",
    "gpu-flush-denormals-to-zero",
    "gpu-rdc",
    "lax-vector-conversions",
    "ms-compatibility",
    "ms-extensions",
    "operator-names",
    "pack-struct",
    "relaxed-template-template-args",
    "rtti",
    "short-enums",
    "short-wchar",
    "signed-char",
    "sized-deallocation",
    "strict-aliasing",
    "template-backtrace-limit",
    "template-depth",
    "constexpr-depth",
    "constexpr-steps",
    "threadsafe-statics",
    "trigraphs",
    "unsigned-char",
    "wrapv"};

bool isKept(const llvm::opt::Arg &Argument, const llvm::opt::ArgList &Parsed) {
  llvm::opt::Option Option = Argument.getOption();
  if (llvm::is_contained(KeptOptions, Option.getID()))
    return true;
  // -mavx2 and its like; the host's intrinsics are checked on this side too.
  if (Option.matches(options::OPT_m_x86_Features_Group))
    return true;
  if (Option.matches(options::OPT_W_Group)) // an error there is none here
    return !llvm::StringRef(Argument.getAsString(Parsed))
                .starts_with("-Werror");
  if (!Option.matches(options::OPT_f_Group))
    return false;
  llvm::StringRef Name = Option.getName();
  Name.consume_front("f");
  Name.consume_front("no-");
  Name.consume_back("=");
  return llvm::is_contained(KeptFeatures, Name);
}

/// "-std=..." when it is a dialect of C++ that this Clang knows.
void keepStandard(llvm::StringRef Name, CommandFacts &Facts) {
  using clang::LangStandard;
  auto Kind = LangStandard::getLangKind(Name);
  if (Kind != LangStandard::lang_unspecified &&
      LangStandard::getLangStandardForKind(Kind).isCPlusPlus())
    Facts.Arguments.push_back("-std=" + Name.str());
}

/// -include, past Clang's driver where that would load a precompiled header of
/// this name: it belongs to another compiler, or to who knows whom.
void keepInclude(llvm::StringRef Name, llvm::StringRef Directory,
                 CommandFacts &Facts) {
  bool HasPrecompiled =
      llvm::any_of(llvm::ArrayRef<llvm::StringRef>{".pch", ".gch"},
                   [&](llvm::StringRef Suffix) {
                     llvm::SmallString<256> Path(Name);
                     fs::make_absolute(Directory, Path);
                     return fs::exists(Path + Suffix);
                   });
  if (HasPrecompiled)
    Facts.Arguments.insert(Facts.Arguments.end(),
                           {"-Xclang", "-include", "-Xclang", Name.str()});
  else
    Facts.Arguments.insert(Facts.Arguments.end(), {"-include", Name.str()});
}

/// Whether it has GCC's own headers looked up, whose intrinsics are for GCC
/// alone. CMake writes such folders into databases, as nvcc reports them.
bool namesFolderOfGcc(const llvm::opt::Arg &Argument) {
  if (!Argument.getOption().matches(options::OPT_I) &&
      !Argument.getOption().matches(options::OPT_isystem))
    return false;
  llvm::SmallString<128> Folder(Argument.getValue());
  llvm::sys::path::remove_dots(Folder);
  const auto Last = [&] {
    const std::string Name = llvm::sys::path::filename(Folder).str();
    llvm::sys::path::remove_filename(Folder);
    return Name;
  };
  const std::string Name = Last();
  Last(); // the version
  Last(); // the target
  return (Name == "include" || Name == "include-fixed") && Last() == "gcc";
}

/// Of what goes straight to Clang's front end, two things are wanted.
void keepFrontEndOptions(llvm::ArrayRef<std::string> Values,
                         llvm::StringRef Directory, CommandFacts &Facts) {
  for (size_t I = 0; I < Values.size(); ++I) {
    if (Values[I] == "-fcuda-allow-variadic-functions")
      Facts.Arguments.insert(Facts.Arguments.end(), {"-Xclang", Values[I]});
    else if (Values[I] == "-include" && I + 1 < Values.size())
      keepInclude(Values[++I], Directory, Facts);
  }
}

/// Sends \p Arguments, in Clang's or GCC's syntax or, by \p Visibility, in
/// cl.exe's, through the gate. Input files do not pass.
void keepArguments(llvm::ArrayRef<std::string> Arguments, unsigned Visibility,
                   llvm::StringRef Directory, CommandFacts &Facts) {
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  llvm::opt::InputArgList Parsed = clang::driver::getDriverOptTable().ParseArgs(
      Pointers, MissingIndex, MissingCount, llvm::opt::Visibility(Visibility));
  std::vector<std::string> FrontEndOptions;
  for (const llvm::opt::Arg *Argument : Parsed) {
    switch (Argument->getOption().getID()) {
    case options::OPT_std_EQ:
    case options::OPT__SLASH_std:
      keepStandard(Argument->getValue(), Facts);
      break;
    case options::OPT_include:
      keepInclude(Argument->getValue(), Directory, Facts);
      break;
    case options::OPT_offload_arch_EQ:
      for (llvm::StringRef Arch :
           llvm::split(llvm::StringRef(Argument->getValue()), ','))
        Facts.Archs.push_back(Arch.str());
      break;
    case options::OPT_cuda_path_EQ:
      Facts.CudaPath = Argument->getValue();
      break;
    case options::OPT_Xcuda_ptxas:
      Facts.PtxasOptions += std::string(" ") + Argument->getValue();
      break;
    case options::OPT_Xclang:
      FrontEndOptions.push_back(Argument->getValue());
      break;
    case options::OPT_Xarch_device:
      keepArguments({Argument->getValue()}, Visibility, Directory, Facts);
      break;
    default:
      if (!isKept(*Argument, Parsed) || namesFolderOfGcc(*Argument))
        break;
      llvm::opt::ArgStringList Rendered;
      Argument->render(Parsed, Rendered);
      llvm::append_range(Facts.Arguments, Rendered);
    }
  }
  keepFrontEndOptions(FrontEndOptions, Directory, Facts);
}

//===--- nvcc -------------------------------------------------------------===//

/// The architectures in "arch=compute_80,code=[compute_80,sm_80]". The front
/// end sees the virtual one.
void addGeneratedArchs(llvm::StringRef Specification, CommandFacts &Facts) {
  for (llvm::StringRef Part : llvm::split(Specification, ',')) {
    Part = Part.trim(" \t\"'[]");
    if (Part.consume_front("arch="))
      Facts.Archs.push_back(Part.trim("\"'").str());
  }
}

/// Splits as the shell does that nvcc hands its host options to.
void addShellWords(llvm::StringRef Words, std::vector<std::string> &Result) {
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 16> Split;
  llvm::cl::TokenizeGNUCommandLine(Words, Saver, Split);
  Result.insert(Result.end(), Split.begin(), Split.end());
}

void addClangWords(llvm::StringRef Words, std::vector<std::string> &Result) {
  llvm::SmallVector<llvm::StringRef, 4> Split;
  Words.split(Split, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Split)
    Result.push_back(Word.str());
}

/// Does what the table says for one option. Clang arguments that come of it go
/// to \p Own, options for the host compiler to \p Host.
void applyNvccOption(const NvccArgument &Argument,
                     std::vector<std::string> &Own,
                     std::vector<std::string> &Host, CommandFacts &Facts) {
  const NvccOption &Option = *Argument.Option;
  std::string Value = llvm::join(Argument.Values, " ");
  auto choose = [&](bool Condition) {
    addClangWords(Condition ? Option.Clang : Option.ClangIfNot, Own);
  };
  switch (Option.Action) {
  case NvccAction::Drop:
  case NvccAction::OptionsFile: // the parser has put its contents here
    return;
  case NvccAction::Pass:
    return choose(true);
  case NvccAction::PassIfTrue:
    return choose(Value == "true");
  case NvccAction::PassIfThread:
    return choose(Value == "per-thread");
  case NvccAction::PassEach:
    for (const std::string &Each : Argument.Values)
      Own.push_back((Option.Clang + Each).str());
    return;
  case NvccAction::Architecture:
    Facts.Archs.push_back(Value);
    return;
  case NvccAction::GenerateCode:
    return addGeneratedArchs(Value, Facts);
  case NvccAction::HostOptions:
    return addShellWords(Value, Host);
  case NvccAction::PtxasOptions:
    Facts.PtxasOptions += " " + Value;
    return;
  case NvccAction::MaxRegisters:
    if (unsigned Count; llvm::to_integer(Value, Count, 10))
      Facts.MaxRegisters = Count;
    return;
  case NvccAction::RestrictPointers:
    Facts.RestrictPointers = true;
    return;
  }
}

llvm::Error readNvccArguments(llvm::ArrayRef<std::string> Arguments,
                              ResponseFiles &Files, llvm::StringRef Directory,
                              CommandFacts &Facts) {
  auto Parsed = parseNvccArguments(Arguments, Files);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<std::string> Own, Host, Unknown;
  for (const NvccArgument &Argument : *Parsed)
    if (Argument.Option)
      applyNvccOption(Argument, Own, Host, Facts);
    else // inputs too: one may be the value of an option that nvcc forwards
      Unknown.push_back(Argument.Text);
  // In this order nvcc puts them on the host preprocessor's command line. One
  // by one, so that an option without its value cannot eat the next's first.
  for (const auto &Part : {Host, Unknown, Own})
    keepArguments(Part, options::ClangOption, Directory, Facts);
  return llvm::Error::success();
}

//===--- The whole command ------------------------------------------------===//

llvm::SmallString<256> absolutePath(llvm::StringRef Name,
                                    llvm::StringRef Directory) {
  llvm::SmallString<256> Path(Name);
  if (!Directory.empty())
    fs::make_absolute(Directory, Path);
  // The directory may be relative itself.
  if (fs::make_absolute(Path)) // there is no current one
    return Path;
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path;
}

/// The macros that nvcc itself defines and that sources ask for. Many give
/// their functions __device__ under __NVCC__ alone. And names as nvcc mangles
/// them: since Clang 18 a template parameter whose type depends on another
/// (enable_if) is part of a name, for nvcc 13 it is not, and what nvcc and
/// profilers say of a kernel is found by its name.
void addNvccDialect(llvm::StringRef ArchList, const Toolkit &Cuda,
                    std::vector<std::string> &Arguments) {
  Arguments.push_back("-fclang-abi-compat=17");
  Arguments.push_back("-D__NVCC__");
  Arguments.push_back(("-D__CUDA_ARCH_LIST__=" + ArchList).str());
  auto [Major, Minor] = llvm::StringRef(Cuda.Version).split('.');
  if (Minor.empty())
    return;
  Arguments.push_back(("-D__CUDACC_VER_MAJOR__=" + Major).str());
  Arguments.push_back(("-D__CUDACC_VER_MINOR__=" + Minor).str());
}

/// Arguments that every command gets. Clang's check that architecture and
/// headers are of an age is off: sm_35 parses well with the headers of CUDA 13.
void addFixedArguments(DeviceCommand &Result) {
  Result.Arguments = {"-x",
                      "cuda",
                      "--cuda-device-only",
                      "--cuda-gpu-arch=" + Result.AnalysedArch,
                      "--no-cuda-version-check",
                      "-Qunused-arguments",
                      "-Wno-unknown-warning-option"};
  if (path::extension(Result.File) != ".cu")
    Result.Arguments.push_back("-Wno-pragma-once-outside-header");
}

/// The facts of a database's command.
llvm::Expected<CommandFacts>
readCommand(const clang::tooling::CompileCommand &Command,
            const Compiler &Program, const DeviceCommand &Result) {
  CommandFacts Facts;
  ResponseFiles Files(Result.Directory, Result.File);
  auto Arguments =
      llvm::ArrayRef(Command.CommandLine).drop_front(Program.Index + 1);
  if (Program.Kind == Syntax::Nvcc) {
    if (llvm::Error Problem =
            readNvccArguments(Arguments, Files, Result.Directory, Facts))
      return std::move(Problem);
    return Facts;
  }
  auto Expanded = Files.expand(Arguments);
  if (!Expanded)
    return Expanded.takeError();
  keepArguments(*Expanded,
                Program.Kind == Syntax::Cl ? options::CLOption
                                           : options::ClangOption,
                Result.Directory, Facts);
  return Facts;
}

/// The user's flags after "--". They may be nvcc's, whatever the command is.
llvm::Error readExtraArguments(const CommandOptions &Options,
                               const DeviceCommand &Result,
                               CommandFacts &Facts) {
  CommandFacts Extra;
  ResponseFiles Files(Result.Directory, Result.File);
  if (llvm::Error Problem = readNvccArguments(Options.ExtraArguments, Files,
                                              Result.Directory, Extra))
    return Problem;
  llvm::append_range(Facts.Arguments, Extra.Arguments);
  if (!Extra.Archs.empty())
    Facts.Archs = Extra.Archs;
  if (!Extra.CudaPath.empty())
    Facts.CudaPath = Extra.CudaPath;
  if (Extra.MaxRegisters)
    Facts.MaxRegisters = Extra.MaxRegisters;
  Facts.PtxasOptions += Extra.PtxasOptions;
  Facts.RestrictPointers |= Extra.RestrictPointers;
  return llvm::Error::success();
}

/// The count in "-v --maxrregcount=32", also without the equals sign.
std::optional<unsigned> findMaxRegisters(llvm::StringRef PtxasOptions) {
  constexpr llvm::StringLiteral Name = "-maxrregcount";
  size_t At = PtxasOptions.rfind(Name);
  if (At == llvm::StringRef::npos)
    return std::nullopt;
  unsigned Count = 0;
  llvm::StringRef Rest = PtxasOptions.drop_front(At + Name.size());
  if (Rest.ltrim(" =").consumeInteger(10, Count))
    return std::nullopt;
  return Count;
}

} // namespace

llvm::Expected<DeviceCommand>
translateCommand(const clang::tooling::CompileCommand &Command,
                 const CommandOptions &Options) {
  DeviceCommand Result;
  Result.Directory = absolutePath(Command.Directory, "").str().str();
  Result.File = absolutePath(Command.Filename, Result.Directory).str().str();
  if (Command.CommandLine.empty())
    return llvm::createStringError("the compile command for '" + Result.File +
                                   "' is empty");
  Compiler Program = findCompiler(Command.CommandLine);
  auto Facts = readCommand(Command, Program, Result);
  if (!Facts)
    return Facts.takeError();
  if (llvm::Error Problem = readExtraArguments(Options, Result, *Facts))
    return std::move(Problem);
  auto Cuda =
      chooseToolkit(Options, Facts->CudaPath,
                    Command.CommandLine[Program.Index], Result.Directory);
  if (!Cuda)
    return Cuda.takeError();
  Result.Edited = Options.Edited;
  Result.Cuda = *Cuda;
  std::string ArchList =
      chooseArch(Facts->Archs, Options.PreferredArch, Result);
  addFixedArguments(Result);
  if (Program.Kind == Syntax::Nvcc)
    addNvccDialect(ArchList, Result.Cuda, Result.Arguments);
  llvm::append_range(Result.Arguments, Facts->Arguments);
  Result.Arguments.push_back(Result.File);
  Result.MaxRegisters = Facts->MaxRegisters
                            ? Facts->MaxRegisters
                            : findMaxRegisters(Facts->PtxasOptions);
  Result.RestrictPointers = Facts->RestrictPointers;
  return Result;
}

std::vector<std::string>
findUnknownFlags(llvm::ArrayRef<std::string> Arguments) {
  ResponseFiles Files("", "");
  auto Parsed = parseNvccArguments(Arguments, Files);
  if (!Parsed) { // whoever reads them for a file says what is wrong
    llvm::consumeError(Parsed.takeError());
    return {};
  }
  std::vector<const char *> Others;
  for (const NvccArgument &Argument : *Parsed)
    if (!Argument.Option)
      Others.push_back(Argument.Text.c_str());
  const llvm::opt::OptTable &Known = clang::driver::getDriverOptTable();
  const llvm::opt::Visibility Visible(options::ClangOption);
  unsigned MissingIndex = 0, MissingCount = 0;
  std::vector<std::string> Result;
  for (const llvm::opt::Arg *Argument :
       Known.ParseArgs(Others, MissingIndex, MissingCount, Visible)) {
    const std::string Text = Others[Argument->getIndex()];
    std::string Nearest;
    if (Argument->getOption().matches(options::OPT_INPUT))
      Result.push_back("'" + Text + "' after '--' is no flag: it is left out");
    else if (!Argument->getOption().matches(options::OPT_UNKNOWN))
      continue;
    else if (Known.findNearest(Text, Nearest, Visible) <= 2)
      Result.push_back(fmt::format("neither nvcc nor Clang knows '{}': it is "
                                   "left out; did you mean '{}'?",
                                   Text, Nearest));
    else
      Result.push_back("neither nvcc nor Clang knows '" + Text +
                       "': it is left out");
  }
  return Result;
}

llvm::Expected<DeviceCommand> defaultCommand(llvm::StringRef File,
                                             const CommandOptions &Options) {
  clang::tooling::CompileCommand Command;
  Command.Directory = ".";
  Command.Filename = File.str();
  Command.CommandLine = {"nvcc", File.str()};
  return translateCommand(Command, Options);
}

} // namespace warpwise::frontend
