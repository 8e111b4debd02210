//===- LaneDrawing.cpp - The lanes of a request, drawn --------------------===//

#include "analyzer/output/findings/html/LaneDrawing.h"

#include "profiler/charts/Text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace warpwise::output {

using access::Operation;
using access::Space;
using access::WarpLanes;
using advice::Request;
using charts::append;
using charts::number;
using profile::RequestLaw;

namespace {

/// All in the units of the drawing, which is as wide as the column of text.
constexpr double Left = 58, Width = 704, Right = 2;
constexpr double LanePitch = Width / WarpLanes, CellHeight = 16;
constexpr double LanesTop = 14;

/// Bytes from the last boundary before the request.
struct Bytes {
  int64_t Begin = 0, End = 0; ///< the last one is before End
  auto operator<=>(const Bytes &) const = default;
};

std::vector<Bytes> bytesOfLanes(const Request &R) {
  std::vector<Bytes> All(WarpLanes);
  const int64_t Size = std::max(R.Bytes, 1u);
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
    const int64_t At = R.Lanes.Offsets[Lane];
    All[Lane] = {At, At + Size};
  }
  return All;
}

bool isActive(const Request &R, unsigned Lane) {
  return R.Lanes.ActiveMask >> Lane & 1;
}

double laneCentre(unsigned Lane) { return Left + (Lane + 0.5) * LanePitch; }

void addRowName(std::string &Svg, double Top, std::string_view Name) {
  append(Svg, R"(<text class="ty" x="{}" y="{:.1f}">{}</text>)", Left - 7,
         Top + 12, Name);
}

/// The lanes, numbered; those that take no part are empty.
void addLanes(std::string &Svg, const Request &R) {
  addRowName(Svg, LanesTop, "lane");
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    append(Svg,
           R"(<rect class="{}" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>)"
           R"(<text class="tx" x="{:.1f}" y="{}">{}</text>)",
           isActive(R, Lane) ? "lane" : "idle", Left + Lane * LanePitch + 0.5,
           LanesTop, LanePitch - 1, CellHeight, laneCentre(Lane), LanesTop + 12,
           Lane);
}

std::string figure(const std::string &Svg, double Height,
                   const std::string &Sentence) {
  return fmt::format(
      R"(<figure class="lanes"><svg viewBox="0 0 {:.0f} {:.0f}" role="img" )"
      R"(aria-label="{}">{}</svg><figcaption>{}</figcaption></figure>)"
      "\n",
      Left + Width + Right, Height, Sentence, Svg, Sentence);
}

std::string plural(double Count, std::string_view Thing) {
  return fmt::format("{} {}{}", number(Count), Thing, Count == 1 ? "" : "s");
}

std::string startOfSentence(const Request &R) {
  std::string Text = fmt::format("Warp {}, the costliest {} of the access. ",
                                 R.Lanes.Warp, access::nameOf(R.Op));
  if (R.Lanes.IsMadeUp)
    Text += "Distances that are not known are made up. ";
  return Text;
}

//===--- Memory in pieces -------------------------------------------------===//

/// The pieces of memory that a request moves, from left to right. Neighbours in
/// memory touch, others have a gap.
class Pieces {
public:
  Pieces(const Request &R, unsigned Unit);

  std::string draw(const Request &R, std::string_view Name) const;

private:
  double xOf(int64_t Byte) const;

  /// More are not drawn: an access of that many is a copy of structs.
  static constexpr size_t MostDrawn = 64, MostKept = 4096;
  static constexpr double Top = 72;

  int64_t Unit;
  std::set<int64_t> All;
  std::map<int64_t, double> At; ///< those that are drawn
  double Piece = 0;             ///< the width of one
  uint64_t Used = 0;            ///< bytes
  std::vector<Bytes> Lanes;
};

} // namespace

Pieces::Pieces(const Request &R, unsigned Unit)
    : Unit(Unit), Lanes(bytesOfLanes(R)) {
  std::set<Bytes> Distinct;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (isActive(R, Lane)) {
      Distinct.insert(Lanes[Lane]);
      for (int64_t N = Lanes[Lane].Begin / Unit;
           N <= (Lanes[Lane].End - 1) / int64_t(Unit) && All.size() != MostKept;
           ++N)
        All.insert(N);
    }
  int64_t Covered = 0;
  for (const Bytes &B : Distinct) {
    Used += std::max<int64_t>(0, B.End - std::max(B.Begin, Covered));
    Covered = std::max(Covered, B.End);
  }
  const size_t Drawn = std::min(All.size(), MostDrawn);
  size_t Gaps = 0;
  for (auto N = All.begin(); N != All.end() && std::next(N) != All.end(); ++N)
    Gaps += *std::next(N) != *N + 1;
  const double Gap = Drawn > 40 ? 2 : 5;
  constexpr double Widest = Width / 4; // what a coalesced access of 4 bytes has
  Piece = std::min((Width - Gap * double(std::min(Gaps, Drawn - 1))) /
                       double(Drawn),
                   Widest);
  double X = Left;
  int64_t Before = *All.begin();
  for (const int64_t N : All) {
    if (At.size() == Drawn)
      break;
    X += N > Before + 1 ? Gap : 0;
    At[N] = X;
    X += Piece;
    Before = N;
  }
}

