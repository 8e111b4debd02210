//===- NvccOptions.cpp - nvcc's command line ------------------------------===//
//
// The table of nvcc's options and the parser over it. What the parser accepts
// was checked against `nvcc --dryrun`.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/NvccOptions.h"

#include "profiler/io/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <optional>
#include <utility>

namespace warpwise::frontend {
namespace {

using enum NvccForm;
using enum NvccAction;

// No loop over this table is hot, so it is in the order of nvcc's help and not
// in one for look-up.
constexpr NvccOption Options[] = {
    // Compilation phase: the analysis has one phase of its own.
    {"cuda", "cuda", Flag, Drop},
    {"cubin", "cubin", Flag, Drop},
    {"fatbin", "fatbin", Flag, Drop},
    {"ptx", "ptx", Flag, Drop},
    {"optix-ir", "optix-ir", Flag, Drop},
    {"ltoir", "ltoir", Flag, Drop},
    {"preprocess", "E", Flag, Drop},
    {"generate-dependencies", "M", Flag, Drop},
    {"generate-nonsystem-dependencies", "MM", Flag, Drop},
    {"generate-dependencies-with-compile", "MD", Flag, Drop},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Flag, Drop},
    {"dependency-output", "MF", Value, Drop},
    {"generate-dependency-targets", "MP", Flag, Drop},
    {"dependency-target-name", "MT", Value, Drop},
    {"compile", "c", Flag, Drop},
    {"device-c", "dc", Flag, Pass, "-fgpu-rdc -D__CUDACC_RDC__"},
    {"device-w", "dw", Flag, Drop},
    {"device-link", "dlink", Flag, Drop},
    {"link", "link", Flag, Drop},
    {"lib", "lib", Flag, Drop},
    {"run", "run", Flag, Drop},
    {"clean-targets", "clean", Flag, Drop},
    {"run-args", "run-args", List, Drop},
    // Files and paths.
    {"output-file", "o", Value, Drop},
    {"pre-include", "include", List, PassEach, "-include"},
    {"objdir-as-tempdir", "objtemp", Flag, Drop},
    {"library", "l", JoinedList, Drop},
    {"define-macro", "D", JoinedList, PassEach, "-D"},
    {"undefine-macro", "U", JoinedList, PassEach, "-U"},
    {"include-path", "I", JoinedList, PassEach, "-I"},
    {"system-include", "isystem", List, PassEach, "-isystem"},
    {"library-path", "L", JoinedList, Drop},
    {"output-directory", "odir", Value, Drop},
    {"compiler-bindir", "ccbin", Value, Drop},
    {"archiver-binary", "arbin", Value, Drop},
    {"cudart", "cudart", Value, Drop},
    {"cudadevrt", "cudadevrt", Value, Drop},
    {"libdevice-directory", "ldir", Value, Drop},
    {"target-directory", "target-dir", Value, Drop},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", Flag, Drop},
    {"use-local-env", "use-local-env", Flag, Drop},
    {"force-cl-env-setup", "force-cl-env-setup", Flag, Drop},
    {"input-drive-prefix", "idp", Value, Drop},
    {"dependency-drive-prefix", "ddp", Value, Drop},
    {"drive-prefix", "dp", Value, Drop},
    {"options-file", "optf", List, OptionsFile},
    // Language.
    {"x", "x", Value, Drop},
    {"std", "std", Value, PassEach, "-std="},
    {"no-host-device-initializer-list", "nohdinitlist", Flag, Drop},
    {"no-host-device-move-forward", "nohdmoveforward", Flag, Drop},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Flag, Pass,
     "-D__CUDACC_RELAXED_CONSTEXPR__"},
    {"extended-lambda", "extended-lambda", Flag, Pass,
     "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"expt-extended-lambda", "expt-extended-lambda", Flag, Pass,
     "-D__CUDACC_EXTENDED_LAMBDA__"},
    {"no-exceptions", "noeh", Flag, Pass, "-fno-exceptions"},
    {"ftemplate-depth", "ftemplate-depth", Value, PassEach,
     "-ftemplate-depth="},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Value, PassEach,
     "-ftemplate-backtrace-limit="},
    {"machine", "m", JoinedValue, Drop},
    {"m64", "m64", Flag, Drop},
    {"default-stream", "default-stream", Value, PassIfThread,
     "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
    // Code generation. -O, -g and their like are for the host compiler; on the
    // device side nvcc always optimises, and so does the analysis.
    {"gpu-architecture", "arch", Value, Architecture},
    {"gpu-code", "code", List, Drop},
    {"generate-code", "gencode", Value, GenerateCode},
    {"relocatable-device-code", "rdc", Value, PassIfTrue,
     "-fgpu-rdc -D__CUDACC_RDC__", "-fno-gpu-rdc -U__CUDACC_RDC__"},
    {"extensible-whole-program", "ewp", Flag, Pass, "-D__CUDACC_EWP__"},
    {"entries", "e", List, Drop},
    {"maxrregcount", "maxrregcount", Value, MaxRegisters},
    {"restrict", "restrict", Flag, RestrictPointers},
    {"use_fast_math", "use_fast_math", Flag, Pass,
     "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals "
     "-fapprox-func"},
    {"ftz", "ftz", Value, PassIfTrue, "-fgpu-flush-denormals-to-zero",
     "-fno-gpu-flush-denormals-to-zero"},
    {"prec-div", "prec-div", Value, Drop},
    {"prec-sqrt", "prec-sqrt", Value, Drop},
    {"fmad", "fmad", Value, PassIfTrue, "-ffp-contract=fast",
     "-ffp-contract=off"},
    {"extra-device-vectorization", "extra-device-vectorization", Flag, Drop},
    {"profile", "pg", Flag, Drop},
    {"debug", "g", Flag, Drop},
    {"device-debug", "G", Flag, Pass, "-D__CUDACC_DEBUG__"},
    {"generate-line-info", "lineinfo", Flag, Drop},
    {"optimization-info", "opt-info", List, Drop},
    {"optimize", "O", JoinedValue, Drop},
    {"Ofast-compile", "Ofc", Value, Drop},
    {"dopt", "dopt", Value, Drop},
    {"dlink-time-opt", "dlto", Flag, Drop},
    {"lto", "lto", Flag, Drop},
    {"gen-opt-lto", "gen-opt-lto", Flag, Drop},
    {"shared", "shared", Flag, Drop},
    {"relocatable-link", "r", Flag, Drop},
    {"no-device-link", "nodlink", Flag, Drop},
    {"no-align-double", "", Flag, Drop},
    {"keep-device-functions", "keep-device-functions", Flag, Drop},
    {"source-in-ptx", "src-in-ptx", Flag, Drop},
    {"compile-as-tools-patch", "astoolspatch", Flag, Drop},
    {"static-global-template-stub", "static-global-template-stub", Value, Drop},
    {"device-entity-has-hidden-visibility",
     "device-entity-has-hidden-visibility", Value, Drop},
    {"device-stack-protector", "device-stack-protector", Value, Drop},
    {"sanitize", "sanitize", Value, Drop},
    {"frandom-seed", "frandom-seed", Value, Drop},
    {"compress-mode", "compress-mode", Value, Drop},
    {"jump-table-density", "jtd", Value, Drop},
    {"no-compress", "no-compress", Flag, Drop},
    {"relocatable-ptx", "reloc-ptx", Flag, Drop},
    {"host-linker-script", "hls", Value, Drop},
    {"augment-host-linker-script", "aug-hls", Flag, Drop},
    {"qpp-config", "qpp-config", Value, Drop},
    // Options for one phase. The last four are not in nvcc's help.
    {"compiler-options", "Xcompiler", List, HostOptions},
    {"ptxas-options", "Xptxas", List, PtxasOptions},
    {"linker-options", "Xlinker", List, Drop},
    {"archive-options", "Xarchive", List, Drop},
    {"nvlink-options", "Xnvlink", List, Drop},
    {"Xcudafe", "Xcudafe", List, Drop},
    {"Xfatbin", "Xfatbin", List, Drop},
    {"Xnvvm", "Xnvvm", List, Drop},
    {"Xcicc", "Xcicc", List, Drop},
    // The driver itself.
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler",
     Flag, Drop},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", Flag,
     Drop},
    {"forward-unknown-opts", "forward-unknown-opts", Flag, Drop},
    {"forward-slash-prefix-opts", "forward-slash-prefix-opts", Flag, Drop},
    {"dont-use-profile", "noprof", Flag, Drop},
    {"dryrun", "dryrun", Flag, Drop},
    {"verbose", "v", Flag, Drop},
    {"threads", "t", JoinedValue, Drop},
    {"split-compile", "split-compile", Value, Drop},
    {"split-compile-extended", "split-compile-extended", Value, Drop},
    {"fdevice-syntax-only", "fdevice-syntax-only", Flag, Drop},
    {"fdevice-time-trace", "fdevice-time-trace", Value, Drop},
    {"keep", "keep", Flag, Drop},
    {"keep-dir", "keep-dir", Value, Drop},
    {"save-temps", "save-temps", Flag, Drop},
    {"time", "time", Value, Drop},
    {"jobserver", "jobserver", Flag, Drop},
    {"list-gpu-code", "code-ls", Flag, Drop},
    {"list-gpu-arch", "arch-ls", Flag, Drop},
    {"help", "h", Flag, Drop},
    {"version", "V", Flag, Drop},
    // Diagnostics.
    {"disable-warnings", "w", Flag, Pass, "-w"},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", Flag, Pass,
     "-Wno-deprecated-declarations"},
    {"Wreorder", "Wreorder", Flag, Drop},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", Flag, Drop},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", Flag, Drop},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", Flag, Drop},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Flag, Drop},
    {"Werror", "Werror", List, Drop},
    {"resource-usage", "res-usage", Flag, Drop},
    {"display-error-number", "err-no", Flag, Drop},
    {"no-display-error-number", "no-err-no", Flag, Drop},
    {"diag-error", "diag-error", List, Drop},
    {"diag-suppress", "diag-suppress", List, Drop},
    {"diag-warn", "diag-warn", List, Drop},
    {"brief-diagnostics", "brief-diag", Value, Drop},
};

