# Which targets share precompiled headers, by what their files read. Included
# where all targets are known.

set(plain <algorithm> <array> <bit> <cassert> <cmath> <cstdint> <functional> <limits>
          <map> <memory> <numeric> <optional> <set> <span> <string> <string_view>
          <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
set(llvm
    ${plain}
    <llvm/ADT/DenseMap.h>
    <llvm/ADT/SmallPtrSet.h>
    <llvm/ADT/SmallVector.h>
    <llvm/ADT/STLExtras.h>
    <llvm/ADT/StringExtras.h>
    <llvm/ADT/StringRef.h>
    <llvm/Support/Error.h>
    <llvm/Support/FileSystem.h>
    <llvm/Support/JSON.h>
    <llvm/Support/Path.h>
    <llvm/Support/SourceMgr.h>
    <llvm/Support/raw_ostream.h>)
set(ir
    ${llvm}
    <llvm/Analysis/LoopInfo.h>
    <llvm/Analysis/ScalarEvolution.h>
    <llvm/Analysis/ValueTracking.h>
    <llvm/ExecutionEngine/Orc/ThreadSafeModule.h>
    <llvm/IR/DebugInfoMetadata.h>
    <llvm/IR/Dominators.h>
    <llvm/IR/IRBuilder.h>
    <llvm/IR/InlineAsm.h>
    <llvm/IR/InstIterator.h>
    <llvm/IR/IntrinsicInst.h>
    <llvm/IR/Module.h>
    <llvm/IR/PassManager.h>)
set(clang
    ${llvm}
    <clang/AST/ASTContext.h>
    <clang/AST/Attr.h>
    <clang/AST/ExprCXX.h>
    <clang/Basic/SourceManager.h>
    <clang/Frontend/CompilerInstance.h>)
# Of our own headers those that nearly every file above them reads, so that a
# change of one compiles these files again in any case.
set(profile "${PROJECT_SOURCE_DIR}/profiler/profile/Profile.h")
set(model "${PROJECT_SOURCE_DIR}/analyzer/model/AccessModel.h")
set(finding "${PROJECT_SOURCE_DIR}/analyzer/advice/Finding.h")

warpwise_precompile(
  plain
  LINKS fmt::fmt
  HEADERS ${plain} "${profile}"
  TARGETS warpwise_charts warpwise_inference warpwise_profile
          warpwise_profile_documents warpwise_reuse warpwise_warp)
warpwise_precompile(
  finding
  LINKS fmt::fmt
  HEADERS ${plain} "${finding}"
  TARGETS warpwise_advice warpwise_model warpwise_price warpwise_rules)
warpwise_precompile(
  command
  LINKS CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt
  HEADERS ${plain} <CLI/CLI.hpp> <nlohmann/json.hpp>
  TARGETS warpwise_profile_tool warpwise_profiling)
warpwise_precompile(
  llvm
  LINKS warpwise_llvm fmt::fmt
  HEADERS ${llvm} "${finding}"
  TARGETS warpwise_cluster warpwise_config warpwise_confinement warpwise_lsp
          warpwise_output)
warpwise_precompile(
  ir
  LINKS warpwise_llvm fmt::fmt
  HEADERS ${ir} "${model}"
  TARGETS warpwise_evaluate warpwise_execution warpwise_lowering
          warpwise_reuse_lanecode warpwise_reuse_trace)
warpwise_precompile(
  clang
  LINKS warpwise_clang fmt::fmt
  HEADERS ${clang} "${PROJECT_SOURCE_DIR}/analyzer/frontend/CompileCommands.h" "${model}"
  TARGETS warpwise_ast warpwise_frontend warpwise_launch warpwise_nvcc warpwise_pipeline
          warpwise_reuse_launches)
warpwise_precompile(
  tool
  LINKS warpwise_llvm fmt::fmt
  HEADERS ${llvm} <llvm/Support/CommandLine.h> "${finding}"
          "${PROJECT_SOURCE_DIR}/analyzer/pipeline/Analyze.h"
  TARGETS warpwise_fix warpwise_tool)
if(NOT WARPWISE_BUILD_TESTS)
  return()
endif()
warpwise_precompile(
  plain_test
  LINKS GTest::gtest fmt::fmt
  HEADERS ${plain} <gtest/gtest.h>
  TARGETS
    warpwise_advice_test
    warpwise_charts_test
    warpwise_harness_test
    warpwise_inference_test
    warpwise_io_test
    warpwise_price_test
    warpwise_profile_test
    warpwise_profile_reports_test
    warpwise_profiling_test
    warpwise_reuse_test
    warpwise_rules_test
    warpwise_warp_test)
warpwise_precompile(
  ir_test
  LINKS warpwise_llvm GTest::gtest fmt::fmt
  HEADERS ${ir} <gtest/gtest.h>
  TARGETS
    warpwise_config_test
    warpwise_confinement_test
    warpwise_evaluate_test
    warpwise_fix_test
    warpwise_lowering_test
    warpwise_lsp_test
    warpwise_nvcc_test
    warpwise_output_test
    warpwise_pipeline_test
    warpwise_reuse_trace_test
    warpwise_tool_test)
warpwise_precompile(
  clang_test
  LINKS warpwise_clang GTest::gtest fmt::fmt
  HEADERS ${clang} <gtest/gtest.h>
  TARGETS warpwise_execution_test warpwise_frontend_test warpwise_launch_test)
