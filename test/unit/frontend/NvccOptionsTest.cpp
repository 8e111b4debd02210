//===- NvccOptionsTest.cpp - The table of nvcc's options ------------------===//
//
// Every option of `nvcc --help`, in every spelling that nvcc accepts, and the
// spellings that only look like one.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/NvccOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

using namespace warpwise::frontend;

namespace {

enum class Takes { Nothing, Value, List };

struct HelpEntry {
  llvm::StringLiteral Long, Short;
  Takes What;
};

// What nvcc 13.0 prints about itself, and nothing that was read off our table.
// The help forgets to say that -MF and -qpp-config take a value.
constexpr HelpEntry Help[] = {
    {"cuda", "cuda", Takes::Nothing},
    {"cubin", "cubin", Takes::Nothing},
    {"fatbin", "fatbin", Takes::Nothing},
    {"ptx", "ptx", Takes::Nothing},
    {"optix-ir", "optix-ir", Takes::Nothing},
    {"ltoir", "ltoir", Takes::Nothing},
    {"preprocess", "E", Takes::Nothing},
    {"generate-dependencies", "M", Takes::Nothing},
    {"generate-nonsystem-dependencies", "MM", Takes::Nothing},
    {"generate-dependencies-with-compile", "MD", Takes::Nothing},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Takes::Nothing},
    {"dependency-output", "MF", Takes::Value},
    {"generate-dependency-targets", "MP", Takes::Nothing},
    {"compile", "c", Takes::Nothing},
    {"device-c", "dc", Takes::Nothing},
    {"device-w", "dw", Takes::Nothing},
    {"device-link", "dlink", Takes::Nothing},
    {"link", "link", Takes::Nothing},
    {"lib", "lib", Takes::Nothing},
    {"run", "run", Takes::Nothing},
    {"output-file", "o", Takes::Value},
    {"pre-include", "include", Takes::List},
    {"objdir-as-tempdir", "objtemp", Takes::Nothing},
    {"library", "l", Takes::List},
    {"define-macro", "D", Takes::List},
    {"undefine-macro", "U", Takes::List},
    {"include-path", "I", Takes::List},
    {"system-include", "isystem", Takes::List},
    {"library-path", "L", Takes::List},
    {"output-directory", "odir", Takes::Value},
    {"compiler-bindir", "ccbin", Takes::Value},
    {"allow-unsupported-compiler", "allow-unsupported-compiler",
     Takes::Nothing},
    {"archiver-binary", "arbin", Takes::Value},
    {"cudart", "cudart", Takes::Value},
    {"cudadevrt", "cudadevrt", Takes::Value},
    {"libdevice-directory", "ldir", Takes::Value},
    {"target-directory", "target-dir", Takes::Value},
    {"use-local-env", "use-local-env", Takes::Nothing},
    {"force-cl-env-setup", "force-cl-env-setup", Takes::Nothing},
    {"profile", "pg", Takes::Nothing},
    {"debug", "g", Takes::Nothing},
    {"device-debug", "G", Takes::Nothing},
    {"generate-line-info", "lineinfo", Takes::Nothing},
    {"optimization-info", "opt-info", Takes::List},
    {"optimize", "O", Takes::Value},
    {"Ofast-compile", "Ofc", Takes::Value},
    {"dopt", "dopt", Takes::Value},
    {"dlink-time-opt", "dlto", Takes::Nothing},
    {"lto", "lto", Takes::Nothing},
    {"gen-opt-lto", "gen-opt-lto", Takes::Nothing},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Takes::Value},
    {"ftemplate-depth", "ftemplate-depth", Takes::Value},
    {"no-exceptions", "noeh", Takes::Nothing},
    {"shared", "shared", Takes::Nothing},
    {"x", "x", Takes::Value},
    {"std", "std", Takes::Value},
    {"no-host-device-initializer-list", "nohdinitlist", Takes::Nothing},
    {"no-host-device-move-forward", "nohdmoveforward", Takes::Nothing},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Takes::Nothing},
    {"extended-lambda", "extended-lambda", Takes::Nothing},
    {"expt-extended-lambda", "expt-extended-lambda", Takes::Nothing},
    {"machine", "m", Takes::Value},
    {"m64", "m64", Takes::Nothing},
    {"compiler-options", "Xcompiler", Takes::List},
    {"linker-options", "Xlinker", Takes::List},
    {"archive-options", "Xarchive", Takes::List},
    {"ptxas-options", "Xptxas", Takes::List},
    {"nvlink-options", "Xnvlink", Takes::List},
    {"static-global-template-stub", "static-global-template-stub",
     Takes::Value},
    {"device-entity-has-hidden-visibility",
     "device-entity-has-hidden-visibility", Takes::Value},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler",
     Takes::Nothing},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker",
     Takes::Nothing},
    {"forward-unknown-opts", "forward-unknown-opts", Takes::Nothing},
    {"dont-use-profile", "noprof", Takes::Nothing},
    {"dryrun", "dryrun", Takes::Nothing},
    {"verbose", "v", Takes::Nothing},
    {"threads", "t", Takes::Value},
    {"split-compile", "split-compile", Takes::Value},
    {"split-compile-extended", "split-compile-extended", Takes::Value},
    {"fdevice-syntax-only", "fdevice-syntax-only", Takes::Nothing},
    {"fdevice-time-trace", "fdevice-time-trace", Takes::Value},
    {"keep", "keep", Takes::Nothing},
    {"keep-dir", "keep-dir", Takes::Value},
    {"save-temps", "save-temps", Takes::Nothing},
    {"clean-targets", "clean", Takes::Nothing},
    {"time", "time", Takes::Value},
    {"run-args", "run-args", Takes::List},
    {"input-drive-prefix", "idp", Takes::Value},
    {"dependency-drive-prefix", "ddp", Takes::Value},
    {"drive-prefix", "dp", Takes::Value},
    {"dependency-target-name", "MT", Takes::Value},
    {"no-align-double", "", Takes::Nothing},
    {"no-device-link", "nodlink", Takes::Nothing},
    {"gpu-architecture", "arch", Takes::Value},
    {"gpu-code", "code", Takes::List},
    {"generate-code", "gencode", Takes::List},
    {"relocatable-device-code", "rdc", Takes::Value},
    {"entries", "e", Takes::List},
    {"maxrregcount", "maxrregcount", Takes::Value},
    {"use_fast_math", "use_fast_math", Takes::Nothing},
    {"ftz", "ftz", Takes::Value},
    {"prec-div", "prec-div", Takes::Value},
    {"prec-sqrt", "prec-sqrt", Takes::Value},
    {"fmad", "fmad", Takes::Value},
    {"extra-device-vectorization", "extra-device-vectorization",
     Takes::Nothing},
    {"default-stream", "default-stream", Takes::Value},
    {"disable-warnings", "w", Takes::Nothing},
    {"keep-device-functions", "keep-device-functions", Takes::Nothing},
    {"source-in-ptx", "src-in-ptx", Takes::Nothing},
    {"restrict", "restrict", Takes::Nothing},
    {"Wreorder", "Wreorder", Takes::Nothing},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", Takes::Nothing},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", Takes::Nothing},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", Takes::Nothing},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations",
     Takes::Nothing},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets",
     Takes::Nothing},
    {"Werror", "Werror", Takes::List},
    {"resource-usage", "res-usage", Takes::Nothing},
    {"extensible-whole-program", "ewp", Takes::Nothing},
    {"no-compress", "no-compress", Takes::Nothing},
    {"qpp-config", "qpp-config", Takes::Value},
    {"compile-as-tools-patch", "astoolspatch", Takes::Nothing},
    {"list-gpu-code", "code-ls", Takes::Nothing},
    {"list-gpu-arch", "arch-ls", Takes::Nothing},
    {"display-error-number", "err-no", Takes::Nothing},
    {"no-display-error-number", "no-err-no", Takes::Nothing},
    {"diag-error", "diag-error", Takes::List},
    {"diag-suppress", "diag-suppress", Takes::List},
    {"diag-warn", "diag-warn", Takes::List},
    {"host-linker-script", "hls", Takes::Value},
    {"augment-host-linker-script", "aug-hls", Takes::Nothing},
    {"relocatable-link", "r", Takes::Nothing},
    {"brief-diagnostics", "brief-diag", Takes::Value},
    {"jump-table-density", "jtd", Takes::Value},
    {"relocatable-ptx", "reloc-ptx", Takes::Nothing},
    {"device-stack-protector", "device-stack-protector", Takes::Value},
    {"compress-mode", "compress-mode", Takes::Value},
    {"frandom-seed", "frandom-seed", Takes::Value},
    {"sanitize", "sanitize", Takes::Value},
    {"jobserver", "jobserver", Takes::Nothing},
    {"help", "h", Takes::Nothing},
    {"version", "V", Takes::Nothing},
    {"options-file", "optf", Takes::List},
};