double Pieces::xOf(int64_t Byte) const {
  return At.at(Byte / Unit) + Piece * double(Byte % Unit) / double(Unit);
}

std::string Pieces::draw(const Request &R, std::string_view Name) const {
  std::string Svg;
  addLanes(Svg, R);
  addRowName(Svg, Top, Name);
  for (const auto &[N, X] : At)
    append(Svg,
           R"(<rect class="moved" x="{:.1f}" y="{}" width="{:.1f}" )"
           R"(height="{}"><title>{} at byte {}</title></rect>)",
           X + 0.5, Top, Piece - 1, CellHeight, Name,
           number(double((N - At.begin()->first) * Unit)));
  std::set<std::array<int64_t, 2>> Filled;
  std::string Wires;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
    if (!isActive(R, Lane))
      continue;
    bool Wired = false;
    for (int64_t Begin = Lanes[Lane].Begin; Begin < Lanes[Lane].End;) {
      const int64_t End = std::min(Lanes[Lane].End, (Begin / Unit + 1) * Unit);
      if (!At.count(Begin / Unit))
        break;
      const double X = xOf(Begin);
      const double Wide = Piece * double(End - Begin) / double(Unit);
      if (!Wired)
        append(Wires, "M{:.1f} {}L{:.1f} {}", laneCentre(Lane),
               LanesTop + CellHeight, X + Wide / 2, Top);
      Wired = true;
      if (Filled.insert({Begin, End}).second)
        append(Svg,
               R"(<rect class="used" x="{:.1f}" y="{}" width="{:.1f}" )"
               R"(height="{}"/>)",
               X + 0.5, Top + 1, std::max(Wide - 1, 0.8), CellHeight - 2);
      Begin = End;
    }
  }
  append(Svg, R"(<path class="wire" d="{}"/>)", Wires);
  // How far from the first one; each label needs its room.
  double Free = Left;
  for (const auto &[N, X] : At)
    if (X >= Free) {
      append(Svg, R"(<text x="{:.1f}" y="{}">+{}</text>)", X,
             Top + CellHeight + 13,
             number(double((N - At.begin()->first) * Unit)));
      Free = X + 62;
    }
  std::string Sentence = startOfSentence(R);
  if (R.Memory == Space::Constant)
    append(Sentence, "{}, each of which is a pass of its own.",
           plural(double(All.size()), "distinct word"));
  else {
    const double Moved = double(All.size()) * double(Unit);
    append(Sentence, "{} of {} move {} for {} that the lanes use: {:.3g} %.",
           plural(double(All.size()), Name), plural(double(Unit), "byte"),
           plural(Moved, "byte"), plural(double(Used), "byte"),
           100 * double(Used) / Moved);
  }
  if (All.size() > At.size())
    append(Sentence, " Only {} are drawn.", At.size());
  return figure(Svg, Top + CellHeight + 18, Sentence);
}

//===--- Banks ------------------------------------------------------------===//

namespace {

/// The words that one group of lanes wants of each bank.
struct BankGroup {
  unsigned First = 0; ///< lane
  /// By bank: the lanes of each word, in the order of the lanes.
  std::vector<std::vector<std::vector<unsigned>>> Words;
  size_t rows() const {
    size_t Most = 0;
    for (const auto &Bank : Words)
      Most = std::max(Most, Bank.size());
    return Most;
  }
};

} // namespace

static BankGroup groupOf(const Request &R, const RequestLaw &Law,
                         unsigned First, unsigned Count) {
  BankGroup Group = {First, {}};
  Group.Words.resize(Law.Banks);
  std::map<int64_t, size_t> Known; // word to its place in the bank
  const std::vector<Bytes> Lanes = bytesOfLanes(R);
  for (unsigned Lane = First; Lane != First + Count; ++Lane) {
    if (!isActive(R, Lane))
      continue;
    for (int64_t Word = Lanes[Lane].Begin / Law.BankBytes;
         Word <= (Lanes[Lane].End - 1) / Law.BankBytes; ++Word) {
      auto &Bank = Group.Words[Word % Law.Banks];
      // Rows that a bank delivers together are one.
      const int64_t Row = Word / Law.Banks / Law.RowsPerPass;
      const int64_t Name = Row * Law.Banks + Word % Law.Banks;
      const auto [At, IsNew] = Known.try_emplace(Name, Bank.size());
      // Atomics on one word take turns.
      if (IsNew || R.Op == Operation::Atomic)
        Bank.push_back({Lane});
      else
        Bank[At->second].push_back(Lane);
    }
  }
  return Group;
}

