//===- SimulatedProbe.cpp - Timed accesses of a made-up memory ------------===//

#include "profiler/inference/simulate/SimulatedProbe.h"

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::inference;

SimulatedProbe::SimulatedProbe(SimulatedMemory M, ProbeNoise N, uint64_t Seed)
    : Memory(std::move(M)), Noise(N), Random(Seed) {
  for (const SimulatedMemory::Level &Level : Memory.Caches)
    Caches.emplace_back(Level.Shape, Random());
  for (const SimulatedMemory::Tlb &Tlb : Memory.Tlbs)
    Tlbs.emplace_back(Tlb.Shape, Random());
}

static SimulatedMemory oneCache(CacheShape Shape, uint64_t Bytes) {
  SimulatedMemory M;
  M.Bytes = Bytes;
  M.Caches.push_back({std::move(Shape), 84});
  return M;
}

SimulatedProbe::SimulatedProbe(CacheShape Shape, ProbeNoise Noise,
                               uint64_t Bytes, uint64_t Seed)
    : SimulatedProbe(oneCache(std::move(Shape), Bytes), Noise, Seed) {}

bool SimulatedProbe::DataStore::load(uint64_t Line, unsigned Room,
                                     std::mt19937_64 &Random) {
  if (Places.contains(Line))
    return true;
  size_t Place = Lines.size();
  if (Place < Room) {
    Lines.push_back(Line);
  } else {
    Place = Random() % Room;
    Places.erase(Lines[Place]);
    Lines[Place] = Line;
  }
  Places[Line] = Place;
  return false;
}

void SimulatedProbe::DataStore::clear() {
  Lines.clear();
  Places.clear();
}

double SimulatedProbe::latency(uint64_t Address) {
  double Cycles = 0;
  for (size_t I = 0; I != Tlbs.size(); ++I) {
    if (Tlbs[I].load(Address) == Cache::Outcome::Hit)
      break;
    Cycles += Memory.Tlbs[I].Penalty;
  }
  for (size_t I = 0; I != Caches.size(); ++I) {
    bool Hit = Caches[I].load(Address) == Cache::Outcome::Hit;
    if (I == 0 && Memory.DataLines)
      Hit &= Data.load(Address / Caches[0].shape().LineBytes, Memory.DataLines,
                       Random);
    if (Hit)
      return Cycles + Memory.Caches[I].Latency;
  }
  if (Memory.Spread > 0) {
    // A fixed fraction of it for each line, from a multiplicative hash.
    const uint64_t Hash = (Address / 128 + 1) * 0x9E3779B97F4A7C15;
    Cycles += std::floor(Memory.Spread * double(Hash >> 40) / double(1 << 24));
  }
  return Cycles + Memory.Latency;
}

std::vector<float> SimulatedProbe::time(std::span<const uint64_t> Offsets) {
  ++Calls;
  Accesses += Offsets.size();
  Longest = std::max(Longest, Offsets.size());
  if (!Caches.empty())
    Caches.front().clear();
  for (Cache &Tlb : Tlbs)
    Tlb.clear();
  Data.clear();
  const bool AnyNoise = Noise.Jitter > 0 || Noise.OutlierShare > 0;
  std::vector<float> Took;
  Took.reserve(Offsets.size());
  for (uint64_t Offset : Offsets) {
    double Cycles = latency(Memory.Address ? Memory.Address(Offset) : Offset);
    if (AnyNoise) {
      // Three fractions from one number, for speed.
      const uint64_t Bits = Random();
      const auto Fraction = [Bits](unsigned From) {
        return double(Bits >> From & 0xFFFFF) / double(1 << 20);
      };
      Cycles += std::round((2 * Fraction(0) - 1) * Noise.Jitter);
      if (Fraction(20) < Noise.OutlierShare)
        Cycles += std::round(
            std::lerp(Noise.OutlierLow, Noise.OutlierHigh, Fraction(40)));
    }
    Took.push_back(float(Cycles));
  }
  return Took;
}