void PrintTo(const HelpEntry &Entry, std::ostream *Out) {
  *Out << "--" << Entry.Long.str();
}

using Strings = std::vector<std::string>;

std::vector<NvccArgument> parse(const Strings &Arguments) {
  ResponseFiles Files("/", "/main.cu");
  auto Parsed = parseNvccArguments(Arguments, Files);
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError());
    return {};
  }
  return *Parsed;
}

/// The long name of the only option of \p Arguments, or why there is none.
std::string nameOf(const Strings &Arguments) {
  auto Parsed = parse(Arguments);
  if (Parsed.size() != 1)
    return std::to_string(Parsed.size()) + " arguments";
  return Parsed[0].Option ? Parsed[0].Option->Long.str() : "unknown";
}

/// The values of the only option of \p Arguments.
Strings valuesOf(const Strings &Arguments) {
  auto Parsed = parse(Arguments);
  return Parsed.size() == 1 ? Parsed[0].Values : Strings{"not one argument"};
}

/// Every way to write \p Entry with the value \p Value.
std::vector<Strings> spell(const HelpEntry &Entry, const std::string &Value) {
  std::vector<Strings> Spellings;
  Strings Names = {"--" + Entry.Long.str()};
  if (!Entry.Short.empty())
    Names.push_back("-" + Entry.Short.str());
  for (const std::string &Name : Names) {
    if (Entry.What == Takes::Nothing) {
      Spellings.push_back({Name});
      continue;
    }
    Spellings.push_back({Name, Value});
    Spellings.push_back({Name + "=" + Value});
  }
  return Spellings;
}

