//===- WorkFolderTest.cpp - A job's folder --------------------------------===//

#include "analyzer/cluster/WorkFolder.h"

#include "profiler/io/ReadFile.h"
#include "profiler/io/WriteFile.h"
#include "test/unit/io/TemporaryFolder.h"

#include "gtest/gtest.h"

using namespace warpwise;
using namespace warpwise::cluster;

using Kind = TaskResult::Kind;
using Lines = std::vector<std::string>;

namespace {

class WorkFolderTest : public io::test::InFolder {
protected:
  WorkFolder Job = llvm::cantFail(WorkFolder::at(at("job")));

  std::string begin(const TaskLists &Tasks) {
    return llvm::toString(Job.begin(
        {"/somewhere", {"cluster-check", "a\nb", ""}}, Tasks, "/bin/true"));
  }
};

TEST_F(WorkFolderTest, WhatIsWrittenIsRead) {
  EXPECT_FALSE(Job.hasJob());
  EXPECT_EQ(begin({{1, {"/a b.cu", "$(c).cu"}}, {2, {"/d.cu"}}}), "");
  EXPECT_TRUE(Job.hasJob());
  const Command Asked = llvm::cantFail(Job.command());
  EXPECT_EQ(Asked.Folder, "/somewhere");
  EXPECT_EQ(Asked.Arguments, (Lines{"cluster-check", "a\nb", ""}));
  const TaskLists Tasks = llvm::cantFail(Job.tasks());
  ASSERT_EQ(Tasks.size(), 2u);
  EXPECT_EQ(Tasks.at(1), (Lines{"/a b.cu", "$(c).cu"}));
  EXPECT_EQ(Tasks.at(2), Lines{"/d.cu"});
}

TEST_F(WorkFolderTest, TheScriptHasNoNames) {
  EXPECT_EQ(begin({{1, {"/a; touch x.cu"}}}), "");
  const auto Script = io::readFile(Job.pathOf("job.sh"));
  ASSERT_TRUE(Script);
  EXPECT_EQ(Script->find("touch"), std::string::npos);
  EXPECT_EQ(Script->find(Job.path()), std::string::npos);
}

TEST_F(WorkFolderTest, ALineBreakInANameIsRefused) {
  EXPECT_NE(begin({{1, {"a\nb.cu"}}}).find("line break"), std::string::npos);
  EXPECT_FALSE(Job.hasJob());
}

TEST_F(WorkFolderTest, HalfAResultIsNone) {
  EXPECT_EQ(begin({{1, {"a"}}, {2, {"b"}}, {3, {"c"}}}), "");
  llvm::cantFail(Job.writeResult(1, {Kind::Done, ""}));
  llvm::cantFail(Job.writeResult(2, {Kind::Failed, "why \xff"}));
  EXPECT_EQ(Job.result(1).How, Kind::Done);
  EXPECT_EQ(Job.result(2).How, Kind::Failed);
  EXPECT_EQ(Job.result(2).Why.substr(0, 4), "why ");
  EXPECT_EQ(Job.result(3).How, Kind::Missing);
  for (const char *Text : {"", "{\"done\": tr", "[]", "{\"done\": 1}"}) {
    EXPECT_EQ(io::writeFile(Job.pathOf("results/3"), Text), "");
    EXPECT_EQ(Job.result(3).How, Kind::Missing) << Text;
  }
  EXPECT_EQ(openTasks(Job, llvm::cantFail(Job.tasks())),
            (std::vector<unsigned>{2, 3}));
}

TEST_F(WorkFolderTest, ANewJobForgetsTheOldOne) {
  EXPECT_EQ(begin({{1, {"a"}}, {2, {"b"}}}), "");
  llvm::cantFail(Job.writeResult(1, {Kind::Done, ""}));
  llvm::cantFail(Job.addSubmitted({"12"}));
  EXPECT_EQ(Job.submitted().size(), 1u);
  EXPECT_EQ(begin({{1, {"c"}}}), "");
  EXPECT_EQ(llvm::cantFail(Job.tasks()).size(), 1u);
  EXPECT_EQ(Job.result(1).How, Kind::Missing);
  EXPECT_TRUE(Job.submitted().empty());
}

TEST_F(WorkFolderTest, JobsOfTheQueue) {
  EXPECT_EQ(begin({{1, {"a"}}}), "");
  llvm::cantFail(Job.addSubmitted({"12"}));
  llvm::cantFail(Job.addSubmitted({"13", 7}));
  const auto Jobs = Job.submitted();
  ASSERT_EQ(Jobs.size(), 2u);
  EXPECT_EQ(Jobs[0].Id, "12");
  EXPECT_EQ(Jobs[0].Task, 0u);
  EXPECT_EQ(Jobs[1].Task, 7u);
}

TEST_F(WorkFolderTest, TheLastLineOfALog) {
  EXPECT_EQ(begin({{1, {"a"}}}), "");
  EXPECT_EQ(Job.lastWords(1), "");
  EXPECT_EQ(io::writeFile(Job.logOf(1), "one"), "");
  EXPECT_EQ(Job.lastWords(1), "one");
  EXPECT_EQ(io::writeFile(Job.logOf(1), "one\ntwo\n"), "");
  EXPECT_EQ(Job.lastWords(1), "two");
}

TEST_F(WorkFolderTest, SomebodysFilesAreNotReplaced) {
  EXPECT_EQ(llvm::toString(Job.checkOurs()), "");
  EXPECT_EQ(begin({{1, {"a"}}}), "");
  EXPECT_EQ(llvm::toString(Job.checkOurs()), "");
  const auto Other = llvm::cantFail(WorkFolder::at(at("")));
  EXPECT_NE(llvm::toString(Other.checkOurs()), "");
}

TEST(DealOut, NeighboursDoNotMeet) {
  const TaskLists Tasks = dealOut({"a", "b", "c", "d", "e"}, 2);
  ASSERT_EQ(Tasks.size(), 2u);
  EXPECT_EQ(Tasks.at(1), (Lines{"a", "c", "e"}));
  EXPECT_EQ(Tasks.at(2), (Lines{"b", "d"}));
  EXPECT_EQ(dealOut({"a"}, 9).size(), 1u);
  EXPECT_TRUE(dealOut({}, 3).empty());
}

} // namespace
