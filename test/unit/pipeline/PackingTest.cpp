//===- PackingTest.cpp - The model as bytes -------------------------------===//

#include "analyzer/pipeline/Packing.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpwise::pipeline {
namespace {

using namespace access;

Kernel makeKernel() {
  Kernel K;
  K.Name = "void scale<float>(float*)";
  K.Mangled = "_Z5scale";
  K.Where = {"/a.cu", 10, 0};
  launch::Shape Shape;
  Shape.Block = {32, 8, 1};
  Shape.Grid = launch::Dim3{64, 1, 1};
  Shape.At = {"/a.cu", 30, 0};
  K.Launches = {Shape};
  Work W;
  W.ChainSteps = 0.1;
  W.Issued[2] = 1e300;
  K.Works = {W};
  Access A;
  A.Where = {"/a.cu", 12, 5};
  A.InlinedAt = {{{"/a.cu", 13, 7}, "scale"}};
  A.Trips = std::numeric_limits<uint64_t>::max();
  A.Group = 0;
  Cost C;
  C.Low = -0.0;
  C.Possible = {1.5, std::numeric_limits<double>::infinity()};
  LanePattern P;
  P.Offsets[31] = std::numeric_limits<int64_t>::min();
  P.Stride = -4;
  C.Worst = P;
  C.Reach.emplace().FreshBeside[1] = 0.25;
  A.PerLaunch = {C};
  K.Accesses = {A};
  DeclaredArray Array;
  Array.Name = "Tile";
  Array.Where = {"/a.cu", 11, 0};
  K.Arrays = {Array};
  K.NotModelled = {{{"/b.h", 3, 1}, "a texture fetch"}};
  return K;
}

std::string pack(PlaceTable &Table, const Kernel &K) {
  Packer Out(Table, /*AddsPlaces=*/true);
  Out(K);
  return Out.Bytes;
}

TEST(Packing, GivesBackWhatWasWritten) {
  PlaceTable Table;
  const std::string Bytes = pack(Table, makeKernel());
  Kernel K;
  Unpacker In(Bytes, Table.all());
  In(K);
  EXPECT_TRUE(In.isDone());
  // The bytes hold all of it.
  EXPECT_EQ(pack(Table, K), Bytes);
  EXPECT_EQ(K.Accesses[0].InlinedAt[0].Where, (Place{"/a.cu", 13, 7}));
  EXPECT_EQ(K.Accesses[0].PerLaunch[0].Worst->Offsets[31],
            std::numeric_limits<int64_t>::min());
}

TEST(Packing, TakesPlacesFromTheTable) {
  PlaceTable Table;
  const std::string Bytes = pack(Table, makeKernel());
  std::vector<Place> Moved = Table.all();
  for (Place &Where : Moved)
    Where.Line += 100;
  Kernel K;
  Unpacker In(Bytes, Moved);
  In(K);
  EXPECT_TRUE(In.isDone());
  EXPECT_EQ(K.Where.Line, 110u);
  EXPECT_EQ(K.Accesses[0].Where.Line, 112u);
  EXPECT_EQ(K.Arrays[0].Where.Line, 111u);
}

TEST(Packing, SaysWhichPlaceIsMissing) {
  PlaceTable Table;
  Packer Out(Table, /*AddsPlaces=*/false);
  Out(makeKernel());
  EXPECT_TRUE(Out.LacksPlace);
}

TEST(Packing, RefusesOtherBytes) {
  PlaceTable Table;
  const std::string Bytes = pack(Table, makeKernel());
  for (size_t Length = 0; Length != Bytes.size(); ++Length) {
    Kernel K;
    Unpacker In(llvm::StringRef(Bytes).take_front(Length), Table.all());
    In(K);
    EXPECT_FALSE(In.isDone());
  }
  for (size_t At = 0; At != Bytes.size(); ++At) {
    std::string Broken = Bytes;
    Broken[At] = char(Broken[At] ^ 0xff);
    Kernel K;
    Unpacker In(Broken, Table.all());
    In(K); // whatever it makes of it
  }
}

} // namespace
} // namespace warpwise::pipeline
