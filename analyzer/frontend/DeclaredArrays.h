//===- DeclaredArrays.h - Arrays that a rewrite may change ------*- C++ -*-===//
//
// The __shared__ and __constant__ arrays of the user's code, and the arrays
// that functions initialise with constants: where their words stand, and
// whether every use of them would survive longer rows or another memory. What
// is not proven here counts as a reason against.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_DECLAREDARRAYS_H
#define WARPWISE_ANALYZER_FRONTEND_DECLAREDARRAYS_H

#include "analyzer/source/DeclaredArray.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace warpwise::frontend {

/// The largest extents of any block that a function runs in.
using BlockOf =
    std::function<std::array<uint32_t, 3>(const clang::FunctionDecl &)>;

/// Of a template's instances, one entry with the objections of all.
std::vector<DeclaredArray> declaredArrays(clang::ASTContext &Context,
                                          const BlockOf &MostThreads);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_DECLAREDARRAYS_H