/// More would be a file that includes itself.
constexpr unsigned MaxResponseFiles = 100;

bool isList(const NvccOption &Option) {
  return Option.Form == List || Option.Form == JoinedList;
}

/// True for what may follow a joined option without a blank. -O, -m and -t
/// take numbers only: -march=native and -target are not theirs.
bool isJoinedValue(const NvccOption &Option, llvm::StringRef Value) {
  if (Option.Form == JoinedList)
    return !Value.empty();
  return Option.Form == JoinedValue && !Value.empty() &&
         llvm::all_of(Value, llvm::isDigit);
}

/// An option and the value that is written in the same argument.
struct Match {
  const NvccOption *Option;
  std::optional<llvm::StringRef> Value;
};

std::optional<Match> matchOption(llvm::StringRef Argument) {
  bool IsLong = Argument.starts_with("--");
  llvm::StringRef Text = Argument.drop_front(IsLong ? 2 : 1);
  auto [Name, Value] = Text.split('=');
  bool HasValue = Name.size() != Text.size();
  for (const NvccOption &Option : Options) {
    if (Name.empty() || Name != (IsLong ? Option.Long : Option.Short))
      continue;
    if (!HasValue)
      return Match{&Option, std::nullopt};
    if (Option.Form != Flag)
      return Match{&Option, Value};
  }
  if (IsLong)
    return std::nullopt;
  for (const NvccOption &Option : Options)
    if (Option.Short.size() == 1 && Text.starts_with(Option.Short) &&
        isJoinedValue(Option, Text.drop_front()))
      return Match{&Option, Text.drop_front()};
  return std::nullopt;
}

