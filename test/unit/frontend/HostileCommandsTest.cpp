//===- HostileCommandsTest.cpp - Commands that mean harm ------------------===//
//
// Nothing that a compile command names is loaded or started, and reading what
// it names comes to an end.
//
//===----------------------------------------------------------------------===//

#include "test/unit/frontend/CommandTesting.h"

#include <gtest/gtest.h>

using namespace warpwise::frontend;
using namespace warpwise::frontend::test;

namespace {

//===--- Response files ---------------------------------------------------===//

TEST(ResponseFiles, AreReadInPlace) {
  TemporaryFolder Folder;
  Folder.write("sub/i.rsp", "-Iinc  -isystem=/s\n-I\"with blank\"\n");
  Folder.write("outer.rsp", "-DO --options-file sub/i.rsp");
  for (const char *Option :
       {"--options-file outer.rsp", "--options-file=outer.rsp",
        "-optf outer.rsp", "-optf=outer.rsp", "@outer.rsp"})
    EXPECT_EQ(passed(translate(
                  makeCommand(std::string("nvcc -DA ") + Option + " -DZ a.cu",
                              "a.cu", Folder.path()))),
              "-D A -D O -I inc -isystem /s -I with blank -D Z")
        << Option;
  Folder.write("g.rsp", "-DG @h.rsp");
  Folder.write("h.rsp", "-DH");
  EXPECT_EQ(passed(translate(
                makeCommand("g++ -DA @g.rsp -DZ a.cu", "a.cu", Folder.path()))),
            "-D A -D G -D H -D Z");
  EXPECT_EQ(passed(translate(makeCommand("nvcc -optf g.rsp,h.rsp a.cu", "a.cu",
                                         Folder.path()))),
            "-D G -D H -D H");
}

TEST(ResponseFiles, MissingOne) {
  TemporaryFolder Folder;
  for (const char *Line : {"nvcc --options-file no.rsp a.cu",
                           "nvcc @no.rsp a.cu", "clang++ @no.rsp a.cu"})
    EXPECT_EQ(errorOf(makeCommand(Line, "a.cu", Folder.path())),
              "response file 'no.rsp' of the compile command for '" +
                  Folder.at("a.cu") +
                  "' cannot be read: no such file or directory");
}

TEST(ResponseFiles, ThatWouldNeverEnd) {
  TemporaryFolder Folder;
  Folder.write("n.rsp", "-DX -optf n.rsp,n.rsp");
  Folder.write("c.rsp", "-DX @c.rsp @c.rsp");
  EXPECT_EQ(
      errorOf(makeCommand("nvcc -optf n.rsp a.cu", "/a.cu", Folder.path())),
      "response file 'n.rsp' of the compile command for '/a.cu' seems to "
      "include itself");
  EXPECT_EQ(errorOf(makeCommand("g++ @c.rsp a.cu", "/a.cu", Folder.path())),
            "response file 'c.rsp' of the compile command for '/a.cu' seems to "
            "include itself");
  EXPECT_EQ(errorOf(makeCommand("nvcc -optf=/dev/zero a.cu", "/a.cu")),
            "response file '/dev/zero' of the compile command for '/a.cu' "
            "cannot be read: it is not a regular file");
}

//===--- Hostile commands -------------------------------------------------===//

// Each loads or starts something, writes a file, or makes Clang look for its
// own programs elsewhere.
constexpr const char *HostileFlags[] = {
    "-fplugin=evil.so",
    "-fplugin-arg-evil-x=1",
    "-fpass-plugin=evil.so",
    "-load evil.so",
    "-Xclang -load -Xclang evil.so",
    "-Xclang -plugin -Xclang evil",
    "-Xclang -add-plugin -Xclang evil",
    "-Xclang -fpass-plugin=evil.so",
    "-Xclang -include-pch -Xclang evil.pch",
    "-Xclang -dependency-file -Xclang evil.d",
    "-Xclang -o -Xclang evil.o",
    "-Xarch_device -fplugin=evil.so",
    "-Xarch_host -fplugin=evil.so",
    "-Xpreprocessor -load -Xpreprocessor evil.so",
    "-Wp,-load,evil.so",
    "-Wa,evil",
    "-Wl,-plugin,evil.so",
    "-mllvm -load=evil.so",
    "-mllvm -load-pass-plugin=evil.so",
    "-mlink-builtin-bitcode evil.bc",
    "-Bevil",
    "-B evil",
    "--prefix=evil",
    "-specs=evil.specs",
    "-specs evil.specs",
    "-wrapper evil,--args",
    "--config=evil.cfg",
    "--config evil.cfg",
    "--config-system-dir=evil",
    "-no-canonical-prefixes -ccc-install-dir evil",
    "-ccc-gcc-name evil",
    "--ptxas-path=evil",
    "-fuse-ld=evil",
    "--ld-path=evil",
    "-fmodules-embed-all-files",
    "-fmodules -fmodules-cache-path=evil",
    "-fmodule-file=evil.pcm",
    "-fmodule-map-file=evil.map",
    "-fprebuilt-module-path=evil",
    "-include-pch evil.pch",
    "-fembed-offload-object=evil",
    "-resource-dir evil",
    "-resource-dir=evil",
    "--offload-arch=native",
    "--serialize-diagnostics evil.dia",
    "-ftime-trace=evil.json",
    "-fcrash-diagnostics-dir=evil",
    "-fproc-stat-report=evil",
    "-foptimization-record-file=evil",
    "-fprofile-use=evil",
    "-fprofile-instr-generate=evil",
    "-fsanitize-ignorelist=evil",
    "-MJ evil.json",
    "-gen-cdb-fragment-path evil",
    "-save-temps=obj",
    "-dumpdir evil",
    "-index-store-path evil",
    "--hip-path=evil",
    "--rocm-path=evil",
    "-o evil",
    "-Werror -Werror=all -pedantic-errors",
    "-cc1 -load evil.so",
};

TEST(HostileCommands, FlagsDoNotComeThrough) {
  for (const char *Flags : HostileFlags) {
    llvm::SmallVector<llvm::StringRef> Words;
    llvm::StringRef(Flags).split(Words, ' ');
    std::string ForHost;
    for (llvm::StringRef Word : Words)
      ForHost += " -Xcompiler '\"" + Word.str() + "\"'";
    for (const std::string &Line :
         {std::string("clang++ -DA ") + Flags + " -DZ a.cu",
          std::string("g++ -DA ") + Flags + " -DZ a.cu",
          std::string("nvcc -DA ") + Flags + " -DZ a.cu",
          std::string("nvcc_wrapper -DA ") + Flags + " -DZ a.cu",
          "nvcc -DA" + ForHost + " -DZ a.cu"})
      EXPECT_EQ(passed(Line), "-D A -D Z") << Line;
    CommandOptions Options;
    for (llvm::StringRef Word : Words)
      Options.ExtraArguments.push_back(Word.str());
    EXPECT_EQ(passed(translate("nvcc -DA a.cu", Options)), "-D A") << Flags;
  }
}

TEST(HostileCommands, ResponseFile) {
  TemporaryFolder Folder;
  Folder.write("e.rsp", "-fplugin=evil.so -Xcompiler -fplugin=evil.so -DX");
  for (const char *Line : {"nvcc -optf e.rsp a.cu", "clang++ @e.rsp a.cu"})
    EXPECT_EQ(passed(translate(makeCommand(Line, "a.cu", Folder.path()))),
              "-D X");
}

// Clang would load a.h.pch, or GCC's a.h.gch, in place of a.h.
TEST(HostileCommands, PrecompiledHeadersAreNotLoaded) {
  TemporaryFolder Folder;
  Folder.write("a.h.pch", "");
  Folder.write("b.h.gch", "");
  EXPECT_EQ(passed(translate(
                makeCommand("g++ -include a.h -include b.h -include c.h a.cu",
                            "a.cu", Folder.path()))),
            "-Xclang -include -Xclang a.h -Xclang -include -Xclang b.h "
            "-include c.h");
}

} // namespace
