//===- Literals.cpp - Kernels and devices as literals ---------------------===//

#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <algorithm>

namespace warpwise::test {

using access::Access;
using access::Cost;
using access::Kernel;
using access::Proof;

access::LanePattern strided(int64_t Stride, unsigned Lanes) {
  access::LanePattern P;
  P.ActiveMask = uint32_t((uint64_t(1) << Lanes) - 1);
  P.Stride = Stride;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    P.Offsets[Lane] = Lane * Stride;
  return P;
}

launch::Shape launched(launch::Dim3 Block, Place At) {
  return {Block, {}, 0, launch::ShapeSource::Launch, std::move(At), "", false};
}

launch::Shape assumed(launch::Dim3 Block) {
  return {Block, {}, 0, launch::ShapeSource::Assumed, {}, "", false};
}

static Cost exactRequest(int64_t Stride) {
  Cost C;
  C.State = Proof::Exact;
  C.ActiveLanes = 32;
  C.Requests = 8;
  C.Worst = strided(Stride);
  return C;
}

Cost sharedCost(double Wavefronts, int64_t Stride) {
  Cost C = exactRequest(Stride);
  C.Wavefronts = Wavefronts;
  C.IdealWavefronts = 1;
  return C;
}

Cost globalCost(double Sectors, double Ideal, int64_t Stride) {
  Cost C = exactRequest(Stride);
  C.Sectors = Sectors;
  C.IdealSectors = Ideal;
  return C;
}

Cost under(unsigned Launch, Cost C) {
  C.Launch = Launch;
  return C;
}

Cost bounded(Cost C, double Low, double High) {
  C.State = Proof::Bounded;
  C.Reason = "the pitch is not known";
  C.Low = Low;
  C.High = High;
  return C;
}

Access accessTo(access::Space Memory, unsigned Bytes,
                std::vector<Cost> PerLaunch) {
  Access A;
  A.Where = {"k.cu", 41, 18};
  A.Memory = Memory;
  A.Bytes = Bytes;
  A.Object = "tile";
  A.Of = {"float", 4, access::Element::Kind::Float};
  A.PerLaunch = std::move(PerLaunch);
  return A;
}

Kernel kernelWith(std::vector<Access> Accesses,
                  std::vector<launch::Shape> Launches) {
  Kernel K;
  K.Name = K.Template = "kernel(float*)";
  K.Where = {"k.cu", 12, 1};
  K.Launches = std::move(Launches);
  K.Accesses = std::move(Accesses);
  return K;
}

void setValue(profile::Profile &Device, const std::string &Path, double Value) {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = "clk";
  Q.State = profile::Status::Measured;
  Q.Method = "by the test";
  Device.Quantities[Path] = Q;
}

profile::Profile device() {
  profile::Profile P;
  P.Name = "test-gpu";
  P.Gpu = "Test GPU";
  setValue(P, paths::warp_shared_cycles_per_wavefront, 2);
  setValue(P, paths::warp_global_cycles_per_sector, 1);
  setValue(P, paths::warp_constant_cycles_per_word, 3);
  setValue(P, paths::warp_local_cycles_per_access, 30);
  setValue(P, paths::bandwidth_char, 100);
  setValue(P, paths::bandwidth_short, 200);
  setValue(P, paths::bandwidth_char4, 300);
  setValue(P, paths::bandwidth_half2, 300);
  return P;
}

void refute(profile::Profile &Device, const std::string &Guideline) {
  Device.Guidelines[Guideline].Says = profile::Guideline::Verdict::DoesNotHold;
  Device.Guidelines[Guideline].Evidence = "ratio 1.01";
}

std::vector<advice::Finding> run(std::string_view Rule, const Kernel &Kernel,
                                 const profile::Profile &Device) {
  access::Model Model;
  Model.Kernels = {Kernel};
  return rules::judgeModel(Model, Device,
                           advice::CheckGlobs("-*," + std::string(Rule)))
      .Findings;
}

bool hasNote(const advice::Finding &F, std::string_view Part) {
  return F.Remedy.find(Part) != std::string::npos ||
         std::any_of(F.Notes.begin(), F.Notes.end(), [Part](const auto &N) {
           return N.Message.find(Part) != std::string::npos;
         });
}

} // namespace warpwise::test
