//===- AccessModel.h - What every memory access costs a warp ----*- C++ -*-===//
//
// The result of the analysis as plain data: kernels, their launch shapes, and
// for each memory access of the source what one warp request costs under each
// shape. It is all that rules and writers ever see; there is no Clang or LLVM
// IR behind it, so a rule is tested with two struct literals.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_MODEL_ACCESSMODEL_H
#define WARPWISE_ANALYZER_MODEL_ACCESSMODEL_H

#include "analyzer/launch/facts/LaunchFacts.h"
#include "analyzer/source/DeclaredArray.h"
#include "analyzer/source/DeclaredPointer.h"
#include "analyzer/source/Place.h"
#include "analyzer/source/ThreadIndices.h"
#include "profiler/profile/RequestLaw.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::access {

constexpr unsigned WarpLanes = profile::RequestLaw::Lanes;

enum class Space { Global, Shared, Constant, Local, Texture, Generic };
enum class Operation { Load, Store, Atomic };

/// How far a number can be trusted.
enum class Proof {
  /// The numbers hold for every value of everything that is not known, under
  /// the stated launch.
  Exact,
  /// The headline number lies in [Low, High], likewise; Reason names what it
  /// hangs on.
  Bounded,
  /// A likely number; Reason names what that assumes, [Low, High] is what else
  /// it may be.
  Estimated,
  /// The addresses come from memory contents: [Low, High] holds for all of
  /// them, the number is the expectation for random ones.
  DataDependent,
  /// Not known; Reason says why.
  Unknown
};

/// One call that was inlined on the way to an access.
struct Frame {
  Place Where;          ///< the call
  std::string Function; ///< the caller's name
};

/// Who uses what a request leaves of its sectors, the nearest that does. It is
/// known of the block that was looked at, its first rounds and the blocks
/// beside it.
enum class Neighbour {
  Unknown,       ///< or there is nothing left
  SameLanes,     ///< the access itself, in other rounds of a loop
  OtherAccesses, ///< of the same warp
  OtherWarps,    ///< of the same block
  OtherBlocks,   ///< those beside it
  Nobody
};

/// The 32 byte addresses of one request, to show and to explain.
struct LanePattern {
  /// Lanes that take part, bit 0 is lane 0.
  uint32_t ActiveMask = 0;
  /// Byte offset of each lane from the lowest active address; 0 when inactive.
  std::array<int64_t, WarpLanes> Offsets{};
  /// Bytes between neighbouring active lanes, when that is the same for all.
  std::optional<int64_t> Stride;
  /// The warp of the block, counted from 0.
  unsigned Warp = 0;
  /// How far apart the lanes lie hangs on a pitch or the like that nobody
  /// knows: a likely one stands here.
  bool IsMadeUp = false;
  /// So does the distance of neighbouring lanes, not only that of rows.
  bool IsStepMadeUp = false;
  /// In other requests of the access neighbouring lanes lie closer or farther
  /// apart, as in the rounds of a tree.
  bool StepVaries = false;
  /// If IsStepMadeUp: the arguments and variables, by name, that the distance
  /// is a multiple of and that are taken to be large. Empty where they have
  /// none.
  std::vector<std::string> StepFactors;
};

/// Where an instruction is carried out. Every one takes a slot of a scheduler,
/// too. Sums of integers, and what can be written as one, are carried out by
/// the pipe of integers or by that of products, whichever has less to do: nvcc
/// sees to that (IADD3 and IMAD.IADD in cubins of sm_90).
enum class Pipe {
  Integer,
  Sum,
  Product, ///< of which both words are wanted, or the high one
  Single,
  Double,
  Special,
  Memory,
  Tensor,
  Texture,
  Other
};
constexpr unsigned PipeCount = unsigned(Pipe::Other) + 1;

