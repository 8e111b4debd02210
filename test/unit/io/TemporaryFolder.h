//===- TemporaryFolder.h - A folder for one test ----------------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_IO_TEMPORARYFOLDER_H
#define WARPWISE_TEST_UNIT_IO_TEMPORARYFOLDER_H

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace warpwise::io::test {

class InFolder : public testing::Test {
protected:
  InFolder() {
    std::string Name =
        (std::filesystem::temp_directory_path() / "warpwise-io-XXXXXX")
            .string();
    Folder = ::mkdtemp(Name.data());
  }
  ~InFolder() override { std::filesystem::remove_all(Folder); }

  std::string at(const std::string &Name) const { return Folder + "/" + Name; }

  std::string put(const std::string &Name, const std::string &Text) const {
    std::ofstream(at(Name)) << Text;
    return at(Name);
  }

  static std::string contentOf(const std::string &Path) {
    std::ifstream In(Path);
    return {std::istreambuf_iterator<char>(In), {}};
  }

  size_t entries() const {
    using std::filesystem::directory_iterator;
    return size_t(std::distance(directory_iterator(Folder), {}));
  }

  std::string Folder;
};

} // namespace warpwise::io::test

#endif // WARPWISE_TEST_UNIT_IO_TEMPORARYFOLDER_H
