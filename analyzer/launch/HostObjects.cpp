//===- HostObjects.cpp - The objects of the interpreted program -----------===//

#include "analyzer/launch/HostObjects.h"

namespace warpwise::launch {

Address HostObjects::makeOnDevice() {
  const Address Place = make();
  OnDevice.insert(Place.Object);
  return Place;
}

Address HostObjects::allocateOnDevice(uint64_t Bytes) {
  const Address Place = makeOnDevice();
  Sizes[Place.Object] = Bytes;
  return Place;
}

std::optional<uint64_t> HostObjects::bytesOf(ObjectId Object) const {
  const auto Found = Sizes.find(Object);
  return Found == Sizes.end() ? std::nullopt : std::optional(Found->second);
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
