//===- RequestWriter.cpp - From lanes' addresses to accesses --------------===//

#include "analyzer/reuse/trace/RequestWriter.h"

namespace warpwise::reuse {

std::vector<RequestKind> requestKinds(const std::vector<StreamPoint> &Points,
                                      const std::vector<uint32_t> &Sites) {
  std::vector<RequestKind> Kinds(Points.size());
  for (size_t N = 0; N != Points.size(); ++N) {
    const StreamPoint &P = Points[N];
    RequestKind &Kind = Kinds[N];
    Kind.IsRequest = P.What >= StreamPoint::Kind::Access;
    Kind.Bytes = P.Bytes;
    Kind.Like.Site = Sites[N];
    Kind.Like.Local = P.Private;
    Kind.Like.PastL1 = P.PastL1;
    Kind.Like.What = P.What == StreamPoint::Kind::Barrier
                         ? Access::Kind::Barrier
                         : kindOf(P.Op);
  }
  return Kinds;
}

} // namespace warpwise::reuse
