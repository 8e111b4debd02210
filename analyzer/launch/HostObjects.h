//===- HostObjects.h - The objects of the interpreted program ---*- C++ -*-===//
//
// Which objects there are, whatever paths have written to them, which HostState
// knows. Objects get numbers in the order in which walks come to them; no
// number is given twice.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTOBJECTS_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTOBJECTS_H

#include "analyzer/launch/HostState.h"
#include "analyzer/launch/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::launch {

class HostObjects {
public:
  Address make() { return {++Last, 0}; }
  /// One that holds what a device pointer points to, as far as is known
  /// \p Bytes.
  Address makeOnDevice(Value Bytes = Value());
  /// The same, in memory that kernels get to over the bus.
  Address makeElsewhere(Value Bytes = Value());
  bool isElsewhere(ObjectId Object) const { return Elsewhere.contains(Object); }
  /// The variable of the runtime that says which GPU is the current one.
  Address currentDevice() const { return {CurrentDevice, 0}; }
  /// \p Object is made while \p Device is the current GPU.
  void rememberDevice(ObjectId Object, const Value &Device) {
    Devices[Object] = Device;
  }
  /// GPUs may use each other's memory from here on.
  void connectPeers() { ArePeersConnected = true; }
  /// Whether it lies in the memory of another GPU than the one that is the
  /// current one in \p Now.
  bool isOnPeer(ObjectId Object, const HostState &Now) const;
  /// What it was made with.
  Value bytesOf(ObjectId Object) const { return Sizes.lookup(Object); }
  /// Another object that holds what the host code has copied to \p Device, as
  /// far as that is known; 0 for one of the host's. Host code that reads it
  /// does not get what kernels make of it.
  ObjectId copiedTo(ObjectId Device) const { return Copied.lookup(Device); }
  bool isOnDevice(ObjectId Object) const { return OnDevice.contains(Object); }
  /// One that holds \p Text and a zero until something is written to it.
  Address makeText(llvm::StringRef Text);
  /// Null for other objects.
  const std::string *textOf(ObjectId Object) const;

  /// One for the elements of a container that is in \p Owner, with which it
  /// dies.
  Address makeElements(ObjectId Owner);
  bool isElements(ObjectId Object) const { return OwnerOf.contains(Object); }
  bool haveElements() const { return !OwnerOf.empty(); }
  /// A container in \p Owner takes over these elements.
  void giveElements(ObjectId Elements, ObjectId Owner);
  /// Adds to \p Dead the elements that die with those that are in it.
  void takeElementsOf(std::vector<ObjectId> &Dead);

private:
  ObjectId Last = 0;
  ObjectId CurrentDevice = make().Object;
  bool ArePeersConnected = false;
  llvm::DenseMap<ObjectId, Value> Devices;
  llvm::DenseSet<ObjectId> OnDevice;
  llvm::DenseSet<ObjectId> Elsewhere; ///< of those
  llvm::DenseMap<ObjectId, std::string> Texts;
  llvm::DenseMap<ObjectId, Value> Sizes;
  llvm::DenseMap<ObjectId, ObjectId> Copied;
  llvm::DenseMap<ObjectId, ObjectId> OwnerOf;
  /// May name elements that have been given away since.
  llvm::DenseMap<ObjectId, std::vector<ObjectId>> Owned;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTOBJECTS_H
