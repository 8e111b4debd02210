//===- LineTable.h - Where nvcc says that code stands -----------*- C++ -*-===//
//
// Clang's debug information has an access of several lines where its expression
// begins, or at its operator. nvcc's line table, which profilers show, has it
// where the last of its operands stands that was on a line of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_LINETABLE_H
#define WARPWISE_ANALYZER_FRONTEND_LINETABLE_H

namespace clang {
class ASTContext;
class Expr;
class SourceLocation;
} // namespace clang

namespace warpwise::frontend {

/// What stands on the line under which nvcc's line table has the access to
/// \p Accessed. nvcc's parser notes a new line at each operand, in the order in
/// which they are evaluated, but at no operator, and after a call goes back to
/// where that began. Read off PTX of nvcc 13, 60 expressions.
clang::SourceLocation lineTableLocation(const clang::Expr &Accessed,
                                        const clang::ASTContext &Context);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_LINETABLE_H
