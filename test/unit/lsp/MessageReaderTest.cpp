//===- MessageReaderTest.cpp - Messages out of a stream of bytes ----------===//

#include "analyzer/lsp/MessageReader.h"

#include <gtest/gtest.h>

using namespace warpwise::lsp;

static std::string message(llvm::StringRef Body, long Length = -1) {
  return "Content-Length: " +
         std::to_string(Length < 0 ? long(Body.size()) : Length) + "\r\n\r\n" +
         Body.str();
}

/// What comes of the bytes: "fault" or the number in each message.
static std::vector<std::string> read(MessageReader &Reader,
                                     llvm::StringRef Bytes) {
  Reader.append(Bytes);
  std::vector<std::string> All;
  while (auto What = Reader.next()) {
    if (!What->Fault.empty()) {
      All.push_back("fault");
      continue;
    }
    const auto Number = What->Message.getAsInteger();
    All.push_back(Number ? std::to_string(*Number) : "message");
  }
  return All;
}

static std::vector<std::string> read(llvm::StringRef Bytes) {
  MessageReader Reader;
  return read(Reader, Bytes);
}

using List = std::vector<std::string>;

TEST(MessageReaderTest, TakesMessagesApart) {
  EXPECT_EQ(read(message("1") + message("2")), (List{"1", "2"}));
  EXPECT_EQ(read("Content-Type: x\r\nContent-Length: 1\r\n\r\n7"), List{"7"});
  EXPECT_EQ(read("content-length:1\n\n7"), List{"7"});
}

TEST(MessageReaderTest, WaitsForTheRest) {
  MessageReader Reader;
  const std::string All = message("{\"a\": [1, 2]}");
  for (size_t I = 0; I + 1 != All.size(); ++I)
    EXPECT_EQ(read(Reader, All.substr(I, 1)), List{});
  EXPECT_EQ(read(Reader, "}"), List{"message"});
}

TEST(MessageReaderTest, GoesOnAfterWrongLengths) {
  EXPECT_EQ(read(message("17", 1) + message("2") + message("3")),
            (List{"1", "2", "3"}));
  EXPECT_EQ(read(message("[1]", 2) + message("2")), (List{"fault", "2"}));
  // Too long: it ends in the middle of the next header, or behind it.
  for (long More = 1; More != 20; ++More)
    EXPECT_EQ(read(message("[1]", 3 + More) + message("2") + message("3")),
              (List{"fault", "2", "3"}))
        << More;
  EXPECT_EQ(read("Content-Length: -1\r\n\r\n" + message("2")),
            (List{"fault", "2"}));
  EXPECT_EQ(read("Content-Length: 99999999999999\r\n\r\n" + message("2")),
            (List{"fault", "2"}));
  EXPECT_EQ(read("Content-Length: many\r\n\r\n" + message("2")),
            (List{"fault", "2"}));
}

TEST(MessageReaderTest, GoesOnAfterWhatIsNoMessage) {
  EXPECT_EQ(read("X: 1\r\n\r\n" + message("2")), (List{"fault", "2"}));
  EXPECT_EQ(read(message("{") + message("2")), (List{"fault", "2"}));
  EXPECT_EQ(read(message("\"\xff\"") + message("2")), (List{"fault", "2"}));
  EXPECT_EQ(read(message("") + message("2")), (List{"fault", "2"}));
  // Noise without an end of line costs one fault for each few KiB, no memory.
  List Said = read(std::string(100'000, 'x') + message("2"));
  EXPECT_EQ(Said.back(), "2");
}

TEST(MessageReaderTest, RefusesDeepNesting) {
  EXPECT_EQ(read(message(std::string(100'000, '[')) + message("2")),
            (List{"fault", "2"}));
  EXPECT_EQ(read(message("\"" + std::string(100'000, '[') + "\"")),
            List{"message"});
  EXPECT_EQ(read(message("\"\\\"" + std::string(1000, '[') + "\"")),
            List{"message"});
}
