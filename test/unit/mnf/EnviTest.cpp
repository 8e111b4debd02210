//===- EnviTest.cpp -------------------------------------------------------===//

#include "mnf_case_study/image/EnviImage.h"
#include "mnf_case_study/image/ImageWriter.h"
#include "test/unit/io/TemporaryFolder.h"

using namespace mnf;

namespace {

std::string headerWith(const std::string &Line) {
  return "ENVI\nsamples = 3\nlines=2\nBands = 2\ndata type = 2\n"
         "interleave = BIL\n" +
         Line + "\n";
}

std::string reasonOf(const std::string &Line) {
  return parseHeader(headerWith(Line)).reason();
}

class Envi : public warpwise::io::test::InFolder {
protected:
  /// Samples of 2 bytes, 2 bands of 2 lines of 3.
  std::string putImage(const std::string &Interleave, const std::string &Data,
                       const std::string &More = "") const {
    put("a.img", Data);
    put("a.img.hdr", "ENVI\nsamples = 3\nlines = 2\nbands = 2\ndata type = "
                     "12\ninterleave = " +
                         Interleave + "\n" + More);
    return at("a.img");
  }

  static std::vector<uint16_t> planesOf(const std::string &Path, size_t First,
                                        size_t Count) {
    auto Image = EnviImage::open(Path);
    EXPECT_EQ(Image.reason(), "");
    std::vector<uint16_t> Planes(2 * Count * 3);
    Image->readLines(First, Count, Planes.data());
    return Planes;
  }

  /// Samples one after the other, the low byte first.
  static std::string bytesOf(const std::vector<int> &Samples) {
    std::string Bytes;
    for (int S : Samples) {
      Bytes += char(S & 0xff);
      Bytes += char(S >> 8);
    }
    return Bytes;
  }
};

/// 100 * band + 10 * line + column.
const std::vector<uint16_t> Planes = {0,   1,   2,   10,  11,  12,
                                      100, 101, 102, 110, 111, 112};

} // namespace

TEST(EnviHeaderText, IsReadWhateverItsCaseAndBlanks) {
  auto Header = parseHeader(headerWith("byte order = 1\nheader offset = 7\n"
                                       "band names = {one,\n two }"));
  ASSERT_EQ(Header.reason(), "");
  EXPECT_EQ(Header->Size.Samples, 3u);
  EXPECT_EQ(Header->Size.Lines, 2u);
  EXPECT_EQ(Header->Size.Bands, 2u);
  EXPECT_EQ(Header->Type, SampleType::Int16);
  EXPECT_EQ(Header->Layout, Interleave::Bil);
  EXPECT_TRUE(Header->BigEndian);
  EXPECT_EQ(Header->Offset, 7u);
  EXPECT_EQ(Header->BandNames, (std::vector<std::string>{"one", "two"}));
}

TEST(EnviHeaderText, ReadsWhatItWrites) {
  EnviHeader Header;
  Header.Size = {2, 5, 4};
  Header.Type = SampleType::Float32;
  Header.Layout = Interleave::Bip;
  Header.BandNames = {"a", "b"};
  auto Again = parseHeader(formatHeader(Header));
  ASSERT_EQ(Again.reason(), "");
  EXPECT_EQ(formatHeader(*Again), formatHeader(Header));
}

TEST(EnviHeaderText, SaysWhatIsWrong) {
  EXPECT_EQ(parseHeader("samples = 3").reason(),
            "it does not begin with 'ENVI'");
  EXPECT_EQ(parseHeader("ENVI\nsamples = 3\n").reason(), "'lines' is missing");
  EXPECT_EQ(reasonOf("bands = 0"),
            "'bands' is '0' instead of a number from 1 to 1048576");
  EXPECT_EQ(reasonOf("lines = 2x"),
            "'lines' is '2x' instead of a number from 1 to 1048576");
  EXPECT_EQ(reasonOf("lines = -1"),
            "'lines' is '-1' instead of a number from 1 to 1048576");
  EXPECT_EQ(reasonOf("data type = 5"),
            "'data type' 5 is not supported: only 1 (uint8), 2 (int16), 4 "
            "(float32) and 12 (uint16) are");
  EXPECT_EQ(reasonOf("interleave = xyz"),
            "'interleave' is 'xyz' instead of bsq, bil or bip");
  EXPECT_EQ(reasonOf("wavelength = {1, 2"),
            "the brace after 'wavelength' is never closed");
}