class EveryOption : public testing::TestWithParam<HelpEntry> {};

TEST_P(EveryOption, IsReadInEachSpelling) {
  const HelpEntry &Entry = GetParam();
  if (Entry.Long == "options-file")
    return; // replaced by the file's contents: see below
  // The value looks like an option, as that of -Xcompiler does.
  for (Strings Arguments : spell(Entry, "-fvalue")) {
    SCOPED_TRACE(llvm::join(Arguments, " "));
    Arguments.push_back("-DNEXT");
    auto Parsed = parse(Arguments);
    ASSERT_EQ(Parsed.size(), 2u);
    ASSERT_TRUE(Parsed[0].Option);
    EXPECT_EQ(Parsed[0].Option->Long, Entry.Long);
    EXPECT_EQ(Parsed[0].Values,
              Entry.What == Takes::Nothing ? Strings{} : Strings{"-fvalue"});
    ASSERT_TRUE(Parsed[1].Option);
    EXPECT_EQ(Parsed[1].Option->Long, "define-macro");
  }
}

TEST_P(EveryOption, SplitsOnlyListsAtCommas) {
  const HelpEntry &Entry = GetParam();
  if (Entry.Long == "options-file" || Entry.What == Takes::Nothing)
    return;
  for (const Strings &Arguments : spell(Entry, "a,b"))
    // -gencode is a list of one specification, which has commas of its own.
    EXPECT_EQ(valuesOf(Arguments),
              Entry.What == Takes::List && Entry.Long != "generate-code"
                  ? (Strings{"a", "b"})
                  : Strings{"a,b"})
        << llvm::join(Arguments, " ");
}

std::string testName(const testing::TestParamInfo<HelpEntry> &Info) {
  std::string Name = Info.param.Long.str();
  for (char &C : Name)
    if (!llvm::isAlnum(C))
      C = '_';
  return Name;
}

INSTANTIATE_TEST_SUITE_P(Nvcc, EveryOption, testing::ValuesIn(Help), testName);

TEST(NvccOptions, NoNameIsTwiceInTheTable) {
  std::vector<llvm::StringRef> Longs, Shorts;
  for (const NvccOption &Option : nvccOptions()) {
    Longs.push_back(Option.Long);
    if (!Option.Short.empty())
      Shorts.push_back(Option.Short);
  }
  for (auto *Names : {&Longs, &Shorts}) {
    llvm::sort(*Names);
    EXPECT_EQ(std::adjacent_find(Names->begin(), Names->end()), Names->end());
  }
}

TEST(NvccOptions, JoinedValues) {
  EXPECT_EQ(valuesOf({"-Ia/b"}), Strings{"a/b"});
  EXPECT_EQ(valuesOf({"-Ia=b"}), Strings{"a=b"});
  EXPECT_EQ(valuesOf({"-DA=1,B=2"}), (Strings{"A=1", "B=2"}));
  EXPECT_EQ(valuesOf({"-UA,B"}), (Strings{"A", "B"}));
  EXPECT_EQ(valuesOf({"-Ldir"}), Strings{"dir"});
  EXPECT_EQ(valuesOf({"-lcublas"}), Strings{"cublas"});
  EXPECT_EQ(valuesOf({"-O3"}), Strings{"3"});
  EXPECT_EQ(valuesOf({"-m64"}), Strings{});
  EXPECT_EQ(valuesOf({"-t2"}), Strings{"2"});
}

