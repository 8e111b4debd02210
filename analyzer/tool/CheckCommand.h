//===- CheckCommand.h - What the command line says of check -----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_TOOL_CHECKCOMMAND_H
#define WARPWISE_ANALYZER_TOOL_CHECKCOMMAND_H

#include "analyzer/tool/Check.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace warpwise::tool {

/// The check that the command line asks for, with what is in \p Kept.
llvm::Expected<std::unique_ptr<Check>> openCheck(const KeptReports &Kept);

/// `warpwise check`, which does \p BeforeAnalysis when it knows the units. That
/// says whether there is anything to analyse then.
int runCheck(
    const KeptReports &Kept,
    llvm::function_ref<llvm::Expected<bool>(Check &Asked)> BeforeAnalysis);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_CHECKCOMMAND_H
