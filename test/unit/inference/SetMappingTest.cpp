//===- SetMappingTest.cpp - Conflict groups that a GPU gave ---------------===//
//
// Lines of a 64 MiB array, aligned to its size, that were found to share a set
// of an H200's L1: a line and a minimal set that evicts it, each reduced from
// 4500 random lines.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/SetMapping.h"

#include <gtest/gtest.h>

#include <array>

using namespace warpwise::inference;

namespace {

constexpr unsigned LineBits = 19;

constexpr std::array<uint64_t, 5> Measured[] = {
    {217168, 166604, 3311, 324510, 438682},
    {207000, 362197, 462826, 470995, 122950},
    {98233, 373176, 263050, 244832, 472554},
    {467360, 375254, 168627, 309560, 53958},
    {98169, 506266, 291242, 94309, 62797},
    {110172, 198490, 497391, 120266, 243703},
    {145998, 421852, 196201, 52877, 72461},
    {65893, 289397, 330034, 245041, 164290},
    {285868, 318235, 19118, 55371, 92793},
    {322549, 433899, 306703, 505674, 146527},
    {308810, 374436, 328824, 147028, 233538},
    {173286, 22867, 427919, 319429, 422616},
    {412706, 441710, 130260, 456584, 86109},
    {403981, 465378, 25135, 216176, 193327},
    {425731, 7790, 419149, 158576, 134835},
    {438074, 502206, 36790, 8526, 160873},
    {101832, 277674, 350599, 59385, 122641},
    {506439, 122176, 73084, 470728, 383499},
    {499166, 355590, 49101, 445848, 424238},
    {179634, 77944, 260823, 275884, 201173},
    {26020, 324219, 26581, 136353, 418058},
    {463220, 37507, 489946, 200789, 182985},
    {357386, 251227, 413447, 163111, 311843},
    {289238, 415278, 132566, 456123, 285399},
    {145315, 503295, 299160, 62586, 314167},
    {357931, 40599, 30692, 116647, 76495},
    {512959, 292902, 77611, 145006, 149247},
    {137790, 305239, 398339, 375280, 84381},
    {132346, 362513, 394715, 285691, 59398},
    {317240, 430934, 199547, 440180, 271365},
    {162629, 95523, 495581, 472183, 316258},
    {428960, 177820, 478066, 516093, 100746},
    {271814, 522404, 181622, 422113, 214085},
    {239548, 196236, 397492, 43947, 444599},
    {56254, 391225, 106694, 516498, 434333},
    {383664, 261671, 374277, 81807, 21950},
    {210182, 408533, 47805, 409550, 294346},
    {131530, 49683, 216002, 19128, 110621},
    {327806, 421824, 398422, 274912, 281628},
    {264542, 81402, 472648, 507619, 411947},
};

ConflictGroups measuredGroups() {
  ConflictGroups All;
  for (const auto &Lines : Measured) {
    ConflictGroup G;
    G.Lines.assign(Lines.begin(), Lines.end());
    All.Groups.push_back(std::move(G));
  }
  return All;
}

TEST(SetMapping, ExplainsAnH200) {
  const auto Mapping = explainSets(measuredGroups(), LineBits);
  ASSERT_TRUE(Mapping);
  EXPECT_EQ(Mapping->Sets, 512u);
  EXPECT_EQ(Mapping->XorMasks.size(), 9u);
  for (const auto &Lines : Measured)
    for (uint64_t Line : Lines)
      EXPECT_EQ(Mapping->setOf(Line), Mapping->setOf(Lines.front()));
}

TEST(SetMapping, ForgivesLinesThatDoNotBelong) {
  const auto Without = explainSets(measuredGroups(), LineBits);
  ConflictGroups Groups = measuredGroups();
  for (size_t I = 0; I < Groups.Groups.size(); I += 9)
    Groups.Groups[I].Others.push_back(12345 + 777 * I);
  const auto With = explainSets(Groups, LineBits);
  ASSERT_TRUE(Without && With);
  EXPECT_EQ(*With, *Without);
}

TEST(SetMapping, ExplainsNothingByChance) {
  // As many groups, but of lines that have nothing in common.
  ConflictGroups Groups;
  std::mt19937_64 Random(7);
  for (unsigned I = 0; I != 40; ++I) {
    ConflictGroup G;
    for (unsigned J = 0; J != 5; ++J)
      G.Lines.push_back(Random() % (1u << LineBits));
    Groups.Groups.push_back(std::move(G));
  }
  EXPECT_FALSE(explainSets(Groups, LineBits));
}

} // namespace