/// How often the sectors that an access asks for are asked for again: what
/// caches can make of it. Seen in one block, its first rounds, and the blocks
/// beside it, as if nothing were ever evicted.
struct Footprint {
  /// Of each loop so many rounds are followed at most, each time it is entered.
  static constexpr unsigned MostRounds = 40;
  /// Of the block that were followed: all, or those of the first rounds.
  double Requests = 0;
  /// Of the sectors that a block asks for, those that nothing in the block had
  /// asked for before; of those that it writes, those that nothing in it had
  /// written. 1: nothing comes again.
  double FreshSectors = 1;
  /// Of the requests of a warp, those with a sector that this warp had not
  /// asked for before: they wait for more than L1.
  double FreshRequests = 1;
  /// Of the bytes of the sectors that the block touches here, those that
  /// something in the block uses.
  double UsedBytes = 1;
  /// Of the sectors of the lines that it is the first to ask for, those that
  /// somebody of the block asks for.
  double UsedSectors = 1;
  /// From the first to the last byte that the block asks for here. Where data
  /// decide, about as much as there is to choose from.
  std::optional<double> ExtentBytes = {};
  /// From the first to the last byte of the same object that the block asks
  /// for anywhere; 0 where the object is not known.
  double ObjectExtent = 0;
  /// Of these sectors, those that the next block along x, y and z does not
  /// touch; of written ones, does not write.
  std::array<double, 3> FreshBeside{1, 1, 1};
  /// Of these sectors, those of which the next block uses the very same bytes:
  /// all of them where the address does not ask for the block.
  std::array<double, 3> SameBeside{};
  /// Of the sectors that are written, those that the block has read before.
  double AlsoRead = 0;
  /// Loads: of the sectors that the block asks for here, those that the same
  /// warp has asked for before and no other, by the lines that it has touched
  /// since: from 2^N on, and fewer than 2^(N+1). L1 has to hold as many of each
  /// warp until then.
  std::array<double, 12> Again{};
  /// Atomics: of the sectors that the block asks for here, those that it had
  /// not asked for here before.
  double OwnSectors = 1;
  /// Atomics: of the bytes of these sectors, those that they use here.
  double OwnBytes = 1;
  /// Atomics: what L2 carries out of a request one after the other, which is,
  /// of each of its sectors, the lanes on the word that most of them want. 0
  /// where no address is known.
  double Turns = 0;
  /// Shared space, atomics that are loops (Cost::SwapRounds): of all that the
  /// lanes of the block do here, the share that goes to the word that most want
  /// and comes from other warps than the one that goes there most.
  double ForeignTurns = 0;
  /// Constant space: of a request, lines that the first level of the constant
  /// caches has lost again before they are wanted. None where it holds all that
  /// the block reads of constant memory.
  double LostLines = 0;
};

/// What a load costs together with its siblings: the loads through the same
/// base whose addresses differ by constants and between which nothing else can
/// happen. A strided load whose siblings use the rest of each sector wastes
/// nothing.
struct GroupCost {
  double Sectors = 0, IdealSectors = 0;
  /// These are means per request of this access, of which the group makes
  /// Rounds (an unrolled loop's) among its Requests, counted without those for
  /// what another of them has just loaded.
  double Rounds = 1, Requests = 1;
};

/// What a request of a load from shared memory would cost that goes to where in
/// global memory its words were copied from. Means, as in Cost.
struct Unstaged {
  double Sectors = 0, Lines = 0, LinePasses = 0;
  /// As in Footprint, of all such loads together.
  double FreshSectors = 1, FreshRequests = 1;
};

/// What a request of an access costs under one launch. The numbers are means
/// per executed warp request over all evaluated warps and loop iterations.
/// Unset where they do not apply, or where none is more likely than another.
struct Cost {
  unsigned Launch = 0; ///< index into Kernel::Launches
  Proof State = Proof::Unknown;
  /// Why State is not Exact. Empty when it is.
  std::string Reason;

  double ActiveLanes = 0;
  /// Distinct sectors, and as many as the same bytes would need if
  /// they lay densely. Global, local and generic space.
  std::optional<double> Sectors, IdealSectors;
  /// Passes through the banks of a request of one round (of JoinedWavefronts
  /// where only an estimate can be made), and the conflict-free number of one
  /// that serves as many as Access::RoundsAtOnce says. Shared space.
  std::optional<double> Wavefronts, IdealWavefronts;
  /// What the active lanes take without a conflict, which is more than ideal
  /// where they are spread over the halves or quarters of the warp.
  std::optional<double> ConflictFreeWavefronts;
  /// Of one request that serves as many rounds as Access::RoundsAtOnce says, if
  /// that is several.
  std::optional<double> JoinedWavefronts;
  /// Distinct words, as wide as what a lane loads. Constant space: each one is
  /// a pass of its own.
  std::optional<double> Words;
  /// Shared space, an atomic that nvcc makes a loop of a compare-and-swap:
  /// rounds until all lanes of a warp have succeeded that nobody else disturbs.
  /// Wavefronts are those of one round.
  std::optional<double> SwapRounds;
  /// Bounds of the headline number of the space (sectors, wavefronts, words).
  std::optional<double> Low, High;
  /// Estimated: bounds that hold for every value of what is not known, where
  /// there are any. [Low, High] lies in them.
  std::optional<std::array<double, 2>> Possible;

