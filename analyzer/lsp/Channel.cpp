//===- Channel.cpp - Talking to a document's process ----------------------===//

#include "analyzer/lsp/Channel.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace warpwise::lsp {

short Channel::events() const {
  return short(POLLIN | (Out.empty() ? 0 : POLLOUT));
}

void Channel::send(const llvm::json::Value &Message) {
  std::string Text;
  llvm::raw_string_ostream(Text) << Message;
  const uint64_t Bytes = Text.size();
  Out.append(reinterpret_cast<const char *>(&Bytes), sizeof(Bytes));
  Out += Text;
}

/// Whether \p Count, which a call returned, means that one has to wait.
static bool isForLater(ssize_t Count) {
  return Count < 0 &&
         (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK);
}

bool Channel::transfer() {
  if (!Out.empty()) {
    const ssize_t Count =
        ::send(Socket, Out.data(), Out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (Count > 0)
      Out.erase(0, size_t(Count));
    else if (!isForLater(Count))
      return false;
  }
  while (true) {
    char Buffer[1 << 16];
    const ssize_t Count = ::recv(Socket, Buffer, sizeof(Buffer), MSG_DONTWAIT);
    if (Count <= 0)
      return isForLater(Count);
    In.append(Buffer, size_t(Count));
  }
}

std::optional<llvm::json::Value> Channel::next() {
  uint64_t Bytes = 0;
  if (In.size() < sizeof(Bytes))
    return std::nullopt;
  std::memcpy(&Bytes, In.data(), sizeof(Bytes));
  if (In.size() - sizeof(Bytes) < Bytes)
    return std::nullopt;
  auto Parsed =
      llvm::json::parse(llvm::StringRef(In).substr(sizeof(Bytes), Bytes));
  In.erase(0, sizeof(Bytes) + Bytes);
  if (Parsed)
    return std::move(*Parsed);
  llvm::consumeError(Parsed.takeError());
  return llvm::json::Value(nullptr);
}

std::optional<llvm::json::Value> Channel::wait() {
  while (true) {
    if (auto Message = next())
      return Message;
    pollfd File = {Socket, events(), 0};
    if (::poll(&File, 1, -1) > 0 && !transfer() && In.empty())
      return std::nullopt;
  }
}

bool Channel::flush() {
  while (!Out.empty()) {
    pollfd File = {Socket, POLLOUT, 0};
    if (::poll(&File, 1, -1) > 0 && !transfer())
      return false;
  }
  return true;
}

} // namespace warpwise::lsp