TEST(NvccOptions, OnlyTheseAreJoined) {
  for (const char *Word :
       {"-xcu", "-isystemdir", "-includefile", "-maxrregcount32",
        "-march=native", "-target", "-Ofast", "-std17", "-gencodearch"})
    EXPECT_EQ(nameOf({Word}), "unknown") << Word;
}

TEST(NvccOptions, LongNamesNeedTwoDashesAndShortNamesOne) {
  for (const char *Word : {"--arch=sm_90", "-gpu-architecture=sm_90", "--I=a",
                           "--Xptxas=-v", "--D=X", "-no-align-double"})
    EXPECT_EQ(nameOf({Word}), "unknown") << Word;
}

TEST(NvccOptions, FlagsTakeNoValue) {
  for (const char *Word : {"--use_fast_math=true", "-restrict=1", "-c=x"})
    EXPECT_EQ(nameOf({Word}), "unknown") << Word;
}

// Clang reads each of these as -o, -l, -L, -O, -m, -D or -u with a value.
TEST(NvccOptions, WhatClangWouldMisread) {
  EXPECT_EQ(nameOf({"-odir", "d"}), "output-directory");
  EXPECT_EQ(nameOf({"-objtemp"}), "objdir-as-tempdir");
  EXPECT_EQ(nameOf({"-opt-info", "inline"}), "optimization-info");
  EXPECT_EQ(nameOf({"-Ofc=max"}), "Ofast-compile");
  EXPECT_EQ(nameOf({"-lineinfo"}), "generate-line-info");
  EXPECT_EQ(nameOf({"-ldir=d"}), "libdevice-directory");
  EXPECT_EQ(nameOf({"-lto"}), "lto");
  EXPECT_EQ(nameOf({"-lib"}), "lib");
  EXPECT_EQ(nameOf({"-link"}), "link");
  EXPECT_EQ(nameOf({"-maxrregcount=32"}), "maxrregcount");
  EXPECT_EQ(nameOf({"-use_fast_math"}), "use_fast_math");
  EXPECT_EQ(nameOf({"-use-local-env"}), "use-local-env");
  EXPECT_EQ(nameOf({"-default-stream", "legacy"}), "default-stream");
  EXPECT_EQ(nameOf({"-dlto"}), "dlink-time-opt");
  EXPECT_EQ(nameOf({"-G"}), "device-debug");
  EXPECT_EQ(nameOf({"-time", "t.csv"}), "time");
  EXPECT_EQ(nameOf({"-target-dir=x"}), "target-directory");
}

TEST(NvccOptions, OptionsThatTheHelpLeavesOut) {
  for (const char *Word : {"-Xcudafe", "-Xfatbin", "-Xnvvm", "-Xcicc"})
    EXPECT_EQ(nameOf({Word, "--diag_suppress=1"}), Word + 1);
}

TEST(NvccOptions, ListSyntax) {
  EXPECT_EQ(valuesOf({"-D", "F(x)=f(x\\,1)"}), Strings{"F(x)=f(x,1)"});
  EXPECT_EQ(valuesOf({"-DA=\"x,y\",B"}), (Strings{"A=\"x,y\"", "B"}));
  EXPECT_EQ(valuesOf({"-DA=\\\"x\\\""}), Strings{"A=\"x\""});
  EXPECT_EQ(valuesOf({"-DA=\\\"x,y\\\""}), (Strings{"A=\"x", "y\""}));
  EXPECT_EQ(valuesOf({"-DA=a\\\\b"}), Strings{"A=a\\b"});
  EXPECT_EQ(valuesOf({"-I", "a b,c"}), (Strings{"a b", "c"}));
  EXPECT_EQ(valuesOf({"-I", ",a,,b,"}), (Strings{"a", "b"}));
}

TEST(NvccOptions, MissingValueAtTheEnd) {
  EXPECT_EQ(valuesOf({"-D"}), Strings{});
  EXPECT_EQ(nameOf({"--gpu-architecture"}), "gpu-architecture");
}

TEST(NvccOptions, InputsAndUnknownOptionsKeepTheirPlace) {
  auto Parsed = parse({"-funroll", "a.cu", "-", "-DX", "--unknown=1", ""});
  ASSERT_EQ(Parsed.size(), 6u);
  EXPECT_EQ(Parsed[0].Text, "-funroll");
  EXPECT_EQ(Parsed[1].Text, "a.cu");
  EXPECT_EQ(Parsed[2].Text, "-");
  EXPECT_TRUE(Parsed[3].Option);
  EXPECT_EQ(Parsed[4].Text, "--unknown=1");
  EXPECT_EQ(Parsed[5].Text, "");
}

} // namespace