static std::string lanesText(const std::vector<unsigned> &Lanes) {
  std::string Text = Lanes.size() == 1 ? "lane " : "lanes ";
  for (size_t N = 0; N != Lanes.size(); ++N)
    append(Text, "{}{}", N ? ", " : "", Lanes[N]);
  return Text;
}

static std::string drawBanks(const Request &R, const RequestLaw &Law) {
  const double Pitch = Width / Law.Banks;
  constexpr double Top = 14, Between = 10;
  std::string Svg;
  addRowName(Svg, Top, "bank");
  for (unsigned Bank = 0; Bank != Law.Banks; ++Bank)
    if (Law.Banks <= 32 || Bank % 2 == 0)
      append(Svg, R"(<text class="tx" x="{:.1f}" y="{}">{}</text>)",
             Left + (Bank + 0.5) * Pitch, Top + 12, Bank);
  double Y = Top + CellHeight + 2;
  size_t Most = 0, Used = 0, Groups = 0;
  const unsigned Together = Law.lanesOfPass(R.Bytes);
  std::vector<BankGroup> All;
  size_t RowsInAll = 0;
  for (unsigned First = 0; First < WarpLanes; First += Together) {
    All.push_back(groupOf(R, Law, First, Together));
    RowsInAll += All.back().rows();
  }
  // A conflict of many ways still has to fit on a sheet of paper.
  const double RowHeight = RowsInAll > 16 ? 9 : 13;
  for (const BankGroup &Group : All) {
    const size_t Rows = Group.rows();
    if (Rows == 0)
      continue;
    ++Groups;
    Most = std::max(Most, Rows);
    addRowName(Svg, Y - 2,
               Together == WarpLanes ? std::string("lanes")
                                     : fmt::format("{}&ndash;{}", Group.First,
                                                   Group.First + Together - 1));
    size_t Busy = 0;
    for (unsigned Bank = 0; Bank != Law.Banks; ++Bank) {
      append(Svg,
             R"(<rect class="bank" x="{:.1f}" y="{:.1f}" width="{:.1f}" )"
             R"(height="{:.1f}"/>)",
             Left + Bank * Pitch + 0.5, Y, Pitch - 1, double(Rows) * RowHeight);
      const auto &Words = Group.Words[Bank];
      Busy += !Words.empty();
      for (size_t Row = 0; Row != Words.size(); ++Row) {
        append(Svg,
               R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" )"
               R"(height="{}"><title>{} of bank {}</title></rect>)",
               Row == 0 ? "used" : "again", Left + Bank * Pitch + 0.5,
               Y + double(Row) * RowHeight + 0.5, Pitch - 1, RowHeight - 1,
               lanesText(Words[Row]), Bank);
        if (Pitch >= 16)
          append(Svg,
                 R"(<text class="tx who" x="{:.1f}" y="{:.1f}" )"
                 R"(style="font-size:{:.0f}px">{}</text>)",
                 Left + (Bank + 0.5) * Pitch,
                 Y + (double(Row) + 0.8) * RowHeight, RowHeight - 2,
                 Words[Row].front());
      }
    }
    Used = std::max(Used, Busy);
    Y += double(Rows) * RowHeight + Between;
  }
  std::string Sentence = fmt::format(
      "{}A column is a bank, a cell a word of it with the first lane that "
      "wants it: {} of {} banks in use, and one has to deliver {}, one after "
      "the other.",
      startOfSentence(R), Used, Law.Banks, plural(double(Most), "word"));
  if (Groups > 1)
    append(Sentence, " With {} bytes a lane, {} lanes are served at a time.",
           R.Bytes, Together);
  return figure(Svg, Y, Sentence);
}

std::string drawRequest(const Request &R, const RequestLaw &Law) {
  if (R.Lanes.ActiveMask == 0)
    return "";
  switch (R.Memory) {
  case Space::Shared:
    return drawBanks(R, Law);
  case Space::Constant:
    return Pieces(R, Law.constantBytes(R.Bytes)).draw(R, "word");
  case Space::Global:
  case Space::Local:
  case Space::Texture:
  case Space::Generic:
    return Pieces(R, Law.SectorBytes).draw(R, "sector");
  }
  return "";
}

} // namespace warpwise::output
