//===- Nvcc.cpp - Asking the compiler that will compile -------------------===//

#include "analyzer/nvcc/Nvcc.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace warpwise::nvcc {

std::string findNvcc(const std::string &CudaPath) {
  if (CudaPath == "none")
    return {};
  llvm::SmallString<256> Path(CudaPath);
  if (CudaPath.empty())
    Path = frontend::findToolkit().Path;
  if (Path.empty() || llvm::sys::fs::make_absolute(Path))
    return {};
  llvm::sys::path::append(Path, "bin", "nvcc");
  return llvm::sys::fs::can_execute(Path) ? Path.str().str() : "";
}

static Answer silence(const std::string &Why) {
  return {fmt::format("nvcc was asked in vain: {}", Why), {}};
}

Nvcc::Nvcc(std::string Program, unsigned Jobs, std::string CacheFolder,
           CompilationLimits Limits)
    : Program(std::move(Program)), Jobs(std::max(1u, Jobs)), Limits(Limits),
      Cache(this->Program, std::move(CacheFolder)) {}

std::optional<Answer> Nvcc::known(const frontend::DeviceCommand &Command) {
  if (Program.empty())
    return Answer{"no nvcc was found to ask", {}};
  llvm::Expected<NvccInput> Input = nvccInput(Command);
  if (!Input)
    return silence(llvm::toString(Input.takeError()));
  if (std::optional<ResourceTable> Kept = Cache.find(*Input))
    return Answer{"", std::move(*Kept)};
  return std::nullopt;
}

void Nvcc::ask(size_t Id, const frontend::DeviceCommand &Command) {
  if (std::optional<Answer> Now = known(Command)) {
    Answers[Id] = std::move(*Now);
    return;
  }
  Waiting.push_back({Id, llvm::cantFail(nvccInput(Command))});
  startMore();
}

void Nvcc::startMore() {
  while (!Waiting.empty() && Busy.size() < Jobs) {
    Question Next = std::move(Waiting.back());
    Waiting.pop_back();
    Compilation Run(Program, Next.Input, Limits);
    Busy.push_back({std::move(Next), std::move(Run)});
  }
}

void Nvcc::collect() {
  std::vector<Running> Still;
  for (Running &R : Busy) {
    if (!R.Run.hasEnded()) {
      Still.push_back(std::move(R));
      continue;
    }
    if (!R.Run.problem().empty()) {
      Answers[R.Asked.Id] = silence(R.Run.problem());
      continue;
    }
    Answer &Now = Answers[R.Asked.Id];
    Now.Kernels = parseResourceUsage(R.Run.output());
    Cache.keep(R.Asked.Input, R.Run.dependencies(), Now.Kernels);
  }
  Busy = std::move(Still);
}

std::map<size_t, Answer>
Nvcc::takeAnswers(llvm::function_ref<bool()> IsStopped) {
  for (startMore(); !Busy.empty(); startMore()) {
    collect();
    if (IsStopped()) {
      Waiting.clear();
      Busy.clear(); // which ends them
      break;
    }
    const timespec Pause = {0, 5'000'000};
    if (!Busy.empty())
      ::nanosleep(&Pause, nullptr);
  }
  return std::exchange(Answers, {});
}

} // namespace warpwise::nvcc