  /// Extremes of the headline number among loop iterations, when these differ.
  /// A compiler that unrolls the loop makes instructions of their own of them.
  std::optional<double> Least, Most;
  /// Whether a lane, and an iteration, makes the request hangs on data. It is
  /// counted as if all did.
  bool DataDecides = false;
  /// The address rests on what each lane has loaded, known or not, and on
  /// nothing else that is not known: x[index[i]].
  bool IsIndexed = false;
  /// Bytes of what it goes to, as the host has allocated it or the file
  /// declares it, as far as one sees; of a private array those of a thread.
  std::optional<uint64_t> ObjectBytes;
  /// The host code gives it to this kernel only, see launch::Argument.
  bool IsScratch = false;
  /// Another argument leads to the same allocation, see launch::Argument.
  bool IsShared = false;
  /// It goes over the bus, see launch::Argument.
  bool IsElsewhere = false;
  /// Who made the first request that was seen: a warp of the block, and its
  /// lanes. Accesses of one warp that are made by different lanes are so from
  /// the first on.
  struct FirstRequest {
    unsigned Warp = 0;
    uint32_t ActiveMask = 0;
    bool operator==(const FirstRequest &) const = default;
  };
  FirstRequest First;

  /// The same with its siblings, or alone where it has none. A store is alone:
  /// L1 sends on what each one writes. Unset where sectors do not apply.
  std::optional<GroupCost> WithSiblings;

  /// The distinct sectors of a request and its siblings', shared out among
  /// them, be they loads or stores. Unset where it has none.
  std::optional<double> SharedSectors;
  /// Where data choose a structure of which several members are loaded: the
  /// sectors of it that all these loads want; 0 elsewhere.
  double RecordSectors = 0;

  /// Global space: who uses the rest of the sectors.
  Neighbour Beside = Neighbour::Unknown;

  /// Global space: lines of L1 that a request touches, and the passes through
  /// L1 that it takes: words a multiple of the line apart conflict.
  double Lines = 0, LinePasses = 0;
  std::optional<Footprint> Reach;
  /// Loads of shared memory: all that lies there was copied from global memory
  /// as it is.
  std::optional<Unstaged> Direct;
  /// Volatile loads and stores of shared memory in a loop during which each
  /// thread has the words to itself: of the requests, the share that would be
  /// left if registers held them meanwhile. Global arrays of which each thread
  /// of the block loads only elements that it has stored itself: the same if
  /// registers held them throughout, and the last ones were stored.
  std::optional<double> KeptIfInRegister;
  /// Loads of shared memory outside of loops, or in such as are written out: of
  /// what threads load here, the share that the next thread along x, y and z
  /// loads, too, here or elsewhere, before the block waits again. Threads that
  /// have none next to them do not count. Plain loads of global memory: of the
  /// requests, those that the warp with the next threads along y and z makes,
  /// too, or the next block, where a block has one thread along that axis;
  /// along x, of those whose lanes lie side by side, what another one hands to
  /// the next lane.
  std::array<double, 3> LoadedBeside{};

  /// Requests that were evaluated for the means above.
  uint64_t Requests = 0;
  /// Requests that these stand for: weighs accesses against each other.
  double Weight = 0;
  /// Requests of a warp that makes some.
  double PerWarp = 0;
  /// Of those, how many a warp makes each time that it comes to the innermost
  /// loop around them; 0 where there is none.
  double RoundsPerEntry = 0;
  /// The costliest request that was seen; unset when no address is known.
  std::optional<LanePattern> Worst;

  /// Loads that are staged (Access::StagedIn): what the launch does besides, by
  /// pipe, in basic blocks that do nothing but bring and store, and the steps
  /// of a warp there; see Work. Counted for the first such load of each. Of
  /// private arrays: what counts the rounds of the innermost loop around it,
  /// and says where accesses go there. Counted for the first access to the
  /// array in each loop.
  std::array<double, PipeCount> IssuedAlone{};
  double StepsAlone = 0;

  double sectorWaste() const {
    return Sectors && IdealSectors ? *Sectors / *IdealSectors : 1;
  }
  double groupSectorWaste() const {
    return WithSiblings ? WithSiblings->Sectors / WithSiblings->IdealSectors
                        : sectorWaste();
  }
};

