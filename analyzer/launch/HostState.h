//===- HostState.h - The memory of the host interpreter ---------*- C++ -*-===//
//
// All objects of the interpreted program at one point of one path, addressed by
// bytes, so that structs, arrays, unions and `void *Args[]` need no special
// cases. Copies share objects until one of them is written, because every
// branch with an unknown condition copies the state.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTSTATE_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTSTATE_H

#include "analyzer/launch/Path.h"

#include <functional>

namespace warpwise::launch {

class HostState {
public:
  /// Doubts that this path has decided against the default: values with one of
  /// them are unknown here.
  DoubtSet Contradicted = 0;
  /// False on a path that the program takes only when a default is changed.
  bool Likely = true;
  /// How this path came here.
  Path Taken;

  Value load(Address From, unsigned Size) const;
  Value loadRecord(Address From, uint64_t Size) const;
  /// A store to an unknown offset may hit every cell of the object.
  void store(Address To, unsigned Size, const Value &V);
  void storeRecord(Address To, uint64_t Size, const Value &V);
  /// What is in this cell, which there is and is not known, is computed from
  /// that.
  void name(Address Place, unsigned Size, const SharedQuotient &Its);
  /// From here on a condition says this of what is there, as far as that is
  /// not known, until something is written there.
  void limit(Address Place, unsigned Size, const Limits &Its);
  /// The object's content is unknown from here on.
  void forget(ObjectId Object);
  /// The object's content may have been replaced by something unknown.
  void doubt(ObjectId Object, DoubtSet Reason);
  /// Whether the object has been written, or forgotten.
  bool has(ObjectId Object) const { return find(Object) != nullptr; }
  /// Whether there is a cell, known or not.
  bool has(Address Place) const;
  /// What the object holds now it holds on every path that has not touched it:
  /// the walk comes to a global variable on one of them first.
  void makeInitial(ObjectId Object);
  /// Objects that are new, or that something was written to.
  std::vector<ObjectId> changedSince(const HostState &Before) const;
  /// The objects that pointers in this one point into.
  std::vector<ObjectId> pointeesOf(ObjectId Object) const;
  /// Removes objects whose life has ended.
  void remove(const std::vector<ObjectId> &Dead);

  /// Where two paths that parted at \p Before meet (null: not known). Each
  /// side's own cells that differ follow launch::join; when one side alone is
  /// likely, its values win.
  static HostState join(const HostState *Before, HostState A,
                        const HostState &B, Meeting &At);

  /// Calls \p Change for each cell whose content differs from \p Before, or
  /// that is new; what it returns becomes the content.
  void updateChanged(const HostState &Before,
                     const std::function<Value(const Value *Before,
                                               const Value &Now)> &Change);

  /// A cell that a loop changes from iteration to iteration.
  struct Series {
    Address Place;
    unsigned Size = 0;
    /// What it holds after the iterations so far, and how much an integer or
    /// the offset of a pointer grows with each one more. Without a stride, Last
    /// is all there is to say.
    Value Last;
    int64_t Stride = 0;
  };
  /// The series that this state continues after \p Older and \p Old: integers
  /// and pointers with a constant stride; what pointers that swap have in
  /// common; all else is unknown.
  std::vector<Series> findSeries(const HostState &Older,
                                 const HostState &Old) const;
  /// Puts the cells \p Steps iterations further than they were found.
  void advance(const std::vector<Series> &All, int64_t Steps);

private:
  struct Object {
    Cells Content;
    /// What cells hold that have no content of their own.
    Value Filler;
    /// Something unknown was written where there is no cell; otherwise such
    /// places are not initialised yet.
    bool HasUnknown = false;
  };
  using Entry = std::pair<ObjectId, std::shared_ptr<Object>>;
  struct Limited {
    ObjectId Object = 0;
    int64_t Offset = 0;
    unsigned Size = 0;
    SharedLimits Its;
  };

  /// Sorted by id; ids only grow, so new ones are appended.
  std::vector<Entry> Objects;
  /// What all paths start from; objects of a path go before these.
  std::shared_ptr<std::vector<Entry>> Initial =
      std::make_shared<std::vector<Entry>>();
  /// Null while there is nothing; shared with copies until it changes.
  std::shared_ptr<const std::vector<Limited>> Known;

  /// Null when it is not among them.
  static const std::shared_ptr<Object> *findIn(const std::vector<Entry> &All,
                                               ObjectId Id);
  const Object *find(ObjectId Id) const;
  Object &modify(ObjectId Id);
  Value visible(const Value &V) const;
  Value loadContent(Address From, unsigned Size) const;
  const Limited *findLimits(Address Place, unsigned Size) const;
  /// What is known of an object, or of some of its bytes, ends.
  void dropLimits(ObjectId Id, int64_t Begin = INT64_MIN,
                  int64_t End = INT64_MAX);
  /// What is known whether this is the path or \p Other.
  void keepCommonLimits(const HostState &Other);
  static Value loadAny(const Object &O, unsigned Size);
  static void eraseRange(Object &O, int64_t Begin, int64_t End);
  static std::shared_ptr<Object> joinObjects(
      const Object *Before, const std::shared_ptr<Object> &A,
      const std::shared_ptr<Object> &B,
      const std::function<Value(const Value *, const Value &, const Value &)>
          &Join);
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTSTATE_H
