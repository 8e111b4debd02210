//===- QueueTest.cpp - What Slurm prints ----------------------------------===//

#include "analyzer/cluster/Queue.h"

#include "gtest/gtest.h"

using namespace warpwise::cluster;

TEST(Ranges, NeighboursAreJoined) {
  EXPECT_EQ(rangesOf({}), "");
  EXPECT_EQ(rangesOf({4}), "4");
  EXPECT_EQ(rangesOf({1, 2, 3}), "1-3");
  EXPECT_EQ(rangesOf({1, 2, 5, 7, 8}), "1-2,5,7-8");
}

TEST(Squeue, ArraysAndSingleJobs) {
  const auto All = parseQueue("12_3|PENDING|Resources\n"
                              "15|RUNNING|None\n"
                              "12_[5-9]|PENDING|Priority\n"
                              "nonsense\n");
  ASSERT_EQ(All.size(), 2u); // the third is not one task, which --array forbids
  EXPECT_EQ(All[0].Job, "12");
  EXPECT_EQ(All[0].Index, 3u);
  EXPECT_EQ(All[0].State, "PENDING");
  EXPECT_EQ(All[0].Reason, "Resources");
  EXPECT_EQ(All[1].Job, "15");
  EXPECT_EQ(All[1].Index, 0u);
}

TEST(Sinfo, GpusOfNodes) {
  const auto All = parseNodes("n2|idle|gpu:2\n"
                              "n1|mix|gpu:h100:4(S:0-1,3),mps:100\n"
                              "n1|mix|gpu:h100:4(S:0-1,3),mps:100\n"
                              "n3|down*|gpu:a100:1,gpu:v100:2\n"
                              "n4|idle|(null)\n"
                              "n5|idle|gpu\n");
  ASSERT_EQ(All.size(), 5u);
  EXPECT_EQ(All[0].Name, "n1");
  EXPECT_EQ(All[0].Gpus, 4u);
  EXPECT_TRUE(All[0].isUp());
  EXPECT_EQ(All[1].Gpus, 2u);
  EXPECT_EQ(All[2].Gpus, 3u);
  EXPECT_FALSE(All[2].isUp());
  EXPECT_EQ(All[3].Gpus, 0u);
  EXPECT_EQ(All[4].Gpus, 1u);
}

TEST(Sbatch, NamesAreArgumentsOfTheirOwn) {
  const auto Folder = llvm::cantFail(WorkFolder::at("/tmp/a b;c"));
  EXPECT_EQ(batchArguments(Folder, std::vector<unsigned>{1, 2, 4}, {"-n1"}),
            (std::vector<std::string>{"--parsable", "--chdir=/tmp/a b;c",
                                      "--array=1-2,4", "--output=logs/%a",
                                      "-n1", "/tmp/a b;c/job.sh"}));
  EXPECT_EQ(
      batchArguments(Folder, 3u, {}),
      (std::vector<std::string>{"--parsable", "--chdir=/tmp/a b;c",
                                "--output=logs/3", "/tmp/a b;c/job.sh", "3"}));
}
