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

Address HostObjects::makeText(llvm::StringRef Text) {
  const Address Place = make();
  Texts[Place.Object] = Text.str();
  return Place;
}

const std::string *HostObjects::textOf(ObjectId Object) const {
  const auto Found = Texts.find(Object);
  return Found == Texts.end() ? nullptr : &Found->second;
}

} // namespace warpwise::launch
