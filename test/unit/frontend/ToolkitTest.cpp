//===- ToolkitTest.cpp - Where the CUDA headers are found -----------------===//
//
// The toolkit of a command, in fake toolkits: none is needed on the machine.
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/CompileCommands.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace warpwise::frontend;

namespace {

/// A variable of the environment, until the end of the test.
class Variable {
public:
  Variable(const char *Name, const std::string &Value) : Name(Name) {
    if (const char *Before = std::getenv(Name))
      Old = Before;
    ::setenv(Name, Value.c_str(), 1);
  }
  ~Variable() {
    if (Old)
      ::setenv(Name, Old->c_str(), 1);
    else
      ::unsetenv(Name);
  }

private:
  const char *Name;
  std::optional<std::string> Old;
};

class ToolkitTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("warpwise", Root));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(Root); }

  std::string at(llvm::StringRef Name) const {
    llvm::SmallString<128> Path(Root);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }

  void write(llvm::StringRef Name, llvm::StringRef Text) {
    std::string File = at(Name);
    std::error_code Code =
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    ASSERT_FALSE(Code);
    llvm::raw_fd_ostream(File, Code) << Text;
    ASSERT_FALSE(Code);
  }

  /// A toolkit whose nvcc would leave a trace if anyone ran it.
  std::string makeToolkit(llvm::StringRef Name, unsigned Version) {
    std::string Folder = Name.str();
    write(Folder + "/include/cuda_runtime.h", "");
    write(Folder + "/include/cuda.h", "// CUDA_VERSION\n#define CUDA_VERSION " +
                                          std::to_string(Version) + "\n");
    write(Folder + "/bin/nvcc", "#!/bin/sh\ntouch '" + at("executed") + "'\n");
    EXPECT_FALSE(llvm::sys::fs::setPermissions(at(Folder + "/bin/nvcc"),
                                               llvm::sys::fs::all_all));
    return at(Folder);
  }

  llvm::SmallString<128> Root;
  Variable CudaPath{"CUDA_PATH", ""}, CudaHome{"CUDA_HOME", ""};
};

TEST_F(ToolkitTest, FromThePathToNvcc) {
  std::string Folder = makeToolkit("cuda-11.8", 11080);
  Toolkit Found = findToolkit(Folder + "/bin/nvcc");
  EXPECT_EQ(Found.Path, Folder);
  EXPECT_EQ(Found.Version, "11.8");
}

TEST_F(ToolkitTest, FromALinkToNvcc) {
  std::string Folder = makeToolkit("cuda", 12040);
  ASSERT_FALSE(llvm::sys::fs::create_directories(at("usr/bin")));
  ASSERT_FALSE(
      llvm::sys::fs::create_link(Folder + "/bin/nvcc", at("usr/bin/nvcc")));
  llvm::SmallString<128> Real;
  ASSERT_FALSE(llvm::sys::fs::real_path(Folder, Real));
  EXPECT_EQ(findToolkit(at("usr/bin/nvcc")).Path, Real.str().str());
}

TEST_F(ToolkitTest, FromNvccInPath) {
  std::string Folder = makeToolkit("cuda", 12040);
  Variable Path("PATH", Folder + "/bin");
  EXPECT_EQ(findToolkit("nvcc").Path, Folder);
}

TEST_F(ToolkitTest, FromTheEnvironment) {
  std::string First = makeToolkit("first", 12000),
              Second = makeToolkit("second", 12010);
  Variable Home("CUDA_HOME", Second);
  EXPECT_EQ(findToolkit().Path, Second);
  {
    Variable Path("CUDA_PATH", First);
    EXPECT_EQ(findToolkit().Path, First);
    EXPECT_EQ(findToolkit(at("none/bin/nvcc")).Path, First);
    EXPECT_EQ(findToolkit(Second + "/bin/nvcc").Path, Second);
  }
  Variable Path("CUDA_PATH", at("nowhere"));
  EXPECT_EQ(findToolkit().Path, Second);
}

TEST_F(ToolkitTest, HeadersDecide) {
  std::string Folder = makeToolkit("cuda", 12040);
  ASSERT_FALSE(llvm::sys::fs::remove(Folder + "/include/cuda_runtime.h"));
  EXPECT_FALSE(toolkitAt(Folder).found());
  EXPECT_NE(findToolkit(Folder + "/bin/nvcc").Path, Folder);
  EXPECT_FALSE(toolkitAt("").found());
}

TEST_F(ToolkitTest, VersionFromJsonElseFromTheHeader) {
  std::string Folder = makeToolkit("cuda", 13010);
  EXPECT_EQ(toolkitAt(Folder).Version, "13.1");
  write("cuda/version.json", R"({"cuda": {"version": "12.4.1"}})");
  EXPECT_EQ(toolkitAt(Folder).Version, "12.4");
  for (llvm::StringRef Broken :
       {"", "{", "[]", R"({"cuda": 3})", R"({"cuda": {"version": 12}})"}) {
    write("cuda/version.json", Broken);
    EXPECT_EQ(toolkitAt(Folder).Version, "13.1") << Broken.str();
  }
  write("cuda/include/cuda.h", "no version");
  EXPECT_EQ(toolkitAt(Folder).Version, "");
  EXPECT_TRUE(toolkitAt(Folder).found());
}

clang::tooling::CompileCommand command(std::vector<std::string> Words,
                                       llvm::StringRef Directory) {
  clang::tooling::CompileCommand Command;
  Command.Directory = Directory.str();
  Command.Filename = "a.cu";
  Command.CommandLine = std::move(Words);
  return Command;
}

TEST_F(ToolkitTest, OfACommand) {
  std::string First = makeToolkit("first", 12000),
              Second = makeToolkit("second", 12010);
  auto pathFor = [&](std::vector<std::string> Words,
                     const std::string &UserPath = "") {
    CommandOptions Options;
    Options.CudaPath = UserPath;
    auto Result = translateCommand(command(std::move(Words), Root), Options);
    return Result ? Result->Cuda.Path : llvm::toString(Result.takeError());
  };
  EXPECT_EQ(pathFor({First + "/bin/nvcc", "a.cu"}), First);
  EXPECT_EQ(pathFor({"ccache", First + "/bin/nvcc", "a.cu"}), First);
  EXPECT_EQ(pathFor({"first/bin/nvcc", "a.cu"}), First);
  EXPECT_EQ(pathFor({"clang++", "--cuda-path=" + Second, "a.cu"}), Second);
  EXPECT_EQ(pathFor({"clang++", "--cuda-path=second", "a.cu"}), Second);
  EXPECT_EQ(pathFor({First + "/bin/nvcc", "a.cu"}, Second), Second);
  EXPECT_EQ(pathFor({First + "/bin/nvcc", "a.cu"}, "none"), "");
  EXPECT_EQ(pathFor({"nvcc", "a.cu"}, at("nowhere")),
            "no CUDA toolkit in '" + at("nowhere") +
                "': include/cuda_runtime.h is not there");
  EXPECT_FALSE(llvm::sys::fs::exists(at("executed")));
}

TEST_F(ToolkitTest, NvccsVersionMacros) {
  std::string Folder = makeToolkit("cuda", 12040);
  auto Result = translateCommand(command({Folder + "/bin/nvcc", "a.cu"}, Root),
                                 CommandOptions());
  ASSERT_TRUE(bool(Result));
  for (const char *Macro :
       {"-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=4"})
    EXPECT_NE(
        std::find(Result->Arguments.begin(), Result->Arguments.end(), Macro),
        Result->Arguments.end());
}

} // namespace
