//===- MeasuredMergingTest.cpp - Shared reads against an H200 -------------===//
//
// Each line of test/gpu/request-merging/nvidia-h200.csv is a sequence of
// requests for sectors of one line, from SMs that ask in turn, with the reads
// that Nsight Compute counted for it; see the README there.
//
//===----------------------------------------------------------------------===//

#include "analyzer/reuse/RequestMerger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace warpwise::reuse;

namespace {

struct Row {
  std::string Line, Start, Asked;
  unsigned Gpc = 0, Distance = 0;
  double Reads = 0;

  bool inL2() const { return Line == "L2"; }
};

std::vector<Row> readRows() {
  std::ifstream File(MERGING_CSV);
  std::vector<Row> Rows;
  std::string Text;
  std::getline(File, Text); // names
  while (std::getline(File, Text)) {
    std::istringstream Fields(Text);
    const auto Next = [&] {
      std::string Field;
      std::getline(Fields, Field, ',');
      return Field;
    };
    Row R;
    R.Line = Next();
    R.Gpc = unsigned(std::stoul(Next()));
    R.Start = Next();
    R.Distance = unsigned(std::stoul(Next()));
    R.Asked = Next();
    R.Reads = std::stod(Next());
    Rows.push_back(R);
  }
  return Rows;
}

/// What a word of a sequence asks for.
struct Ask {
  bool OtherGpc = false, Loads = true;
  std::vector<uint32_t> Requests; ///< the sectors of each
};

Ask parse(const std::string &Word) {
  Ask A;
  uint32_t Sectors = 0;
  bool Pieces = false;
  for (char C : Word)
    if (C == 'b')
      A.OtherGpc = true;
    else if (C == 's' || C == 'a')
      A.Loads = false;
    else if (C == 'm')
      Pieces = true;
    else if (C >= '0' && C <= '3')
      Sectors |= 1u << (C - '0');
  // A copy of a line that lies across two rows of the banks asks twice.
  A.Requests = Pieces ? std::vector<uint32_t>{7, 8} : std::vector{Sectors};
  return A;
}

/// How long a read can be joined: one of a line that L2 has, and the first one
/// of a line that DRAM has.
struct Windows {
  Cycle Hit, Miss;
};

unsigned readsOf(const Row &R, Windows W) {
  CacheOptions O;
  const Cycle OnTheWay = O.L2.LatencyCycles - O.MergeCycles;
  RequestMerger Merger(O, {0, 1});
  std::istringstream Words(R.Asked);
  std::string Word;
  Cycle When = 1000;
  // The line comes from DRAM once, or from the first one who writes it.
  Cycle InL2 = R.inL2() ? When : 0;
  unsigned Reads = 0;
  for (; Words >> Word; When += R.Distance) {
    const Ask A = parse(Word);
    for (uint32_t Sectors : A.Requests) {
      const L2Request Request{64, When, Sectors, 0,
                              0,  0,    0,       LineAccess::Kind::Load};
      RequestMerger::Read &Known =
          Merger.readOf(A.OtherGpc, Request.FirstSector);
      if (InL2 == 0)
        InL2 = A.Loads ? When + W.Miss : When;
      if (!A.Loads) {
        Merger.stored(Known, Request.FirstSector);
        continue;
      }
      const RequestMerger::Answer Goes = Merger.join(Known, Request);
      Reads += !Goes.Joins;
      if (!Goes.Joins && Goes.MayBeJoined)
        Merger.sent(Known, Request, OnTheWay + std::max(InL2, When + W.Hit), 0);
    }
  }
  return Reads;
}

/// An SM of another GPC that asks for other sectors, or stores, ends a read
/// too. The model keeps GPCs apart.
bool endsForAnotherGpc(const Row &R) {
  static const std::set<std::string> Known = {
      "0 b1 0",  "0 b1 0 0", "0 b1 b1",      "b1 0 0",   "0 bs0 0",
      "0 bs1 0", "0 ba0 0",  "0123 b0 0123", "0 b0123 0"};
  return !R.inL2() && Known.count(R.Asked);
}

TEST(MeasuredMerging, FollowsTheRule) {
  const std::vector<Row> Rows = readRows();
  ASSERT_EQ(Rows.size(), 1084u);
  // How long a read can be joined differs by line, and SMs ask up to 25 cycles
  // late: what was counted lies between what the shortest and the longest
  // windows lead to.
  for (const Row &R : Rows) {
    double Least = 100, Most = 0;
    for (Cycle Hit : {28, 45, 60, 75, 99})
      for (Cycle Miss : {290, 350, 450, 550, 900}) {
        const double Reads = readsOf(R, {Hit, Miss});
        Least = std::min(Least, Reads);
        Most = std::max(Most, Reads);
      }
    const bool Follows = R.Reads > Least - 0.25 && R.Reads < Most + 0.25;
    EXPECT_EQ(Follows, !endsForAnotherGpc(R))
        << R.Line << " " << R.Distance << ": " << R.Asked << ", " << R.Reads
        << " reads, " << Least << " to " << Most << " expected";
  }
}

TEST(MeasuredMerging, OneWindowIsNearlyRightForAll) {
  unsigned Rows = 0, Wrong = 0;
  double Counted = 0, Expected = 0;
  const CacheOptions O;
  for (const Row &R : readRows()) {
    if (endsForAnotherGpc(R))
      continue;
    const Cycle OnTheWay = O.L2.LatencyCycles - O.MergeCycles;
    const double Reads = readsOf(R, {O.MergeCycles, O.DramCycles - OnTheWay});
    ++Rows;
    Wrong += std::abs(Reads - R.Reads) > 0.25;
    Counted += R.Reads;
    Expected += Reads;
  }
  EXPECT_EQ(Rows, 1066u);
  EXPECT_LE(Wrong, 60u);
  EXPECT_NEAR(Expected / Counted, 1, 0.01);
}

} // namespace