/// What an object consists of, as the source declares it.
struct Element {
  enum class Kind { Unknown, Signed, Unsigned, Boolean, Float, Record };

  std::string Type; ///< as it is spelled ("float4", "uint8_t"), or empty
  std::optional<unsigned> Bytes;
  /// A class around a single member is what that member is.
  Kind Holds = Kind::Unknown;
  /// A class of a library, and more than a vector of numbers: its layout is not
  /// the user's to change.
  bool IsLibrarys = false;
  /// Records whose members are numbers and arrays of numbers: elements of the
  /// longest array; 0 for any other.
  unsigned LongestMember = 0;

  bool isScalar() const {
    return Holds != Kind::Unknown && Holds != Kind::Record;
  }
};

/// What a loop around a compare-and-swap does to a word, if one atomic does the
/// same: adds to it, sets or clears bits, or puts the greater (or the less) of
/// two numbers there.
enum class SwapLoop { None, Sum, Bits, Extreme };

/// One access of the source: all instances of a load, store or atomic at one
/// place in one kernel.
struct Access {
  /// The innermost frame in the user's own files.
  Place Where;
  /// Other places that nvcc's line table may name: of accesses of which it made
  /// one instruction with this, and where it has one of several lines.
  std::vector<Place> MergedWith;
  /// Calls from there outwards to the kernel; empty in the kernel's own body.
  std::vector<Frame> InlinedAt;
  /// A library that is called there makes the access.
  bool InLibrary = false;
  Space Memory = Space::Generic;
  Operation Op = Operation::Load;
  unsigned Bytes = 0; ///< per lane
  /// The variable that is accessed ("tile", "in"), or empty.
  std::string Object;
  /// Accesses with the same number go to the same variable or pointer argument;
  /// unset where that is not known.
  std::optional<unsigned> Root;
  Element Of; ///< an element of that variable
  /// Accesses with the same number lie in one basic block, and one and the same
  /// index alone says where in its object each goes to: to the IndexBytes times
  /// as many-th byte, and IndexOffset from there. Unset where nothing or more
  /// than one index does.
  std::optional<unsigned> Index;
  int64_t IndexBytes = 0, IndexOffset = 0;
  /// By how many bytes it goes on in each round of the innermost loop, if the
  /// code says so: each lane walks along the object. 0: no, or not known.
  int64_t RoundBytes = 0;
  /// Index into Kernel::Arrays, where it is an array that a rewrite knows.
  std::optional<unsigned> Array;
  /// Executions per warp that reaches it, when the trip counts are known.
  std::optional<uint64_t> Trips;
  /// The source promises that nothing else leads there (__restrict__).
  bool IsRestricted = false;
  /// Depth of the innermost loop around it; 0 outside of loops.
  unsigned LoopDepth = 0;
  /// Accesses with the same number have the same innermost loop around them;
  /// unset outside of loops.
  std::optional<unsigned> Loop;
  /// Accesses with the same number form a sibling group.
  std::optional<unsigned> Group;
  /// What a lane accesses in one round of a loop, another accesses in the next:
  /// a window that slides over the data, such as a stencil's.
  bool Slides = false;
  /// Rounds of the innermost loop around it do nothing for each other but put
  /// together what they find, in any order: sums, products, extremes. Several
  /// threads could do a part of them each.
  bool RoundsAddUp = false;
  /// And the loop around that one begins it afresh in each round: nothing that
  /// one round finds is needed by another.
  bool BeginsAfresh = false;
  /// It goes to the same addresses in each round of that loop around.
  bool IsSameInRounds = false;
  /// Rounds of that loop go from row to row, of which a warp has a piece: a
  /// thread with more elements of a row has as many rounds.
  bool WalksAcross = false;
  /// It belongs to what threads put together at the end; see Work::Gathered.
  bool Gathers = false;
  /// A loop around it goes on by as many elements as the grid has threads: it
  /// runs as long as there are data.
  bool IsOverGrid = false;
  /// Of the rounds of a loop, the share in which the lanes access the same
  /// addresses as in the round before.
  double Repeats = 0;
  /// Of the requests, the share that is left when nvcc has written loops out,
  /// keeps what it has loaded and stores what it has computed only once.
  double Kept = 1;
  /// Kept and Waits if no pointer argument of the kernel led to where another
  /// does (__restrict__).
  double KeptIfRestricted = 1, WaitsIfRestricted = 0;
  /// Waits if registers held what they could (Cost::KeptIfInRegister).
  double WaitsIfInRegister = 0;
  /// Loads that bring a tile: they are stored to shared memory as they are, in
  /// a loop in which the block waits for them.
  bool BringsTile = false;
  /// Loads of global memory: the shared array that takes what is loaded, as it
  /// is. Empty where something else is done with it, too.
  std::string StagedIn;
  /// To shared memory that a tensor copy fills (lowering/BulkCopies.h).
  bool IsTensorTile = false;
  /// Loads of shared memory: the value is a factor of one product, of which
  /// the other factor comes from there as well.
  bool IsFactor = false;
  /// Loads: a loop that is not written out counts the address, from nothing but
  /// arguments, so that it is the same in all warps. nvcc fetches such words of
  /// constant memory through registers that the lanes share.
  bool IsCounted = false;
  /// Accesses that the source marks volatile, or that are asynchronous copies
  /// (cp.async) or tensor core fragments (wmma, ldmatrix).
  enum class Kind { Plain, Volatile, AsyncCopy, TensorCore } Sort = Kind::Plain;
  /// Loads: how often a request is waited for. Less than 1 where rounds of a
  /// loop are under way together, 0 where nothing needs the result.
  double Waits = 0;
  /// The loop around it is written out whole: no rounds are left over.
  bool IsWrittenOut = false;
  /// Loads with the same number are under way together, so that only the
  /// slowest is waited for; unset: nobody waits for it. Stores with the same
  /// number follow each other without a wait between them.
  std::optional<unsigned> WaitGroup;
  /// Loads and stores in a loop that is written out: rounds that one wide
  /// access serves where the array is in shared memory. Costs are those of a
  /// request of each round; of an array in global memory nvcc does not know the
  /// alignment.
  unsigned RoundsAtOnce = 1;
  /// Atomics: nvcc carries out one for all lanes of a warp.
  bool IsJoined = false;
  /// Atomics: sums, extremes and the like, which may be built up of parts in
  /// any order; and whether what was there before is wanted, too.
  bool Accumulates = false, IsAnswerUsed = false;
  /// Atomics: a compare-and-swap that a loop repeats until nobody has come
  /// between.
  SwapLoop Swaps = SwapLoop::None;
  /// Atomics that in the end change nothing any more, whatever is put there:
  /// bits that are set (so many) stay set, an extreme (1) is seldom passed.
  unsigned SettlesAfter = 0;
  /// Atomics that shared memory lacks: the loop that nvcc makes of it runs once
  /// for each lane, since all of them want one word.
  bool RepeatsPerLane = false;
  std::vector<Cost> PerLaunch;
};