TEST_F(Envi, ReadsAllLayouts) {
  const std::string Bsq = bytesOf({Planes.begin(), Planes.end()});
  EXPECT_EQ(planesOf(putImage("bsq", Bsq), 0, 2), Planes);
  const std::string Bil =
      bytesOf({0, 1, 2, 100, 101, 102, 10, 11, 12, 110, 111, 112});
  EXPECT_EQ(planesOf(putImage("bil", Bil), 0, 2), Planes);
  const std::string Bip =
      bytesOf({0, 100, 1, 101, 2, 102, 10, 110, 11, 111, 12, 112});
  EXPECT_EQ(planesOf(putImage("bip", Bip), 0, 2), Planes);
}

TEST_F(Envi, ReadsSomeLines) {
  const std::string Bip =
      bytesOf({0, 100, 1, 101, 2, 102, 10, 110, 11, 111, 12, 112});
  EXPECT_EQ(planesOf(putImage("bip", Bip), 1, 1),
            (std::vector<uint16_t>{10, 11, 12, 110, 111, 112}));
}

TEST_F(Envi, TurnsBytesAndSkipsTheOffset) {
  std::vector<int> Turned;
  for (uint16_t S : Planes)
    Turned.push_back(S << 8 | S >> 8);
  const std::string Path = putImage("bsq", "odd" + bytesOf(Turned),
                                    "header offset = 3\nbyte order = 1\n");
  EXPECT_EQ(planesOf(Path, 0, 2), Planes);
}

TEST_F(Envi, TakesTheNameOfTheHeader) {
  putImage("bsq", bytesOf({Planes.begin(), Planes.end()}));
  EXPECT_EQ(planesOf(at("a.img.hdr"), 0, 2), Planes);
}

TEST_F(Envi, NamesWhatIsNotThere) {
  EXPECT_EQ(EnviImage::open(at("b.img")).reason(),
            "'" + at("b.img") + "' has no header beside it ('" + at("b.img") +
                ".hdr')");
  EXPECT_EQ(EnviImage::open(putImage("bsq", "short")).reason(),
            "'" + at("a.img") + "' has 5 bytes where its header promises 24");
}

TEST_F(Envi, AWriterThatDoesNotFinishLeavesWhatWasThere) {
  putImage("bsq", "before");
  {
    EnviHeader Header;
    Header.Size = {1, 1, 4};
    auto Writer = ImageWriter::create(at("a.img"), Header);
    ASSERT_EQ(Writer.reason(), "");
    EXPECT_EQ(Writer->write("1234", 4, 0), "");
  }
  EXPECT_EQ(contentOf(at("a.img")), "before");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Envi, AWriterWritesImageAndHeader) {
  EnviHeader Header;
  Header.Size = {1, 2, 2};
  auto Writer = ImageWriter::create(at("b.img"), Header);
  ASSERT_EQ(Writer.reason(), "");
  EXPECT_EQ(Writer->write("34", 2, 2), "");
  EXPECT_EQ(Writer->write("12", 2, 0), "");
  EXPECT_EQ(Writer->finish(), "");
  EXPECT_EQ(contentOf(at("b.img")), "1234");
  EXPECT_EQ(contentOf(at("b.img.hdr")), formatHeader(Header));
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Envi, FindsWhatIsNotANumber) {
  put("n.img", std::string("\0\0\x80\x3f\0\0\xc0\x7f", 8)); // 1, NaN
  put("n.img.hdr", "ENVI\nsamples = 1\nlines = 2\nbands = 1\ndata type = 4\n"
                   "interleave = bsq\n");
  auto Image = EnviImage::open(at("n.img"));
  ASSERT_EQ(Image.reason(), "");
  EXPECT_EQ(
      Image->whyNotFinite(),
      "'" + at("n.img") +
          "' has nan in band 1, line 2, sample 1, which has no covariance");
}
