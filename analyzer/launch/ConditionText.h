//===- ConditionText.h - What a side of a condition says --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_CONDITIONTEXT_H
#define WARPWISE_ANALYZER_LAUNCH_CONDITIONTEXT_H

#include "analyzer/launch/LaunchList.h"
#include "analyzer/launch/Path.h"

namespace clang {
class ASTContext;
}

namespace warpwise::launch {

/// The choice that \p T makes, as a reader of the source would say it.
Choice describeTurn(const Turn &T, const clang::ASTContext &Context);

/// Whether the other side of \p T ends the program: then \p T is no choice. An
/// assert is such a condition.
bool isOnlyWay(const Turn &T);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_CONDITIONTEXT_H
