//===- HostObjects.cpp - The objects of the interpreted program -----------===//

#include "analyzer/launch/HostObjects.h"

namespace warpwise::launch {

Address HostObjects::makeOnDevice(Value Bytes) {
  const Address Place = make();
  OnDevice.insert(Place.Object);
  if (Bytes.isKnown()) {
    Sizes[Place.Object] = std::move(Bytes);
    Copied[Place.Object] = make().Object;
  }
  return Place;
}

Address HostObjects::makeElsewhere(Value Bytes) {
  const Address Place = makeOnDevice(std::move(Bytes));
  Elsewhere.insert(Place.Object);
  return Place;
}

bool HostObjects::isOnPeer(ObjectId Object, const HostState &Now) const {
  if (!ArePeersConnected)
    return false;
  const Value Its = Devices.lookup(Object),
              Current = Now.load(currentDevice(), sizeof(int));
  if (Its.getInteger() && Current.getInteger())
    return *Its.getInteger() != *Current.getInteger();
  // Programs have two variables for two of them.
  return Its.Is && Current.Is && *Its.Is != *Current.Is;
}

Address HostObjects::makeText(llvm::StringRef Text) {
  const Address Place = make();
  Texts[Place.Object] = Text.str();
  return Place;
}

const std::string *HostObjects::textOf(ObjectId Object) const {
  const auto Found = Texts.find(Object);
  return Found == Texts.end() ? nullptr : &Found->second;
}

Address HostObjects::makeElements(ObjectId Owner) {
  const Address Place = make();
  giveElements(Place.Object, Owner);
  return Place;
}

void HostObjects::giveElements(ObjectId Elements, ObjectId Owner) {
  OwnerOf[Elements] = Owner;
  Owned[Owner].push_back(Elements);
}

void HostObjects::takeElementsOf(std::vector<ObjectId> &Dead) {
  if (Owned.empty())
    return;
  // Elements may be containers, too.
  for (size_t I = 0; I != Dead.size(); ++I) {
    const auto Found = Owned.find(Dead[I]);
    if (Found == Owned.end())
      continue;
    for (const ObjectId Elements : Found->second)
      if (OwnerOf.lookup(Elements) == Found->first)
        Dead.push_back(Elements);
    Owned.erase(Found);
  }
}

} // namespace warpwise::launch
