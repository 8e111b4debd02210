//===- AnswerCacheTest.cpp - What nvcc said before ------------------------===//

#include "analyzer/nvcc/AnswerCache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace warpwise::nvcc;
namespace fs = std::filesystem;

namespace {

TEST(AnswerCacheTest, FilesOfARule) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(filesOfRule("unit.o: unit.cu /a/b.h \\\n    i0/c\\ d.h \\\n"
                        " /e$$f\\#g.h\n/a/b.h:\n"),
            (Names{"unit.cu", "/a/b.h", "i0/c d.h", "/e$f#g.h"}));
  EXPECT_EQ(filesOfRule("unit.o: unit.cu /a/b.h"),
            (Names{"unit.cu", "/a/b.h"}));
  EXPECT_EQ(filesOfRule(""), Names());
  EXPECT_EQ(filesOfRule("no rule"), Names());
}

class KeptAnswer : public testing::Test {
protected:
  KeptAnswer() {
    std::string Name = (fs::temp_directory_path() / "answers-XXXXXX").string();
    Folder = ::mkdtemp(Name.data());
    put("nvcc", "program");
    put("a.cu", "text");
    put("b.h", "text");
    Input.Source = "#include \"a.cu\"\n";
    Input.Links = {{"i0", Folder}};
    Input.Arguments = {"-arch=sm_90"};
    AnswerCache(at("nvcc"), at("cache"))
        .keep(Input, "unit.o: unit.cu " + at("a.cu") + " i0/b.h\n", Table);
  }
  ~KeptAnswer() override { fs::remove_all(Folder); }

  std::string at(const std::string &Name) const { return Folder + "/" + Name; }
  void put(const std::string &Name, const std::string &Text) const {
    std::ofstream(at(Name)) << Text;
  }
  std::optional<ResourceTable> found() const {
    return AnswerCache(at("nvcc"), at("cache")).find(Input);
  }

  std::string Folder;
  NvccInput Input;
  ResourceTable Table{{"k", {32, 400, 8, 12}}, {"l", {8, 0, 0, 0}}};
};

TEST_F(KeptAnswer, IsFoundAgain) {
  EXPECT_EQ(found(), Table);
  EXPECT_EQ(fs::status(at("cache")).permissions(), fs::perms::owner_all);
}

TEST_F(KeptAnswer, CountsAsLongAsNothingChanges) {
  put("b.h", "other");
  EXPECT_FALSE(found());
  put("b.h", "text");
  EXPECT_EQ(found(), Table);
  fs::remove(at("a.cu"));
  EXPECT_FALSE(found());
}

TEST_F(KeptAnswer, IsForOneQuestion) {
  Input.Arguments = {"-arch=sm_80"};
  EXPECT_FALSE(found());
  Input.Arguments = {"-arch=sm_90"};
  Input.Source += "\n";
  EXPECT_FALSE(found());
}

TEST_F(KeptAnswer, IsOfOneCompiler) {
  put("nvcc", "newer program");
  EXPECT_FALSE(found());
}

TEST_F(KeptAnswer, ADamagedOneIsNone) {
  for (const std::string Text :
       {"", "{", "[]", "{\"schema\": \"warpwise-nvcc/1\", \"files\": {}}",
        "{\"schema\": \"warpwise-nvcc/1\", \"files\": {\"/\": \"\"}, "
        "\"kernels\": {}}"}) {
    for (const fs::directory_entry &Entry : fs::directory_iterator(at("cache")))
      std::ofstream(Entry.path()) << Text;
    EXPECT_FALSE(found()) << Text;
  }
}

TEST_F(KeptAnswer, WhereNothingCanBeKept) {
  AnswerCache Nowhere(at("nvcc"), at("b.h") + "/cache");
  Nowhere.keep(Input, "unit.o: " + at("a.cu") + "\n", Table);
  EXPECT_FALSE(Nowhere.find(Input));
  EXPECT_FALSE(AnswerCache(at("nvcc"), "").find(Input));
}

TEST(AnswerCacheTest, TheUsersFolder) {
  const std::string Home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(AnswerCache::userFolder(), "/some/cache/warpwise/nvcc");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", "/home/user", 1);
  EXPECT_EQ(AnswerCache::userFolder(), "/home/user/.cache/warpwise/nvcc");
  ::setenv("HOME", Home.c_str(), 1);
  ::unsetenv("XDG_CACHE_HOME");
}

} // namespace
