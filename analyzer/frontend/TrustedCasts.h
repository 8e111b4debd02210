//===- TrustedCasts.h - Casts to vectors mean it ----------------*- C++ -*-===//
//
// In *(float4 *)&Record->Data[I] Clang believes the declaration of Data, whose
// elements are aligned to four bytes, and makes four loads. nvcc believes the
// cast and makes one, as it does where the pointer comes from elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_TRUSTEDCASTS_H
#define WARPWISE_ANALYZER_FRONTEND_TRUSTEDCASTS_H

namespace clang {
class FunctionDecl;
}

namespace warpwise::frontend {

/// Changes the body of \p Function so that what its casts of pointers and
/// references lead to is as aligned as their types say. Not for variables of a
/// thread: where these lie is Clang's own choice.
void trustCasts(clang::FunctionDecl &Function);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_TRUSTEDCASTS_H
