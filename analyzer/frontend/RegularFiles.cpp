//===- RegularFiles.cpp ---------------------------------------------------===//

#include "analyzer/frontend/RegularFiles.h"

#include <system_error>
#include <utility>

using namespace llvm;

namespace warpwise::frontend {
namespace {

enum class Refusal { NotRegular = 1, TooLarge };

/// Clang prints the words behind "cannot open file 'NAME': ".
class Refusals : public std::error_category {
public:
  const char *name() const noexcept override { return "warpwise-files"; }
  std::string message(int Code) const override {
    return Refusal(Code) == Refusal::TooLarge
               ? "it is larger than source code is"
               : "it is not a regular file";
  }
};

std::error_code refuse(Refusal Why) {
  static const Refusals Category;
  return {int(Why), Category};
}

class RegularFiles : public vfs::ProxyFileSystem {
public:
  RegularFiles(IntrusiveRefCntPtr<vfs::FileSystem> Base, uint64_t MaxBytes)
      : ProxyFileSystem(std::move(Base)), MaxBytes(MaxBytes) {}

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    // Before it is opened: opening a pipe is what would wait.
    ErrorOr<vfs::Status> Named = getUnderlyingFS().status(Path);
    if (!Named)
      return Named.getError();
    if (std::error_code Why = whyNot(*Named))
      return Why;
    auto File = getUnderlyingFS().openFileForRead(Path);
    if (!File)
      return File;
    ErrorOr<vfs::Status> Opened = (*File)->status();
    if (!Opened)
      return Opened.getError();
    if (std::error_code Why = whyNot(*Opened))
      return Why;
    return File;
  }

private:
  std::error_code whyNot(const vfs::Status &S) const {
    if (S.isDirectory())
      return std::make_error_code(std::errc::is_a_directory);
    if (!S.isRegularFile())
      return refuse(Refusal::NotRegular);
    return S.getSize() > MaxBytes ? refuse(Refusal::TooLarge)
                                  : std::error_code();
  }

  uint64_t MaxBytes;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
regularFilesOnly(IntrusiveRefCntPtr<vfs::FileSystem> Base, uint64_t MaxBytes) {
  return makeIntrusiveRefCnt<RegularFiles>(std::move(Base), MaxBytes);
}

} // namespace warpwise::frontend
