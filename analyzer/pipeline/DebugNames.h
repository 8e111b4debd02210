//===- DebugNames.h - From IR back to the source ----------------*- C++ -*-===//
//
// Places and names that debug information gives for instructions, arguments and
// variables.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PIPELINE_DEBUGNAMES_H
#define WARPWISE_ANALYZER_PIPELINE_DEBUGNAMES_H

#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class DIFile;
class DILocation;
class DIType;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace warpwise::pipeline {

class DebugNames {
public:
  /// \p SystemFiles: absolute paths of headers that are not the user's.
  /// \p Moved: places that are reported elsewhere; \p InLineTable: others that
  /// nvcc's line table may name. See SourceIndex.h.
  DebugNames(const llvm::Module &Raw, llvm::StringSet<> SystemFiles,
             std::map<access::Place, access::Place> Moved,
             std::map<access::Place, std::vector<access::Place>> InLineTable);

  /// Fills Where and InlinedAt of \p A from \p Location, so that Where is the
  /// innermost frame in the user's own files, and adds to MergedWith what else
  /// a line table may say.
  void locate(const llvm::DILocation *Location, access::Access &A) const;
  /// Whether \p Location lies in a collective of CUB, which lays out what the
  /// user gives it of shared memory as it needs.
  bool isInCollective(const llvm::DILocation *Location) const;
  /// The place of \p Location's innermost user frame.
  access::Place placeOf(const llvm::DILocation *Location) const;
  access::Place placeOf(const llvm::DIFile *File, unsigned Line) const;
  /// False for headers of the toolkit, the compiler and the system.
  bool isUsers(llvm::StringRef Path) const;
  /// What a pointer to, an array of or a variable of type \p T consists of.
  access::Element elementOf(const llvm::DIType *T) const;
  /// Where the kernel is defined.
  access::Place placeOf(const llvm::Function &Kernel) const;
  /// Where the variable \p Object is declared; unknown for arguments.
  access::Place declared(const llvm::Value *Object) const;
  /// The variable's name and element type as the source has them.
  void name(const llvm::Value *Object, std::string &Name,
            access::Element &Of) const;
  /// What the source calls a number that the launch gives: an argument or a
  /// variable, or a member of one that \p Given loads ("Shape.Stride[1]").
  /// Empty where it has no name.
  std::string nameOfNumber(const llvm::Value &Given) const;

private:
  struct Named {
    std::string Name;
    const llvm::DIType *Type = nullptr;
    access::Element Of;
  };
  /// Of an argument or a global variable; its type is null where that is not
  /// known.
  Named named(const llvm::Value *Object) const;
  llvm::StringSet<> SystemFiles;
  std::map<access::Place, access::Place> Moved;
  std::map<access::Place, std::vector<access::Place>> InLineTable;
  llvm::DenseMap<const llvm::Function *, std::vector<Named>> Arguments;
};

} // namespace warpwise::pipeline

#endif // WARPWISE_ANALYZER_PIPELINE_DEBUGNAMES_H
