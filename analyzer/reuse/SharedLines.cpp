//===- SharedLines.cpp - What blocks all over the grid read ---------------===//

#include "analyzer/reuse/SharedLines.h"

#include "analyzer/reuse/Bits.h"
#include "analyzer/reuse/StoppingRules.h"

#include <algorithm>
#include <cmath>

using namespace warpwise;
using namespace warpwise::reuse;

SharedLines::Misses &SharedLines::Misses::operator+=(const Misses &O) {
  Requests += O.Requests;
  KnownRequests += O.KnownRequests;
  KnownSectors += O.KnownSectors;
  SharedSectors += O.SharedSectors;
  return *this;
}

SharedLines::SharedLines(size_t Chunks, size_t SiteCount, size_t Apart,
                         const L1Room &Room)
    : SiteCount(SiteCount), Apart(Apart), Room(Room), Rows(Chunks * SiteCount) {
}

void SharedLines::missed(size_t Row, uint64_t Number, unsigned Sectors) {
  // Takes a quarter of few lines in a row as well as of many.
  if (mixed(Number) >> (64 - stopping::FollowedShift) != 0)
    return;
  const size_t Chunk = Row / SiteCount;
  const auto Count = sectorCount(Sectors);
  Line &L = Lines.try_emplace(Number, Line{uint32_t(Chunk)}).first->second;
  Misses &Of = Rows[Row];
  ++Of.Requests;
  const bool Old = L.FirstChunk < Apart;
  if (L.FirstChunk + Apart <= Chunk) {
    ++Of.KnownRequests;
    Of.KnownSectors += Count;
    if (Old)
      Of.SharedSectors += Count;
    if (Old && !L.Shared) {
      L.Shared = true;
      ++DifferentLines;
      Early += L.Missed;
      Different += sectorCount(L.Sectors);
    }
  } else if (L.Shared) {
    Early += Count;
  }
  if (L.Shared)
    Different += sectorCount(Sectors & ~L.Sectors);
  L.Sectors |= Sectors;
  L.Missed += Count;
}

SharedLines::Misses SharedLines::sum(size_t First, size_t Last) const {
  Misses Sum;
  for (size_t Row = First * SiteCount; Row != (Last + 1) * SiteCount; ++Row)
    Sum += Rows[Row];
  return Sum;
}

double SharedLines::knownShare(size_t First, size_t Last) const {
  const Misses Of = sum(First, Last);
  return double(Of.KnownRequests) / double(std::max<uint64_t>(1, Of.Requests));
}

double SharedLines::sharedSectors(size_t Row) const {
  return double(Rows[Row].SharedSectors << stopping::FollowedShift);
}

double SharedLines::fillings(size_t End) const {
  return LinesOfChunk * double(End) / Room.lines();
}

double SharedLines::copies(size_t Last) const {
  return double(Early + sum(0, Last).SharedSectors) /
         double(std::max<uint64_t>(1, Different));
}

bool SharedLines::areReadByAll(size_t Last) const {
  const Misses Of = sum(Last, Last);
  const double Copies = copies(Last);
  return Copies >= stopping::LeastCopies &&
         Copies <= stopping::MostOfSms * double(Room.Sms) &&
         double(Of.SharedSectors) >=
             stopping::LeastShared * double(Of.KnownSectors);
}

double SharedLines::readShare(size_t Last) const {
  return -std::log(1 - readBy(Last)) / double(Last + 1);
}

/// It has then what blocks read or write alone, of which each chunk brings as
/// much, and a part of the shared lines.
double SharedLines::fullAfter(double ReadShare, double End) const {
  const double Shared = double(DifferentLines << stopping::FollowedShift);
  const auto sharedUntil = [&](double Chunk) {
    return Shared * (1 - std::exp(-ReadShare * Chunk));
  };
  const double Alone =
      std::max(0.0, LinesOfChunk / double(Room.Sms) - sharedUntil(End) / End);
  double Low = 0, High = double(Rows.size()) * 1e3;
  for (int Step = 0; Step != 50; ++Step) {
    const double Middle = 0.5 * (Low + High);
    (Alone * Middle + sharedUntil(Middle) < double(Room.LinesOfSm) ? Low
                                                                   : High) =
        Middle;
  }
  return High;
}

bool SharedLines::fit(size_t Last, size_t Chunks) const {
  const double ReadShare = readShare(Last);
  const double Full = fullAfter(ReadShare, double(Last + 1));
  return Full >= double(Chunks) ||
         (Room.KeepsUsed &&
          std::exp(-ReadShare * Full) <= stopping::MostSharedLeft);
}

double SharedLines::deviation(size_t First, size_t Last) const {
  const double ReadShare = readShare(Last), End = double(Last + 1);
  const double At =
      std::min(0.5 * (double(First) + End), fullAfter(ReadShare, End));
  const double Foreseen =
      ReadShare * std::exp(-ReadShare * At) * double(Room.Sms);
  const double Seen = double(sum(First, Last).SharedSectors) /
                      (double(Last + 1 - First) * double(Different));
  return std::abs(Seen - Foreseen) / std::max(Seen, Foreseen);
}

SharedLines::Share SharedLines::left(size_t First, size_t Last, size_t From,
                                     size_t Count) const {
  if (Count == 0)
    return {};
  const double ReadShare = readShare(Last);
  const double Middle = 0.5 * double(First + Last);
  const double Full = std::max(Middle, fullAfter(ReadShare, double(Last + 1)));
  Share Left = {0, 0};
  for (size_t Chunk = From; Chunk != From + Count; ++Chunk) {
    const double Of =
        std::exp(-ReadShare * (std::min(double(Chunk), Full) - Middle));
    Left.Misses += Of / double(Count);
    Left.Merged += Of * Of / double(Count);
  }
  return Left;
}

Traffic SharedLines::foreseen(Traffic T, size_t Row, Share Left) const {
  const double Misses = T.LoadSectors - T.LoadHits;
  const double Shared = std::min(Misses, sharedSectors(Row));
  if (Shared <= 0)
    return T;
  const double Fewer = (1 - Left.Misses) * Shared;
  const double Merged =
      std::min(Shared, std::max(0.0, Misses - T.L2ReadSectors));
  const double Reads =
      std::max(0.0, T.L2ReadSectors - Fewer + (1 - Left.Merged) * Merged);
  // What comes from DRAM becomes less like the rest.
  const double Keep = std::max(0.0, 1 - Fewer / Misses);
  const double L2Misses =
      std::min(Reads, Keep * (T.L2ReadSectors - T.L2ReadHits));
  T.LoadHits += Fewer;
  T.L2ReadSectors = Reads;
  T.L2ReadHits = Reads - L2Misses;
  T.DramReadSectors *= Keep;
  return T;
}