/// Splits at the commas outside of double quotes; a backslash takes the
/// meaning from a comma, a quote and a backslash. Quotes stay: they belong to
/// the macro.
std::vector<std::string> splitList(llvm::StringRef Value) {
  std::vector<std::string> Items(1);
  bool IsQuoted = false;
  for (size_t I = 0; I < Value.size(); ++I) {
    char C = Value[I];
    if (C == '\\' && I + 1 < Value.size() &&
        llvm::StringRef(",\"\\").contains(Value[I + 1])) {
      Items.back() += Value[++I];
      continue;
    }
    if (C == ',' && !IsQuoted) {
      Items.emplace_back();
      continue;
    }
    IsQuoted ^= C == '"';
    Items.back() += C;
  }
  llvm::erase_if(Items, [](const std::string &Item) { return Item.empty(); });
  return Items;
}

llvm::Error expandFile(llvm::StringRef Name, ResponseFiles &Files,
                       std::vector<NvccArgument> &Result) {
  auto Arguments = Files.read(Name);
  if (!Arguments)
    return Arguments.takeError();
  auto Parsed = parseNvccArguments(*Arguments, Files);
  if (!Parsed)
    return Parsed.takeError();
  llvm::append_range(Result, std::move(*Parsed));
  return llvm::Error::success();
}

} // namespace

