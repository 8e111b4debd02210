//===- LaunchBounds.h - What __launch_bounds__ says -------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LAUNCHBOUNDS_H
#define WARPWISE_ANALYZER_LAUNCH_LAUNCHBOUNDS_H

#include <map>
#include <string>

namespace clang {
class ASTContext;
}

namespace warpwise::launch {

/// The most threads a block may have, from __launch_bounds__, for each kernel
/// that states it, by mangled name.
std::map<std::string, unsigned> collectLaunchBounds(clang::ASTContext &Context);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LAUNCHBOUNDS_H
