//===- WhatIf.cpp - check --what-if ---------------------------------------===//

#include "analyzer/tool/WhatIf.h"

#include "analyzer/output/findings/Summary.h"
#include "analyzer/tool/ProfileChoice.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::tool {

using advice::KernelSummary;

llvm::Expected<std::vector<Supposition>>
suppose(const Session &S, const std::vector<std::string> &Texts) {
  std::vector<Supposition> All;
  for (const std::string &Text : Texts) {
    Supposition One{Text, S};
    llvm::StringRef Value = Text;
    if (Value.consume_front("block=")) {
      auto Block = parseBlock(Value);
      if (!Block)
        return Block.takeError();
      One.Changed.Options.Blocks.push_back(std::move(*Block));
    } else if (Value.consume_front("gpu=")) {
      auto Device = namedProfile(Value, "");
      if (!Device)
        return Device.takeError();
      if (*Device)
        One.Changed.Device = std::move(**Device);
    } else {
      return llvm::createStringError(fmt::format(
          "'--what-if={}': expected block=32x8, block=KERNEL=32x8 or gpu=NAME",
          Text));
    }
    All.push_back(std::move(One));
  }
  return All;
}

static const KernelSummary *find(const std::vector<KernelSummary> &In,
                                 const KernelSummary &Like) {
  const auto At = llvm::find_if(In, [&](const KernelSummary &K) {
    return K.Mangled == Like.Mangled && K.Where == Like.Where;
  });
  return At == In.end() ? nullptr : &*At;
}

static std::string cell(const KernelSummary *K, const KernelSummary &Base) {
  if (!K || K->BoundBy.empty() || !K->IsWhole)
    return "-";
  const std::string Time = fmt::format("{:.3g} us", K->Nanoseconds / 1e3);
  if (K == &Base || !Base.IsWhole)
    return Time;
  return fmt::format("{} ({:.2f}x)", Time, Base.Nanoseconds / K->Nanoseconds);
}

std::vector<std::string> compare(const std::vector<Column> &Columns) {
  std::vector<std::vector<std::string>> Rows(1, {"kernel"});
  for (const Column &C : Columns)
    Rows.front().push_back(C.Title);
  for (const KernelSummary &K : Columns.front().Kernels) {
    std::vector<std::string> &Row =
        Rows.emplace_back(1, output::kernelName(K.Name));
    for (const Column &C : Columns)
      Row.push_back(cell(&C == &Columns.front() ? &K : find(C.Kernels, K), K));
  }
  std::vector<size_t> Widths(Columns.size() + 1);
  for (const auto &Row : Rows)
    for (size_t N = 0; N != Row.size(); ++N)
      Widths[N] = std::max(Widths[N], Row[N].size());
  std::vector<std::string> Lines;
  for (const auto &Row : Rows) {
    std::string &Line =
        Lines.emplace_back(fmt::format("{:<{}}", Row[0], Widths[0]));
    for (size_t N = 1; N != Row.size(); ++N)
      Line += fmt::format("  {:>{}}", Row[N], Widths[N]);
  }
  return Lines;
}

} // namespace warpwise::tool
