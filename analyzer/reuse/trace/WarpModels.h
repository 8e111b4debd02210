//===- WarpModels.h - Warps that are like earlier ones ----------*- C++ -*-===//
//
// Most warps of a kernel do what another one did, at other addresses. Where the
// addresses of each site are all moved by one distance, a multiple of a line,
// so are the lines of the warp's trace, and nobody has to put its lanes
// together again. That takes half the time of kernels whose lanes are far
// apart.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_WARPMODELS_H
#define WARPWISE_ANALYZER_REUSE_TRACE_WARPMODELS_H

#include "analyzer/reuse/trace/LaneRows.h"

namespace warpwise::reuse {

/// What was run of a warp: a lane, or one of the two that tell a row.
struct WarpLanes {
  unsigned First = 0, Lanes = 0; ///< of the row, or of the lane itself
  LanePiece Entries;
};

class WarpModels {
public:
  /// \p Kinds: by position. Both outlive this.
  WarpModels(const std::vector<RequestKind> &Kinds, const AddressMap &Addresses)
      : Kinds(Kinds), Addresses(Addresses) {}

  /// Tells \p Likes which of the models that it keeps the warp is like; false
  /// when it is like none. \p Ran decides the warp's trace.
  bool find(const std::vector<WarpLanes> &Ran, const WarpPlace &Warp,
            LikeTraces &Likes);
  /// Makes a model of the warp, if it can be one: its trace is \p Trace.
  void add(const std::vector<WarpLanes> &Ran, const WarpPlace &Warp,
           const WarpTrace &Trace, LikeTraces &Likes);

  /// How far the entries of each site are from the model's, as differences of
  /// entries: of addresses in bytes, times 2^PositionBits.
  using Distances = std::vector<uint64_t>;
  /// Whether the warp does exactly what the model in \p Place does, with the
  /// same witnesses, at other addresses; they need not be lines away.
  bool follows(unsigned Place, const std::vector<WarpLanes> &Ran,
               Distances &From);
  /// Makes \p Like, with the distances of its warp in Moves, say that the warp
  /// is like the model in \p Place. False when they are no multiples of a line.
  bool tell(unsigned Place, Likeness &Like);

private:
  /// The entries of one site, which move together.
  struct Group {
    enum class Kind : uint8_t { None, Global, Local, Barrier };
    Kind What = Kind::None;
    size_t Lanes = 0, Entry = 0; ///< the first of them, in Ran
    size_t At = 0;               ///< the same in WarpModel::Entries
  };
  struct RowShape {
    unsigned First, Lanes;
    size_t Entries;
    bool operator==(const RowShape &) const = default;
  };
  struct WarpModel {
    uint64_t Number = 0; ///< 0: there is none
    std::vector<RowShape> Shapes;
    std::vector<uint64_t> Entries; ///< of all in Ran, one after the other
    /// By entry: an index into Groups. What makes no request is behind the last
    /// one, and requests of memory without lines behind that.
    std::vector<uint16_t> GroupOf;
    std::vector<Group> Groups; ///< as Likeness::Moves
    bool HasLocal = false;     ///< groups of local memory
  };
  enum class Match {
    Trace, ///< the same requests, whole lines away: whatever witnesses say
    Path   ///< the same entries at any other addresses, witnesses alike
  };

  const std::vector<RequestKind> &Kinds;
  const AddressMap &Addresses;
  std::array<WarpModel, LikeTraces::MostModels> Models;
  uint64_t LastNumber = 0;
  unsigned LastPlace = 0, NextPlace = 0;
  /// Kernels whose warps are too different are left alone.
  uint64_t Tries = 0, Finds = 0;
  /// By group, and for the two behind: what its entries differ by, and what of
  /// them has to fit then.
  Distances Deltas;
  std::vector<uint64_t> Masks;
  std::vector<uint16_t> GroupOfSite;
  std::vector<uint8_t> Seen; ///< by position

  bool areRare() const;
  bool matches(const WarpModel &M, const std::vector<WarpLanes> &Ran,
               Match Wanted);
  bool keepsRegions(const WarpModel &M,
                    const std::vector<WarpLanes> &Ran) const;
  bool groupSites(const WarpTrace &Trace, WarpModel &M);
  bool groupEntries(const std::vector<WarpLanes> &Ran, WarpModel &M);
  unsigned placeFor(const LikeTraces &Likes);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_WARPMODELS_H
