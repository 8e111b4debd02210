//===- CommandDatabaseTest.cpp - compile_commands.json --------------------===//
//
// Reading, finding and writing compile databases, and the errors about them.
//
//===----------------------------------------------------------------------===//

#include "test/unit/frontend/CommandTesting.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace warpwise::frontend;
using namespace warpwise::frontend::test;

namespace {

TEST(CompileCommands, WhatIsCuda) {
  EXPECT_TRUE(isCudaCommand(makeCommand("nvcc -c a.cu")));
  EXPECT_TRUE(isCudaCommand(makeCommand("g++ -c a.cuh", "a.cuh")));
  for (const char *Line :
       {"nvcc -x cu -c a.cpp", "nvcc -x=cu -c a.cpp", "nvcc --x=cu a.cpp",
        "nvcc --x cu a.cpp", "clang++ -x cuda a.cpp", "clang++ -xcuda a.cpp"})
    EXPECT_TRUE(isCudaCommand(makeCommand(Line, "a.cpp"))) << Line;
  EXPECT_FALSE(isCudaCommand(makeCommand("nvcc -c a.cpp", "a.cpp")));
  EXPECT_FALSE(isCudaCommand(makeCommand("g++ -c a.cpp", "a.cpp")));
  EXPECT_FALSE(isCudaCommand(makeCommand("g++ -x c++ -c a.cu")));
  EXPECT_FALSE(isCudaCommand(makeCommand("clang++ -x hip -c a.cu")));
}

std::string loadError(llvm::StringRef Path) {
  auto Database = loadDatabase(Path);
  return Database ? "no error" : llvm::toString(Database.takeError());
}

TEST(CommandDatabase, Errors) {
  TemporaryFolder Folder;
  std::string File = Folder.at("compile_commands.json");
  EXPECT_EQ(loadError(Folder.path()),
            "compile database '" + File +
                "' cannot be read: no such file or directory");
  EXPECT_EQ(loadError(Folder.at("no.json")),
            "compile database '" + Folder.at("no.json") +
                "' cannot be read: no such file or directory");
  auto errorFor = [&](llvm::StringRef Text) {
    Folder.write("compile_commands.json", Text);
    std::string Message = loadError(Folder.path());
    llvm::StringRef Rest = Message;
    EXPECT_TRUE(Rest.consume_front("compile database '" + File + "' "));
    EXPECT_FALSE(Rest.contains('\n'));
    return Rest.str();
  };
  EXPECT_EQ(errorFor(""), "is empty");
  EXPECT_EQ(errorFor(" \n"), "is empty");
  EXPECT_TRUE(llvm::StringRef(errorFor("[{]")).starts_with("is not JSON: "));
  EXPECT_EQ(errorFor("{}"), "is not a list of compile commands");
  EXPECT_EQ(errorFor("[]"), "holds no compile command");
  EXPECT_EQ(errorFor("[3]"), "is not usable: entry 1 is not an object");
  EXPECT_EQ(errorFor(R"([{"file": "a", "command": "b"}])"),
            "is not usable: entry 1 has no \"directory\"");
  EXPECT_EQ(errorFor(R"([{"directory": "/", "file": "a"}])"),
            "is not usable: entry 1 has neither \"command\" nor \"arguments\"");
  EXPECT_EQ(
      errorFor(R"([{"directory": "/", "file": "a", "arguments": ["a", 3]}])"),
      "is not usable: entry 1 has \"arguments\" that are not strings");
}

// Neither may keep the process waiting, fill its memory or end it.
TEST(CommandDatabase, WhatIsNoDatabaseAtAll) {
  TemporaryFolder Folder;
  std::string File = Folder.at("compile_commands.json");
  ASSERT_EQ(::mkfifo(File.c_str(), 0600), 0);
  EXPECT_EQ(loadError(File), "compile database '" + File +
                                 "' cannot be read: it is not a regular file");
  EXPECT_EQ(loadError("/dev/zero"), "compile database '/dev/zero' cannot be "
                                    "read: it is not a regular file");
  ASSERT_EQ(::unlink(File.c_str()), 0);
  ASSERT_EQ(::symlink("/dev/zero", File.c_str()), 0);
  EXPECT_EQ(loadError(File), "compile database '" + File +
                                 "' cannot be read: it is not a regular file");
  std::string Deep = Folder.write("deep.json", std::string(100'000, '['));
  EXPECT_EQ(loadError(Deep),
            "compile database '" + Deep + "' is nested deeper than 64 levels");
}

constexpr llvm::StringLiteral TwoCommands = R"([
  {"directory": "/src", "file": "a.cu", "output": "a.o",
   "command": "nvcc -arch=sm_80 -DX=\\\"a\\\" -Xcompiler=-Wall -x cu -c a.cu"},
  {"directory": "/src", "file": "b.cpp", "arguments": ["g++", "-c", "b.cpp"]}
])";

TEST(CommandDatabase, IsLoadedFromFileAndFolder) {
  TemporaryFolder Folder;
  std::string File = Folder.write("compile_commands.json", TwoCommands);
  for (llvm::StringRef Path : {llvm::StringRef(File), Folder.path()}) {
    auto Database = loadDatabase(Path);
    ASSERT_TRUE(bool(Database));
    EXPECT_EQ((*Database)->getAllCompileCommands().size(), 2u);
    auto Commands = (*Database)->getCompileCommands("/src/a.cu");
    ASSERT_EQ(Commands.size(), 1u);
    EXPECT_EQ(passed(translate(Commands[0])), "-Wall -D X=\"a\"");
  }
}

TEST(CommandDatabase, IsFoundAboveTheFileAndInBuild) {
  TemporaryFolder Folder;
  std::string Source = Folder.write("src/deep/a.cu", "");
  Folder.write("build/compile_commands.json", TwoCommands);
  auto Database = findDatabase(Source);
  ASSERT_TRUE(Database);
  EXPECT_EQ(Database->getAllFiles().size(), 2u);
  // A nearer one wins, but not one that is broken.
  Folder.write("src/build/compile_commands.json", "broken");
  EXPECT_TRUE(findDatabase(Source));
  Folder.write("src/compile_commands.json",
               R"([{"directory": "/", "file": "x.cu", "command": "nvcc"}])");
  Database = findDatabase(Source);
  ASSERT_TRUE(Database);
  EXPECT_EQ(Database->getAllFiles().size(), 1u);
}

TEST(CommandDatabase, IsWrittenForOtherTools) {
  TemporaryFolder Folder;
  std::string File = Folder.write("compile_commands.json", TwoCommands);
  auto Database = loadDatabase(File);
  ASSERT_TRUE(bool(Database));
  CommandOptions Options;
  Options.CudaPath = "none";
  ASSERT_FALSE(
      bool(writeDatabase(**Database, Options, Folder.at("new/folder"))));
  EXPECT_TRUE(llvm::sys::fs::is_directory(Folder.at("new/folder/include")));
  auto Written = loadDatabase(Folder.at("new/folder"));
  ASSERT_TRUE(bool(Written));
  auto Commands = (*Written)->getAllCompileCommands();
  ASSERT_EQ(Commands.size(), 2u);
  EXPECT_EQ(Commands[0].Directory, "/src");
  EXPECT_EQ(Commands[0].Filename, "/src/a.cu");
  EXPECT_EQ(Commands[0].CommandLine.front(), "clang++");
  EXPECT_EQ(Commands[0].CommandLine.back(), "/src/a.cu");
  EXPECT_TRUE(
      llvm::is_contained(Commands[0].CommandLine, "--cuda-gpu-arch=sm_80"));
  EXPECT_TRUE(llvm::any_of(Commands[0].CommandLine, [&](llvm::StringRef Word) {
    return Word.contains(Folder.at("new/folder/include"));
  }));
  EXPECT_EQ(Commands[1].CommandLine,
            (std::vector<std::string>{"g++", "-c", "b.cpp"}));
  // Nothing is left beside it.
  std::error_code Code;
  unsigned Entries = 0;
  for (llvm::sys::fs::directory_iterator I(Folder.at("new/folder"), Code), End;
       I != End && !Code; I.increment(Code))
    ++Entries;
  EXPECT_EQ(Entries, 2u);
}

TEST(CommandDatabase, IsWrittenPastPlantedLinks) {
  TemporaryFolder Folder;
  std::string File = Folder.write("compile_commands.json", TwoCommands);
  std::string Precious = Folder.write("precious", "precious");
  auto Database = loadDatabase(File);
  ASSERT_TRUE(bool(Database));
  CommandOptions Options;
  Options.CudaPath = "none";
  Folder.write("out/include/bridge/keep", "");
  std::string Header = Folder.at("out/include/bridge/warpwise_bridge.h");
  ASSERT_EQ(::symlink(Precious.c_str(), Header.c_str()), 0);
  ASSERT_EQ(::symlink(Precious.c_str(),
                      Folder.at("out/compile_commands.json").c_str()),
            0);
  ASSERT_FALSE(bool(writeDatabase(**Database, Options, Folder.at("out"))));
  EXPECT_TRUE(llvm::sys::fs::is_regular_file(Header));
  EXPECT_TRUE(bool(loadDatabase(Folder.at("out"))));
  uint64_t Size = 0;
  EXPECT_FALSE(llvm::sys::fs::file_size(Precious, Size));
  EXPECT_EQ(Size, 8u) << "a link was followed";
  // A folder that is a link would lead all headers astray.
  Folder.write("astray/keep", "");
  Folder.write("trap/keep", "");
  ASSERT_EQ(
      ::symlink(Folder.at("astray").c_str(), Folder.at("trap/include").c_str()),
      0);
  std::string Message =
      llvm::toString(writeDatabase(**Database, Options, Folder.at("trap")));
  EXPECT_TRUE(llvm::StringRef(Message).ends_with("'include' is a link"))
      << Message;
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.at("astray/bridge")));
}

TEST(CommandDatabase, WritingNamesWhatIsAtFault) {
  TemporaryFolder Folder;
  Folder.write("compile_commands.json",
               R"([{"directory": "/src", "file": "a.cu",
                    "command": "nvcc -optf no.rsp a.cu"}])");
  auto Database = loadDatabase(Folder.path());
  ASSERT_TRUE(bool(Database));
  EXPECT_EQ(llvm::toString(
                writeDatabase(**Database, CommandOptions(), Folder.at("out"))),
            "response file 'no.rsp' of the compile command for '/src/a.cu' "
            "cannot be read: no such file or directory");
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.at("out/compile_commands.json")));
  std::string File = Folder.write("file", "");
  EXPECT_EQ(llvm::toString(
                writeDatabase(**Database, CommandOptions(), File + "/below")),
            "cannot create folder '" + File + "/below': not a directory");
}

} // namespace
