//===- SharedLines.cpp - What blocks all over the grid read ---------------===//

#include "analyzer/reuse/SharedLines.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace warpwise;
using namespace warpwise::reuse;

/// One of this many lines is followed.
static constexpr unsigned FollowedShift = 2;

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
  if (Number * 0x9E3779B97F4A7C15 >> (64 - FollowedShift) != 0)
    return;
  const size_t Chunk = Row / SiteCount;
  const auto Count = uint32_t(std::popcount(Sectors));
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
      Early += L.Missed;
      Different += uint64_t(std::popcount(L.Sectors));
    }
  } else if (L.Shared) {
    Early += Count;
  }
  if (L.Shared)
    Different += uint64_t(std::popcount(Sectors & ~L.Sectors));
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
  return double(Rows[Row].SharedSectors << FollowedShift);
}

double SharedLines::fillings(size_t End) const {
  return End == 0
             ? 0
             : double(sum(0, End - 1).Requests << FollowedShift) / Room.lines();
}

double SharedLines::copies(size_t Last) const {
  return double(Early + sum(0, Last).SharedSectors) /
         double(std::max<uint64_t>(1, Different));
}

bool SharedLines::areReadByAll(size_t Last) const {
  constexpr double LeastCopies = 6, MostOfSms = 0.9, LeastShare = 0.5;
  const Misses Of = sum(Last, Last);
  const double Copies = copies(Last);
  return Copies >= LeastCopies && Copies <= MostOfSms * double(Room.Sms) &&
         double(Of.SharedSectors) >= LeastShare * double(Of.KnownSectors);
}

double SharedLines::left(size_t First, size_t Last, size_t Count) const {
  const double End = double(Last + 1);
  const double Share = -std::log(1 - copies(Last) / double(Room.Sms)) / End;
  const double Middle = 0.5 * double(First + Last);
  const double Full = std::max(Middle, End / fillings(Last + 1));
  double Left = 0;
  for (size_t Chunk = First; Chunk != First + Count; ++Chunk)
    Left += std::exp(-Share * (std::min(double(Chunk), Full) - Middle));
  return Count == 0 ? 1 : Left / double(Count);
}
