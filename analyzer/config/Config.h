//===- Config.h - .warpwise -------------------------------------*- C++ -*-===//
//
// What a project says about its own analysis, in clang-tidy's form:
//
//   Checks: '-cuda-memory-local-array'
//   Gpu: h100
//   FailOn: warning
//   HeaderFilter: 'src/.*'
//   Exclude: ['third_party/*']
//   InheritParentConfig: true
//   CheckOptions:
//     MinGain: 1.1
//     cuda-memory-bank-conflict.MinGain: 1.3
//     BlockDim: 'transpose*=32x8, reduce=256'
//     Arguments: 'n=4096'
//
// The file comes with the code, which may be a stranger's: nothing in it names
// a file to read or write, a program or a flag of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CONFIG_CONFIG_H
#define WARPWISE_ANALYZER_CONFIG_CONFIG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::config {

constexpr llvm::StringLiteral FileName = ".warpwise";

struct Config {
  std::optional<std::string> Checks, Gpu, FailOn, HeaderFilter;
  std::vector<std::string> Exclude;
  bool InheritParentConfig = false;
  /// By name: "MinGain", "cuda-memory-bank-conflict.MinGain".
  std::map<std::string, std::string> Options;

  /// The factor that a finding of \p Rule has to gain.
  std::optional<double> minGain(llvm::StringRef Rule) const;
  /// The parts of the option \p Name, which is a list with commas.
  std::vector<std::string> list(llvm::StringRef Name) const;
};

/// Reads the text of a file. The error is one sentence that names \p File and
/// the line, and for an unknown name the nearest that there is. \p Rules: all
/// names of rules.
llvm::Expected<Config> parse(llvm::StringRef Text, llvm::StringRef File,
                             llvm::ArrayRef<std::string_view> Rules);

/// As YAML that parse() reads.
std::string dump(const Config &C);

/// The files that speak for sources in \p Folder: the nearest one upwards, and
/// those above it while it inherits. Files are read once.
class Files {
public:
  explicit Files(std::vector<std::string_view> Rules)
      : Rules(std::move(Rules)) {}

  /// What counts in \p Folder, absolute; an empty one where there is no file.
  llvm::Expected<Config> of(llvm::StringRef Folder);

  /// Those that were read, in that order.
  const std::vector<std::string> &read() const { return Read; }

private:
  llvm::Expected<Config> find(llvm::StringRef Folder);

  std::vector<std::string_view> Rules;
  std::map<std::string, Config> Known; ///< by folder
  std::vector<std::string> Read;
};

} // namespace warpwise::config

#endif // WARPWISE_ANALYZER_CONFIG_CONFIG_H
