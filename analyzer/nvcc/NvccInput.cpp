//===- NvccInput.cpp - A compile command as nvcc is asked -----------------===//

#include "analyzer/nvcc/NvccInput.h"

#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace warpwise::nvcc {
namespace {

namespace options = clang::driver::options;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string absolute(llvm::StringRef Name, llvm::StringRef Directory) {
  llvm::SmallString<256> Path(Name);
  fs::make_absolute(Directory, Path);
  fs::make_absolute(Path);
  return Path.str().str();
}

/// "sm_90", "sm_90a", and nothing that a shell could take for more.
bool isArchitecture(llvm::StringRef Name) {
  if (!Name.consume_front("sm_"))
    return false;
  const llvm::StringRef Digits = Name.take_while(llvm::isDigit);
  Name = Name.drop_front(Digits.size());
  return !Digits.empty() && Digits.size() <= 3 &&
         (Name.empty() || Name == "a" || Name == "f");
}

/// nvcc knows the dialects without the year's GNU extensions; the host
/// compiler's own do not change device code.
llvm::StringRef dialect(llvm::StringRef Standard) {
  return llvm::StringSwitch<llvm::StringRef>(Standard)
      .Cases("c++03", "gnu++03", "c++98", "gnu++98", "-std=c++03")
      .Cases("c++11", "gnu++11", "c++0x", "gnu++0x", "-std=c++11")
      .Cases("c++14", "gnu++14", "c++1y", "gnu++1y", "-std=c++14")
      .Cases("c++17", "gnu++17", "c++1z", "gnu++1z", "-std=c++17")
      .Cases("c++20", "gnu++20", "c++2a", "gnu++2a", "-std=c++20")
      .Default("");
}

class Writer {
  const frontend::DeviceCommand &Command;
  NvccInput Result;
  std::string Macros, Includes;
  bool Writable = true;

public:
  explicit Writer(const frontend::DeviceCommand &Command) : Command(Command) {}

  llvm::Expected<NvccInput> write() {
    const llvm::StringRef Wanted = isArchitecture(Command.RequestedArch)
                                       ? Command.RequestedArch
                                       : Command.AnalysedArch;
    if (!isArchitecture(Wanted))
      return llvm::createStringError(
          fmt::format("'{}' is no architecture", Wanted.str()));
    Result.Arguments = {"-cubin", "-o",        NvccInput::ObjectName,
                        "-MD",    "-MF",       NvccInput::DependencyName,
                        "-w",     "-Xptxas=-v"};
    say("-arch=" + Wanted.str());
    if (Command.MaxRegisters)
      say(fmt::format("-maxrregcount={}", *Command.MaxRegisters));
    if (Command.RestrictPointers)
      say("-restrict");
    translate();
    include(Command.File);
    say(NvccInput::SourceName);
    if (!Writable)
      return llvm::createStringError(
          "a macro or a path of its command cannot stand in a source file");
    Result.Source = Macros + Includes;
    return std::move(Result);
  }

private:
  void say(std::string Argument) {
    Result.Arguments.push_back(std::move(Argument));
  }

  void include(llvm::StringRef Name) {
    // A file of the working directory, else one to search for.
    std::string Path = absolute(Name, Command.Directory);
    if (!fs::exists(Path))
      Path = Name.str();
    Writable &= Path.find_first_of("\"\n\r") == Path.npos;
    Includes += fmt::format("#include \"{}\"\n", Path);
  }

  /// As `-D` means it: `A`, `A=1` or `A(x)=x`.
  void define(llvm::StringRef Text) {
    // nvcc makes its own; that of the analysis would get in its way.
    if (Text == "__NVCC__" || Text.starts_with("__CUDACC_") ||
        Text.starts_with("__CUDA_ARCH_"))
      return;
    auto [Name, Value] = Text.split('=');
    Writable &= !Text.contains('\n') && !Text.contains('\r');
    Macros += fmt::format("#define {} {}\n", Name.str(),
                          Text.contains('=') ? Value.str() : "1");
  }

  void addFolder(llvm::StringRef Option, llvm::StringRef Folder) {
    const std::string Name = fmt::format("i{}", Result.Links.size());
    Result.Links.emplace_back(Name, absolute(Folder, Command.Directory));
    Result.Arguments.insert(Result.Arguments.end(), {Option.str(), Name});
  }

  void translate() {
    std::vector<const char *> Pointers;
    for (const std::string &Argument : Command.Arguments)
      Pointers.push_back(Argument.c_str());
    unsigned MissingIndex = 0, MissingCount = 0;
    const llvm::opt::InputArgList Parsed =
        clang::driver::getDriverOptTable().ParseArgs(
            Pointers, MissingIndex, MissingCount,
            llvm::opt::Visibility(options::ClangOption));
    std::vector<llvm::StringRef> ForFrontEnd;
    for (const llvm::opt::Arg *A : Parsed)
      translate(*A, ForFrontEnd);
    for (size_t I = 0; I + 1 < ForFrontEnd.size(); ++I)
      if (ForFrontEnd[I] == "-include")
        include(ForFrontEnd[I + 1]);
    const bool Rdc =
        Parsed.hasFlag(options::OPT_fgpu_rdc, options::OPT_fno_gpu_rdc, false);
    const bool Fast = Parsed.hasArg(options::OPT_fgpu_approx_transcendentals);
    if (Rdc)
      say("-rdc=true");
    if (Fast)
      say("-use_fast_math");
    if (!Fast &&
        Parsed.hasFlag(options::OPT_fgpu_flush_denormals_to_zero,
                       options::OPT_fno_gpu_flush_denormals_to_zero, false))
      say("-ftz=true");
    if (Parsed.getLastArgValue(options::OPT_ffp_contract) == "off")
      say("-fmad=false");
  }

  void translate(const llvm::opt::Arg &A,
                 std::vector<llvm::StringRef> &ForFrontEnd) {
    const llvm::StringRef Value = A.getNumValues() ? A.getValue() : "";
    switch (A.getOption().getID()) {
    case options::OPT_D:
      if (Value == "__CUDACC_RELAXED_CONSTEXPR__")
        return say("--expt-relaxed-constexpr");
      if (Value == "__CUDACC_EXTENDED_LAMBDA__")
        return say("--extended-lambda");
      return define(Value);
    case options::OPT_U:
      Writable &= !Value.contains('\n');
      Macros += fmt::format("#undef {}\n", Value.str());
      return;
    case options::OPT_I:
    case options::OPT_iquote:
      return addFolder("-I", Value);
    case options::OPT_isystem:
    case options::OPT_cxx_isystem:
    case options::OPT_idirafter:
    case options::OPT_isystem_after:
      return addFolder("-isystem", Value);
    case options::OPT_include:
    case options::OPT_imacros:
      return include(Value);
    case options::OPT_Xclang:
      ForFrontEnd.push_back(Value);
      return;
    case options::OPT_std_EQ:
      if (const llvm::StringRef Known = dialect(Value); !Known.empty())
        say(Known.str());
      return;
    default:
      return;
    }
  }
};

} // namespace

llvm::Expected<NvccInput> nvccInput(const frontend::DeviceCommand &Command) {
  return Writer(Command).write();
}

} // namespace warpwise::nvcc