llvm::ArrayRef<NvccOption> nvccOptions() { return Options; }

llvm::Expected<std::vector<std::string>>
ResponseFiles::read(llvm::StringRef Name) {
  auto Fail = [&](const llvm::Twine &Why) {
    return llvm::createStringError("response file '" + Name +
                                   "' of the compile command for '" + MainFile +
                                   "' " + Why);
  };
  if (++FilesRead > MaxResponseFiles)
    return Fail("seems to include itself");
  llvm::SmallString<256> Path(Name);
  llvm::sys::fs::make_absolute(Directory, Path);
  const io::Expected<std::string> Text = io::readFile(Path.str().str());
  if (!Text)
    return Fail("cannot be read: " + llvm::StringRef(Text.reason()).lower());
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 64> Arguments;
  llvm::cl::TokenizeGNUCommandLine(*Text, Saver, Arguments);
  return std::vector<std::string>(Arguments.begin(), Arguments.end());
}

llvm::Expected<std::vector<std::string>>
ResponseFiles::expand(llvm::ArrayRef<std::string> Arguments) {
  std::vector<std::string> Result;
  for (llvm::StringRef Argument : Arguments) {
    if (!Argument.consume_front("@")) {
      Result.push_back(Argument.str());
      continue;
    }
    auto Inner = read(Argument);
    if (Inner)
      Inner = expand(*Inner);
    if (!Inner)
      return Inner.takeError();
    llvm::append_range(Result, std::move(*Inner));
  }
  return Result;
}

llvm::Expected<std::vector<NvccArgument>>
parseNvccArguments(llvm::ArrayRef<std::string> Arguments,
                   ResponseFiles &Files) {
  std::vector<NvccArgument> Result;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    llvm::StringRef Argument = Arguments[I];
    if (Argument.starts_with("@")) {
      if (llvm::Error Problem =
              expandFile(Argument.drop_front(), Files, Result))
        return std::move(Problem);
      continue;
    }
    std::optional<Match> Found;
    if (Argument.starts_with("-"))
      Found = matchOption(Argument);
    if (!Found) {
      Result.push_back({nullptr, Arguments[I], {}});
      continue;
    }
    NvccArgument Parsed{Found->Option, "", {}};
    if (Found->Option->Form != Flag) {
      if (!Found->Value && I + 1 < Arguments.size())
        Found->Value = Arguments[++I];
      if (Found->Value && isList(*Found->Option))
        Parsed.Values = splitList(*Found->Value);
      else if (Found->Value)
        Parsed.Values = {Found->Value->str()};
    }
    if (Found->Option->Action != OptionsFile) {
      Result.push_back(std::move(Parsed));
      continue;
    }
    for (const std::string &Name : Parsed.Values)
      if (llvm::Error Problem = expandFile(Name, Files, Result))
        return std::move(Problem);
  }
  return Result;
}

} // namespace warpwise::frontend
