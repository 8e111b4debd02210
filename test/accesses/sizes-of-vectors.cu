// Sizes of vectors are known from the host code, as it is written with the standard
// library: each launch has a block for each element.
//
// RUN: %warpwise accesses --cuda-path=none --gpu=nvidia-h200 %s -- -std=c++14 > %t.14
// RUN: %python %S/Inputs/print_grids.py %t.14 | FileCheck %s
// RUN: %warpwise accesses --cuda-path=none --gpu=nvidia-h200 %s -- -std=c++17 > %t.17
// RUN: %python %S/Inputs/print_grids.py %t.17 | FileCheck %s
// RUN: %warpwise accesses --cuda-path=none --gpu=nvidia-h200 %s -- -std=c++20 > %t.20
// RUN: %python %S/Inputs/print_grids.py %t.20 | FileCheck %s

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

template <int> __global__ void mark(float *Out, int N) {
  if (threadIdx.x < N)
    Out[blockIdx.x * 256 + threadIdx.x] = 1;
}

int unknown();
void fill(std::vector<float> &);

template <int Part> void launch(const std::vector<float> &Host) {
  float *Device;
  cudaMalloc(&Device, Host.size() * sizeof(float));
  cudaMemcpy(Device, Host.data(), sizeof(float) * Host.size(),
             cudaMemcpyHostToDevice);
  mark<Part><<<Host.size(), 256>>>(Device, int(Host.size()));
}

std::vector<float> make(int N) {
  std::vector<float> Made;
  Made.reserve(N);
  for (int I = 0; I < N; ++I)
    Made.push_back(I * 0.5f);
  return Made;
}

struct Problem {
  std::vector<float> In, Out;
  explicit Problem(int N) : In(N), Out(2 * N) {}
};

int main() {
  // CHECK: mark<1>: 1001, 1002, 1003, 1004
  launch<1>(std::vector<float>(1001));
  launch<1>(std::vector<float>(1002, 1.5f));
  launch<1>(make(1003));
  std::vector<float> Named = make(1004);
  launch<1>(Named);

  // CHECK: mark<2>: 1004, unknown, 500, 504
  std::vector<float> Moved = std::move(Named);
  launch<2>(Moved);
  launch<2>(Named);
  launch<2>(std::vector<float>(Moved.begin(), Moved.begin() + 500));
  launch<2>({Moved.cbegin() + 500, Moved.cend()});
  std::iota(Moved.begin(), Moved.end(), 0.0f);
  std::sort(Moved.begin(), Moved.end());
  launch<2>(Moved);

  // CHECK: mark<3>: 3000, 1004, 2008, 17
  std::vector<float> Other(3000);
  std::swap(Moved, Other);
  launch<3>(Moved);
  launch<3>(Other);
  Problem Whole(1004);
  launch<3>(Whole.Out);
  auto *Allocated = new std::vector<float>(17);
  launch<3>(*Allocated);

  // CHECK: mark<4>: 1024, 2048, 77, 4, 31, 33, 5
  float *Device;
  cudaMalloc(&Device, 1 << 20);
  for (int N : std::vector<int>{1024, 2048})
    mark<4><<<N, 256>>>(Device, 1);
  const std::array<float, 77> Fixed = {};
  mark<4><<<Fixed.size(), 256>>>(Device, 1);
  std::vector<std::string> Names = {"a", "b", "c"};
  Names.emplace_back(2, 'd');
  mark<4><<<Names.size(), 256>>>(Device, 1);
  std::vector<std::vector<int>> Rows(3);
  for (auto &Row : Rows)
    Row.resize(31);
  mark<4><<<Rows[1].size(), 256>>>(Device, 1);
  Rows[2].insert(Rows[2].end(), {1, 2});
  Rows[0].push_back(1);
  Rows[0].push_back(1);
  mark<4><<<Rows[0].size(), 256>>>(Device, 1);
  mark<4><<<Rows[1].end() - Rows[1].begin() - 26, 256>>>(Device, 1);

  // CHECK: mark<5>: unknown, unknown
  mark<5><<<1 + Rows[2].size(), 256>>>(Device, 1);
  std::vector<float> Read;
  fill(Read);
  launch<5>(Read);
  std::vector<float> Counted;
  for (int I = 0; I < unknown(); ++I)
    Counted.push_back(I);
  launch<5>(Counted);
}
