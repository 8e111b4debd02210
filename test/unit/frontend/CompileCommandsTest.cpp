//===- CompileCommandsTest.cpp - nvcc's commands as Clang's ---------------===//
//
// What becomes of a compile command, option by option.
//
//===----------------------------------------------------------------------===//

#include "test/unit/frontend/CommandTesting.h"

#include <gtest/gtest.h>

using namespace warpwise::frontend;
using namespace warpwise::frontend::test;

namespace {

//===--- Every command ----------------------------------------------------===//

TEST(CompileCommands, TheWholeOfOneCommand) {
  auto Result = translate("nvcc -arch=sm_80 -Iinc -c a.cu -o a.o");
  EXPECT_EQ(Result.Directory, "/src");
  EXPECT_EQ(Result.File, "/src/a.cu");
  EXPECT_EQ(llvm::join(Result.Arguments, " "),
            "-x cuda --cuda-device-only --cuda-gpu-arch=sm_80 "
            "--no-cuda-version-check -Qunused-arguments "
            "-Wno-unknown-warning-option -fclang-abi-compat=17 -D__NVCC__ "
            "-D__CUDA_ARCH_LIST__=800 -I inc /src/a.cu");
  EXPECT_TRUE(Result.Notes.empty());
  EXPECT_FALSE(Result.MaxRegisters);
  EXPECT_FALSE(Result.RestrictPointers);
}

TEST(CompileCommands, FileIsMadeAbsolute) {
  EXPECT_EQ(translate(makeCommand("nvcc x.cu", "../k/x.cu", "/a/b")).File,
            "/a/k/x.cu");
}

TEST(CompileCommands, HeadersAsMainFile) {
  auto Result = translate(makeCommand("nvcc a.cuh", "/src/a.cuh"));
  EXPECT_EQ(Result.Arguments[1], "cuda");
  EXPECT_TRUE(
      llvm::is_contained(Result.Arguments, "-Wno-pragma-once-outside-header"));
}

TEST(CompileCommands, EmptyCommand) {
  EXPECT_EQ(errorOf(makeCommand("")),
            "the compile command for '/src/a.cu' is empty");
}

TEST(CompileCommands, CommandOfAFileThatHasNone) {
  CommandOptions Options;
  Options.CudaPath = "none";
  Options.ExtraArguments = {"-I", "inc"};
  auto Result = defaultCommand("x.cu", Options);
  ASSERT_TRUE(bool(Result));
  EXPECT_TRUE(llvm::sys::path::is_absolute(Result->File));
  EXPECT_EQ(llvm::sys::path::filename(Result->File), "x.cu");
  EXPECT_EQ(Result->AnalysedArch, "sm_90");
  EXPECT_EQ(passed(*Result), "-I inc");
}

//===--- nvcc, row by row -------------------------------------------------===//

struct Row {
  const char *Nvcc, *Clang;
};

void PrintTo(const Row &Each, std::ostream *Out) { *Out << Each.Nvcc; }

class NvccRow : public testing::TestWithParam<Row> {};

TEST_P(NvccRow, Becomes) {
  // Between two more options, so that a value that leaks shows.
  std::string Line =
      std::string("nvcc -DA ") + GetParam().Nvcc + " -DZ -c a.cu";
  std::string Clang = GetParam().Clang;
  EXPECT_EQ(passed(Line), "-D A " + Clang + (Clang.empty() ? "" : " ") + "-D Z")
      << Line;
}

INSTANTIATE_TEST_SUITE_P(
    Passes, NvccRow,
    testing::Values(
        Row{"-DX", "-D X"}, Row{"-D X=1", "-D X=1"}, Row{"-D=X", "-D X"},
        Row{"--define-macro X,Y=2", "-D X -D Y=2"},
        Row{"--define-macro=X", "-D X"}, Row{"-DX=1,Y=2", "-D X=1 -D Y=2"},
        Row{R"(-DX=\"a,b\")", "-D X=\"a,b\""},
        Row{R"('-DF(a\\,b)=1')", "-D F(a,b)=1"}, Row{"-UX", "-U X"},
        Row{"--undefine-macro X,Y", "-U X -U Y"}, Row{"-Idir", "-I dir"},
        Row{"-I dir", "-I dir"}, Row{"-I=/p", "-I /p"},
        Row{"-Ia,b", "-I a -I b"}, Row{"--include-path=a,b", "-I a -I b"},
        Row{"-isystem a", "-isystem a"}, Row{"-isystem=/p", "-isystem /p"},
        Row{"--system-include a,b", "-isystem a -isystem b"},
        Row{"-isystem=/usr/lib/gcc/x86_64-linux-gnu/12/include -I "
            "/opt/lib/gcc/x/9.1/include-fixed/ -isystem /usr/include/c++/12",
            "-isystem /usr/include/c++/12"},
        Row{"-I/a/gcc/include -I/gcc/b/include/c", "-I /a/gcc/include -I "
                                                   "/gcc/b/include/c"},
        Row{"-include a.h,b.h", "-include a.h -include b.h"},
        Row{"--pre-include=a.h", "-include a.h"},
        Row{"-std=c++17", "-std=c++17"}, Row{"--std c++14", "-std=c++14"},
        Row{"-std c++20", "-std=c++20"}, Row{"-noeh", "-fno-exceptions"},
        Row{"--no-exceptions", "-fno-exceptions"},
        Row{"-ftemplate-depth 99", "-ftemplate-depth=99"},
        Row{"--ftemplate-backtrace-limit=3", "-ftemplate-backtrace-limit=3"},
        Row{"--expt-relaxed-constexpr", "-D __CUDACC_RELAXED_CONSTEXPR__"},
        Row{"-expt-relaxed-constexpr", "-D __CUDACC_RELAXED_CONSTEXPR__"},
        Row{"--extended-lambda", "-D __CUDACC_EXTENDED_LAMBDA__"},
        Row{"--expt-extended-lambda", "-D __CUDACC_EXTENDED_LAMBDA__"},
        Row{"-rdc=true", "-fgpu-rdc -D __CUDACC_RDC__"},
        Row{"--relocatable-device-code true", "-fgpu-rdc -D __CUDACC_RDC__"},
        Row{"-rdc=false", "-fno-gpu-rdc -U __CUDACC_RDC__"},
        Row{"-dc", "-fgpu-rdc -D __CUDACC_RDC__"},
        Row{"--device-c", "-fgpu-rdc -D __CUDACC_RDC__"},
        Row{"-ewp", "-D __CUDACC_EWP__"}, Row{"-G", "-D __CUDACC_DEBUG__"},
        Row{"--device-debug", "-D __CUDACC_DEBUG__"},
        Row{"--default-stream per-thread",
            "-D CUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
        Row{"-default-stream=per-thread",
            "-D CUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
        Row{"--use_fast_math",
            "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals "
            "-fapprox-func"},
        Row{"-use_fast_math",
            "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals "
            "-fapprox-func"},
        Row{"-ftz=true", "-fgpu-flush-denormals-to-zero"},
        Row{"--ftz false", "-fno-gpu-flush-denormals-to-zero"},
        Row{"-fmad=false", "-ffp-contract=off"},
        Row{"--fmad=true", "-ffp-contract=fast"}, Row{"-w", "-w"},
        Row{"--disable-warnings", "-w"},
        Row{"-Wno-deprecated-declarations", "-Wno-deprecated-declarations"}));

// Dropped with their values: nothing of them may reach Clang, in no spelling.
INSTANTIATE_TEST_SUITE_P(
    Drops, NvccRow,
    testing::Values(
        Row{"-cuda -cubin -fatbin -ptx -optix-ir -ltoir", ""},
        Row{"--cuda --cubin --fatbin --ptx --optix-ir --ltoir", ""},
        Row{"-E -M -MM -MD -MMD -MP", ""}, Row{"-MF a.d -MT a.o", ""},
        Row{"-MF=a.d --dependency-output a.d", ""},
        Row{"--generate-dependencies-with-compile", ""},
        Row{"-c -dw -dlink -lib -link -run -clean", ""},
        Row{"--compile --device-w --device-link --lib --link --run", ""},
        Row{"-run-args a,b", ""}, Row{"-o a.o", ""}, Row{"-o=a.o", ""},
        Row{"--output-file a.o", ""}, Row{"-odir d -objtemp", ""},
        Row{"--output-directory=d", ""}, Row{"-lm -l m --library=a,b", ""},
        Row{"-Ldir -L dir --library-path a,b", ""},
        Row{"-ccbin g++ -ccbin=g++ --compiler-bindir=/usr/bin", ""},
        Row{"--allow-unsupported-compiler -use-local-env", ""},
        Row{"--force-cl-env-setup -arbin ar", ""},
        Row{"-cudart shared --cudart=none -cudadevrt none", ""},
        Row{"-ldir d -target-dir d -noprof", ""},
        Row{"-pg -g -lineinfo --debug --generate-line-info", ""},
        Row{"-opt-info inline -O3 -O 3 -O=3 --optimize 2", ""},
        Row{"-Ofc=max -Ofc max --Ofast-compile=min -dopt on", ""},
        Row{"-dlto -lto -gen-opt-lto -shared -r -nodlink", ""},
        Row{"--no-align-double -nohdinitlist -nohdmoveforward", ""},
        Row{"-m64 -m 64 --machine=64 -x cu -x=cu --x cu", ""},
        Row{"-Xlinker -rpath,. -Xnvlink -v -Xarchive x", ""},
        Row{"--linker-options a --nvlink-options=b", ""},
        Row{"-Xptxas -v -Xptxas=-O3 --ptxas-options=-v", ""},
        Row{"-Xcudafe --diag_suppress=1 -Xfatbin -v", ""},
        Row{"-Xcicc -v -Xnvvm -v", ""},
        Row{"-static-global-template-stub=true", ""},
        Row{"-device-entity-has-hidden-visibility false", ""},
        Row{"-device-stack-protector true -sanitize memcheck", ""},
        Row{"-forward-unknown-to-host-compiler", ""},
        Row{"--forward-unknown-to-host-linker -forward-unknown-opts", ""},
        Row{"-dryrun -v -t 4 -t4 --threads=4 --verbose", ""},
        Row{"-split-compile 2 --split-compile-extended=2", ""},
        Row{"-fdevice-syntax-only -fdevice-time-trace t.json", ""},
        Row{"-keep -keep-dir d -save-temps -time t.csv -jobserver", ""},
        Row{"-idp /cygwin/ -ddp x -dp x", ""},
        Row{"-code sm_80,sm_90 --gpu-code=sm_80", ""},
        Row{"-e kernel --entries=a,b -maxrregcount 32", ""},
        Row{"-prec-div=false -prec-sqrt false", ""},
        Row{"-extra-device-vectorization -restrict", ""},
        Row{"-default-stream legacy", ""},
        Row{"-keep-device-functions -src-in-ptx -astoolspatch", ""},
        Row{"-Wreorder -Wdefault-stream-launch", ""},
        Row{"-Wmissing-launch-bounds -Wext-lambda-captures-this", ""},
        Row{"-Wno-deprecated-gpu-targets -res-usage", ""},
        Row{"-Werror all-warnings --Werror=reorder", ""},
        Row{"-no-compress -compress-mode=size -reloc-ptx", ""},
        Row{"-qpp-config 8 -code-ls -arch-ls -jtd 5", ""},
        Row{"-err-no -no-err-no -diag-error 1 -diag-warn=1,2", ""},
        Row{"--diag-suppress 20012 -brief-diag true", ""},
        Row{"-hls gen-lcs -aug-hls -frandom-seed=1", ""},
        Row{"-h -V --help --version", ""}));

// Options of the host compiler come first, as nvcc has them.
TEST(CompileCommands, HostCompilerOptions) {
  EXPECT_EQ(passed("nvcc -DX -Xcompiler -DY,-Wall -Xcompiler=-DZ a.cu"),
            "-D Y -Wall -D Z -D X");
  EXPECT_EQ(passed("nvcc --compiler-options '-DX -DY=\"a b\"' a.cu"),
            "-D X -D Y=a b");
  EXPECT_EQ(passed("nvcc -Xcompiler -isysroot -DX -Xcompiler /sdk a.cu"),
            "-isysroot /sdk -D X");
  EXPECT_EQ(passed("nvcc -Xcompiler -fPIC,-O3,-march=native,-fopenmp,-pthread "
                   "-Xcompiler '\"-Wl,-z,now\"' a.cu"),
            "-pthread");
}

TEST(CompileCommands, UnknownOptionsGoToTheHostCompiler) {
  EXPECT_EQ(passed("nvcc -forward-unknown-to-host-compiler -Wall -fno-rtti "
                   "-Wno-unused -mavx2 -fconcepts-ts -mtune=foo --bogus a.cu"),
            "-Wall -fno-rtti -Wno-unused -mavx2");
  EXPECT_EQ(passed("nvcc -iquote dir -Da a.cu"), "-iquote dir -D a");
}

// An option that lacks its value must not swallow an argument of ours.
TEST(CompileCommands, MissingValuesDoNotSpread) {
  EXPECT_EQ(passed("nvcc -DX -Xcompiler -isystem a.cu"), "-D X");
  EXPECT_EQ(passed("nvcc -DX -o"), "-D X");
  EXPECT_EQ(passed("clang++ -DX a.cu -include"), "-D X");
}

TEST(CompileCommands, UnusableStandards) {
  EXPECT_EQ(passed("nvcc -std=c++29 a.cu"), "");
  EXPECT_EQ(passed("g++ -std=gnu99 a.cu"), "");
  EXPECT_EQ(passed("g++ -std=gnu++20 a.cu"), "-std=gnu++20");
}

TEST(CompileCommands, RegistersAndRestrict) {
  for (const char *Flags :
       {"-maxrregcount=40", "-maxrregcount 40", "--maxrregcount=40",
        "-Xptxas -maxrregcount=40", "-Xptxas=-v,--maxrregcount=40",
        "-Xptxas -v,-maxrregcount,40", "-Xptxas --maxrregcount -Xptxas 40",
        "--ptxas-options='-v -maxrregcount 40'"}) {
    auto Result = translate(std::string("nvcc a.cu ") + Flags);
    ASSERT_TRUE(Result.MaxRegisters) << Flags;
    EXPECT_EQ(*Result.MaxRegisters, 40u) << Flags;
    EXPECT_FALSE(Result.RestrictPointers);
  }
  EXPECT_FALSE(translate("nvcc -maxrregcount=x a.cu").MaxRegisters);
  EXPECT_TRUE(translate("nvcc -restrict a.cu").RestrictPointers);
  EXPECT_TRUE(translate("nvcc --restrict a.cu").RestrictPointers);
  EXPECT_EQ(translate("clang++ -Xcuda-ptxas --maxrregcount=64 a.cu")
                .MaxRegisters.value_or(0),
            64u);
}

//===--- Architecture -----------------------------------------------------===//

struct ArchRow {
  const char *Flags, *Preferred, *Requested, *Analysed, *List;
};

void PrintTo(const ArchRow &Each, std::ostream *Out) { *Out << Each.Flags; }

class ArchOf : public testing::TestWithParam<ArchRow> {};

TEST_P(ArchOf, Command) {
  CommandOptions Options;
  Options.PreferredArch = GetParam().Preferred;
  auto Result =
      translate(std::string("nvcc a.cu ") + GetParam().Flags, Options);
  EXPECT_EQ(Result.RequestedArch, GetParam().Requested);
  EXPECT_EQ(Result.AnalysedArch, GetParam().Analysed);
  EXPECT_TRUE(llvm::is_contained(Result.Arguments,
                                 "--cuda-gpu-arch=" + Result.AnalysedArch));
  EXPECT_TRUE(llvm::is_contained(Result.Arguments,
                                 std::string("-D__CUDA_ARCH_LIST__=") +
                                     GetParam().List));
  EXPECT_EQ(llvm::count_if(
                Result.Arguments,
                [](llvm::StringRef Word) { return Word.contains("arch="); }),
            1);
  EXPECT_EQ(Result.Notes.size(), Result.RequestedArch != Result.AnalysedArch);
}

INSTANTIATE_TEST_SUITE_P(
    Nvcc, ArchOf,
    testing::Values(
        ArchRow{"", "", "sm_90", "sm_90", "900"},
        ArchRow{"", "sm_80", "sm_80", "sm_80", "800"},
        ArchRow{"-arch=sm_80", "", "sm_80", "sm_80", "800"},
        ArchRow{"-arch sm_80", "sm_90", "sm_80", "sm_80", "800"},
        ArchRow{"--gpu-architecture=compute_86", "", "sm_86", "sm_86", "860"},
        ArchRow{"--gpu-architecture lto_75", "", "sm_75", "sm_75", "750"},
        ArchRow{"-arch=compute_80 -code=sm_86,compute_80", "", "sm_80", "sm_80",
                "800"},
        ArchRow{"-arch=sm_90a", "", "sm_90a", "sm_90a", "900"},
        ArchRow{"-arch=native", "", "sm_90", "sm_90", "900"},
        ArchRow{"-arch=native", "sm_86", "sm_86", "sm_86", "860"},
        ArchRow{"-arch=all", "sm_75", "sm_75", "sm_75", "750"},
        ArchRow{"-arch=all-major", "", "sm_90", "sm_90", "900"},
        ArchRow{"-arch=nonsense", "", "sm_90", "sm_90", "900"},
        ArchRow{"-gencode arch=compute_80,code=sm_80", "", "sm_80", "sm_80",
                "800"},
        ArchRow{"--generate-code=arch=compute_80,code=[compute_80,sm_80]", "",
                "sm_80", "sm_80", "800"},
        ArchRow{"-gencode=arch=compute_80,code=\\\"sm_80,compute_80\\\"", "",
                "sm_80", "sm_80", "800"},
        ArchRow{"-gencode code=sm_80,arch=compute_80", "", "sm_80", "sm_80",
                "800"},
        // Several: the preferred one, else the newest; in any order.
        ArchRow{"-gencode arch=compute_90,code=sm_90 "
                "-gencode arch=compute_70,code=sm_70",
                "", "sm_90", "sm_90", "700,900"},
        ArchRow{"-gencode arch=compute_80,code=sm_80 "
                "-gencode arch=compute_90a,code=sm_90a",
                "sm_90", "sm_90a", "sm_90a", "800,900"},
        ArchRow{"-gencode arch=compute_80,code=sm_80 "
                "-gencode arch=compute_90,code=sm_90 "
                "-gencode arch=compute_90,code=compute_90",
                "sm_80", "sm_80", "sm_80", "800,900"},
        ArchRow{"-gencode arch=compute_80,code=sm_80 "
                "-gencode arch=compute_120,code=sm_120",
                "sm_90", "sm_120", "sm_90a", "800,1200"},
        // Clamped.
        ArchRow{"-arch=sm_100", "", "sm_100", "sm_90a", "1000"},
        ArchRow{"-arch=sm_120f", "", "sm_120f", "sm_90a", "1200"},
        ArchRow{"-arch=native", "sm_103a", "sm_103a", "sm_90a", "1030"},
        ArchRow{"-arch=sm_88", "", "sm_88", "sm_87", "880"},
        // Older than CUDA 13, but Clang knows them.
        ArchRow{"-arch=sm_35", "", "sm_35", "sm_35", "350"},
        ArchRow{"-arch=sm_20", "", "sm_20", "sm_20", "200"},
        ArchRow{"-arch=sm_13", "", "sm_13", "sm_20", "130"}));

TEST(CompileCommands, NoteOfAClampedArchitecture) {
  EXPECT_EQ(translate("nvcc -arch=sm_120 a.cu").Notes,
            std::vector<std::string>{
                "sm_120 is analysed as sm_90a, the nearest architecture that "
                "Clang 19 knows"});
}

TEST(CompileCommands, ArchitectureOfClangCommands) {
  EXPECT_EQ(translate("clang++ --cuda-gpu-arch=sm_70 a.cu").AnalysedArch,
            "sm_70");
  EXPECT_EQ(translate("clang++ --offload-arch=sm_70,sm_80 a.cu").AnalysedArch,
            "sm_80");
  EXPECT_EQ(translate("clang++ --offload-arch=native a.cu").AnalysedArch,
            "sm_90");
  EXPECT_EQ(translate("clang++ a.cu").AnalysedArch, "sm_90");
}

//===--- Launchers and compilers ------------------------------------------===//

TEST(CompileCommands, LaunchersAreStripped) {
  for (const char *Line :
       {"ccache nvcc -DX -ccbin g++ a.cu",
        "/usr/bin/sccache /opt/cuda/bin/nvcc -DX a.cu",
        "distcc ccache nvcc -DX a.cu",
        "ccache compiler_check=none nvcc -DX a.cu",
        "env CXX=/usr/bin/g++ A=b nvcc -DX a.cu",
        "/usr/bin/env -u CC nvcc -DX a.cu",
        "cmake -E env A=b --unset=CC CXX=g++ -- nvcc -DX a.cu",
        "/usr/bin/cmake -E __run_co_compile --launcher=\"ccache;--x\" "
        "--tidy=\"clang-tidy;-p=/usr/bin/gcc\" --source=a.cu -- nvcc -DX a.cu",
        "nice -n 5 time nvcc.exe -DX a.cu", "nvcc-12.4 -DX a.cu",
        "C:\\\\cuda\\\\bin\\\\nvcc.exe -DX a.cu"})
    EXPECT_EQ(passed(Line), "-D X") << Line;
}

TEST(CompileCommands, ClangAndHostCompilers) {
  EXPECT_EQ(passed("clang++-19 -x cuda --cuda-gpu-arch=sm_80 -DX=a,b -Iinc "
                   "-isystem s -std=c++20 -O3 -g -fno-exceptions "
                   "-fgpu-flush-denormals-to-zero -c a.cu -o a.o -MD -MF a.d"),
            "-D X=a,b -I inc -isystem s -std=c++20 -fno-exceptions "
            "-fgpu-flush-denormals-to-zero");
  EXPECT_EQ(passed("clang++ --cuda-host-only -nocudainc -nocudalib "
                   "--cuda-path=/nowhere -resource-dir /x -fcuda-rdc a.cu"),
            "-fgpu-rdc");
  EXPECT_EQ(passed("x86_64-linux-gnu-g++-12 -x c++ -DX -fno-canonical-system-"
                   "headers -flto -Wl,-O1 -c a.cu"),
            "-D X");
  EXPECT_EQ(passed("c++ -I inc a.cuh"), "-I inc");
  EXPECT_EQ(passed("my-wrapper -I inc a.cu"), "-I inc");
  EXPECT_EQ(passed("cl.exe /DX /I inc /std:c++17 /EHsc /W4 /FI p.h /c a.cu"),
            "-D X -I inc -std=c++17 -WCL4 -include p.h");
  EXPECT_EQ(passed("clang++ -Xarch_device -DX -Xarch_host -DY a.cu"), "-D X");
  EXPECT_EQ(passed("clang++ -Xclang -fcuda-allow-variadic-functions a.cu"),
            "-Xclang -fcuda-allow-variadic-functions");
}

TEST(CompileCommands, ExtraArguments) {
  CommandOptions Options;
  Options.ExtraArguments = {"-DE", "--cuda-gpu-arch=sm_75",
                            "-Xptxas=-maxrregcount=16", "-restrict"};
  for (const char *Line :
       {"nvcc -arch=sm_90 -DX a.cu", "clang++ --offload-arch=sm_90 -DX a.cu"}) {
    auto Result = translate(Line, Options);
    EXPECT_EQ(passed(Result), "-D X -D E");
    EXPECT_EQ(Result.AnalysedArch, "sm_75");
    EXPECT_EQ(Result.MaxRegisters.value_or(0), 16u);
    EXPECT_TRUE(Result.RestrictPointers);
  }
}

// A translated command is one of Clang's; translating it again changes nothing.
TEST(CompileCommands, TranslationIsStable) {
  auto Once = translate("nvcc -arch=sm_80 -DX -rdc=true -Ia,b -Xcompiler "
                        "-Wall,-fPIC --use_fast_math -std=c++17 a.cu");
  auto Again = makeCommand("clang++");
  Again.CommandLine.insert(Again.CommandLine.end(), Once.Arguments.begin(),
                           Once.Arguments.end());
  EXPECT_EQ(passed(translate(Again)),
            "-D __NVCC__ -D __CUDA_ARCH_LIST__=800 " + passed(Once));
}

} // namespace