/// "global", "load": the words of documents and messages.
std::string_view nameOf(Space Memory);
std::string_view nameOf(Operation Op);

/// Whether what a request of \p A costs is known under some launch, so that a
/// rule can judge it.
bool isJudged(const Access &A);

/// What \p A costs under launch \p Launch; null where that is not known. A
/// weight of zero: the launch does not make it.
const Cost *costUnder(const Access &A, unsigned Launch);

/// Whether \p A is made under launch \p Launch, as far as is known.
bool makesRequests(const Access &A, unsigned Launch);

/// A private array that stays in local memory although the optimiser ran.
struct PrivateArray {
  std::string Name;
  Place Declared;
  uint64_t Bytes = 0;
  /// The access whose index is not a constant after unrolling, and that index
  /// as the source spells it ("m"). Empty when the address escapes instead.
  std::optional<Place> DynamicIndex;
  std::string IndexText;
  /// That index counts the rounds of a loop: with the loop written out it is a
  /// constant. Otherwise data or the lane decides.
  bool CountsRounds = false;
  Element Of;
  /// A call that the array's address is handed to, when that is the cause.
  std::string EscapesTo;
  /// That call cannot be inlined, since it leads back to itself.
  bool IntoRecursion = false;
  /// Nor that, as its body is not at hand: printf's, say.
  bool OutOfReach = false;
  /// nvcc keeps arrays of this size and use in registers, as far as was tried.
  bool MayBeSelected = false;
  /// It holds the same numbers in all threads, from its initialiser on.
  bool IsTable = false;
  /// Of such a one what the source says, an index into Kernel::Arrays.
  std::optional<unsigned> Array;
  /// nvcc reported a stack frame for this kernel; unset: it was not asked.
  std::optional<bool> Confirmed;
};

/// What a launch does between its accesses. Instructions are estimated from
/// Clang's IR: what nvcc makes of it is close to it, not the same.
struct Work {
  /// Of the launch, or of one block of it when the grid is not known.
  double Blocks = 1;
  bool IsWholeGrid = false;
  unsigned BlockThreads = 0;
  uint64_t SharedBytes = 0; ///< of a block, static and dynamic
  /// Warp instructions of all blocks, by pipe.
  std::array<double, PipeCount> Issued{};
  /// Of these, the ones that only say where accesses go: where "i / Columns"
  /// and "i % Columns" are. Neighbouring elements share them.
  std::array<double, PipeCount> Leading{};
  /// Of these, the ones by which threads put together what they have found,
  /// each alone, before (evaluate/Gathering.h); 0 where kernels do not end so.
  std::array<double, PipeCount> Gathered{};
  /// That bulk copies bring into shared memory (lowering/BulkCopies.h), as far
  /// as their sizes are known.
  double BulkBytes = 0;
  /// Requests to shared memory by warps of which no lane takes part. They take
  /// a pass nevertheless.
  double SwitchedOff = 0;
  /// Of the blocks, the share that has next to nothing to do: a grid may be
  /// larger than the data.
  double IdleBlocks = 0;
  /// Results that the slowest warp of a busy block computes one after the
  /// other, each after the ones that it needs; waiting for memory is left out.
  double ChainSteps = 0;
  double GatheredSteps = 0; ///< of these, as Gathered
  /// How often a warp runs what it runs most often, the body of a loop mostly.
  double MostRuns = 1;
  /// Times that a warp waits for its block, mean.
  double Barriers = 0;
  /// Every loop was followed as often as the program runs it.
  bool TripsKnown = true;
};

enum class Status {
  Clean,     ///< analysed as it was written
  Recovered, ///< analysed, but code around it did not compile
  Skipped    ///< not analysed; Reason says why
};

struct Kernel {
  std::string Name;    ///< demangled
  std::string Mangled; ///< the linker's name
  /// The template's name without arguments; equals Name for other kernels.
  std::string Template;
  Place Where;
  Status State = Status::Clean;
  std::string Reason;
  /// At least one: an unknown launch is listed as assumed shapes.
  std::vector<launch::Shape> Launches;
  /// What each of them does besides; as Launches.
  std::vector<Work> Works;
  /// Its threads wait for each other somewhere.
  bool HasBarriers = false;
  /// It calls functions of other translation units (nvcc -rdc=true), which nvcc
  /// does not inline: it stores before a call what the callee may want, loads
  /// it again afterwards, and whatever is handed over by its address has one.
  bool CallsElsewhere = false;
  /// Of a thread, as nvcc says; unset: it was not asked.
  std::optional<unsigned> Registers;
  /// Bytes of a thread that nvcc's instructions keep in local memory and take
  /// from there, since registers ran out; and the room that they need, which
  /// several share one after the other.
  uint64_t SpillStores = 0, SpillLoads = 0, SpillBytes = 0;
  std::vector<Access> Accesses;
  /// The __shared__ and __constant__ arrays that they are made to.
  std::vector<DeclaredArray> Arrays;
  /// Its pointer arguments.
  std::vector<DeclaredPointer> Pointers;
  ThreadIndices Threads;
  std::vector<PrivateArray> PrivateArrays;
  /// Of a thread: arrays whose index is not a constant and that nvcc keeps in
  /// registers all the same, by selecting among all of them.
  uint64_t SelectedBytes = 0;
  /// An access that is not in the model, or a call that may lead to some.
  struct Omission {
    Place Where;
    std::string Reason; ///< "a texture fetch"
  };
  std::vector<Omission> NotModelled;
  /// The balance of memory instructions: in Clang's IR with everything inlined,
  /// in the lowered IR, and those of the latter that are in Accesses. The rest
  /// is in NotModelled.
  struct Balance {
    unsigned Written = 0, Lowered = 0, Modelled = 0;
  } Instructions;
};

/// Whether \p K says of itself what the comments here promise of an analysed
/// kernel: indices into its lists, intervals that are not empty, a reason for
/// all that is not exact. Whoever makes a model asserts it.
bool isConsistent(const Kernel &K);

/// Everything that was learnt from one translation unit.
struct Model {
  std::string File;
  std::string Profile; ///< name of the device profile
  std::vector<Kernel> Kernels;
  /// The sizes of sector and banks that the costs are counted in.
  profile::KnownLaw Law;
};

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_MODEL_ACCESSMODEL_H
