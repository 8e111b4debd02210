//===- AccessJson.cpp - The access model as JSON --------------------------===//

#include "analyzer/output/accesses/AccessJson.h"

#include "analyzer/price/KernelTime.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>
#include <tuple>

namespace warpwise::output {

using access::Access;
using access::Cost;
using access::Kernel;
using access::Operation;
using access::Proof;
using access::Space;
using launch::ShapeSource;
namespace json = llvm::json;
using llvm::json::OStream;

llvm::StringRef nameOf(access::Pipe P) {
  switch (P) {
  case access::Pipe::Integer:
    return "integer";
  case access::Pipe::Sum:
    return "sum";
  case access::Pipe::Product:
    return "product";
  case access::Pipe::Single:
    return "single";
  case access::Pipe::Double:
    return "double";
  case access::Pipe::Special:
    return "special";
  case access::Pipe::Memory:
    return "memory";
  case access::Pipe::Tensor:
    return "tensor";
  case access::Pipe::Texture:
    return "texture";
  case access::Pipe::Other:
    return "other";
  }
  llvm_unreachable("all pipes are named");
}

llvm::StringRef nameOf(Proof P) {
  switch (P) {
  case Proof::Exact:
    return "exact";
  case Proof::Bounded:
    return "bounded";
  case Proof::Estimated:
    return "estimated";
  case Proof::DataDependent:
    return "data-dependent";
  case Proof::Unknown:
    return "unknown";
  }
  llvm_unreachable("all proof states are named");
}

llvm::StringRef nameOf(access::Status S) {
  switch (S) {
  case access::Status::Clean:
    return "clean";
  case access::Status::Recovered:
    return "recovered";
  case access::Status::Skipped:
    return "skipped";
  }
  llvm_unreachable("all states are named");
}

llvm::StringRef nameOf(ShapeSource S) {
  switch (S) {
  case ShapeSource::Launch:
    return "launch";
  case ShapeSource::Bounds:
    return "bounds";
  case ShapeSource::Option:
    return "option";
  case ShapeSource::Assumed:
    return "assumed";
  }
  llvm_unreachable("all sources are named");
}

/// What a request needs at best is zero where that does not apply.
static void writeNumber(OStream &J, llvm::StringRef Key,
                        const std::optional<double> &Value) {
  if (Value > 0 && std::isfinite(*Value))
    J.attribute(Key, *Value);
  else
    J.attribute(Key, nullptr);
}

static void writeBound(OStream &J, llvm::StringRef Key,
                       const std::optional<double> &Value) {
  if (Value)
    J.attribute(Key, *Value);
  else
    J.attribute(Key, nullptr);
}

static void writeDim3(OStream &J, llvm::StringRef Key,
                      const std::optional<launch::Dim3> &Dim) {
  if (!Dim)
    return J.attribute(Key, nullptr);
  J.attributeArray(Key, [&] {
    for (const uint32_t Extent : *Dim)
      J.value(Extent);
  });
}

/// In nanoseconds, each as if it were alone.
static void writeParts(OStream &J, const price::KernelTime &T) {
  J.attribute("launch", T.Launch);
  J.attribute("dram", T.Dram);
  J.attribute("l2", T.L2);
  J.attribute("load_store", T.LoadStore);
  J.attribute("under_way", T.UnderWay);
  J.attribute("issue", T.Issue);
  J.attribute("constant", T.Constant);
  J.attribute("latency", T.Latency);
  J.attribute("dispatch", T.Dispatch);
  J.attribute("atomics", T.Atomics);
  J.attribute("waves", T.Waves);
  J.attribute("resident", T.Resident);
  J.attribute("occupancy", T.Occupancy);
}

/// What the launch takes, from cold caches and from warm ones.
static void writeTime(OStream &J, const Kernel &K, unsigned Launch,
                      const price::KnownRates &Rates) {
  if (!Rates.Rates || Launch >= K.Works.size() ||
      !K.Works[Launch].IsWholeGrid || !K.NotModelled.empty())
    return J.attribute("time", nullptr);
  const price::Demands D = price::demandsOf(K, Launch);
  const price::KernelTime Cold =
      price::timeOf(D, *Rates.Rates, price::Caches::Cold);
  const price::KernelTime Warm =
      price::timeOf(D, *Rates.Rates, price::Caches::Warm);
  J.attributeObject("time", [&] {
    J.attribute("bound_by", llvm::StringRef(Warm.boundBy()));
    J.attribute("warm_ns", Warm.Total);
    J.attribute("cold_ns", Cold.Total);
    J.attribute("trips_known", K.Works[Launch].TripsKnown);
    J.attributeObject("instructions", [&] {
      for (unsigned P = 0; P != access::PipeCount; ++P)
        J.attribute(nameOf(access::Pipe(P)), D.Besides.Issued[P]);
    });
    J.attributeObject("warm", [&] { writeParts(J, Warm); });
    J.attributeObject("cold", [&] { writeParts(J, Cold); });
  });
}

static void writeShape(OStream &J, const Kernel &K, unsigned Launch,
                       const price::KnownRates &Rates) {
  const launch::Shape &S = K.Launches[Launch];
  J.object([&] {
    writeDim3(J, "block", S.Block);
    writeDim3(J, "grid", S.Grid);
    J.attribute("dynamic_shared_bytes", S.DynamicSharedBytes);
    J.attribute("source", nameOf(S.Source));
    J.attribute("at", S.At.text());
    J.attribute("when", S.When.empty() ? json::Value(nullptr) : S.When);
    writeTime(J, K, Launch, Rates);
  });
}

/// Global accesses of one statement are judged together: the misaligned
/// neighbours of a stencil are a small part of what their statement moves. So
/// the statement's waste is what "sectors / ideal_sectors" gives for each.
class StatementWaste {
  using Key = std::tuple<std::string, unsigned, Operation, unsigned>;
  struct Sums {
    double Sectors = 0, Ideal = 0;
  };
  std::map<Key, Sums> Statements;

  static Key keyOf(const access::Place &Where, Operation Op, const Cost &C) {
    return {Where.File, Where.Line, Op, C.Launch};
  }
  void add(const access::Place &Where, const Access &A, const Cost &C) {
    Sums &S = Statements[keyOf(Where, A.Op, C)];
    S.Sectors += C.Weight * *C.Sectors;
    S.Ideal += C.Weight * *C.IdealSectors;
  }

public:
  explicit StatementWaste(const Kernel &K) {
    for (const Access &A : K.Accesses)
      for (const Cost &C : A.PerLaunch)
        if (A.Memory == Space::Global && C.Sectors && C.IdealSectors) {
          add(A.Where, A, C);
          for (const access::Place &Other : A.MergedWith)
            add(Other, A, C);
        }
  }

  /// Of \p A as the statement at \p Where has it.
  std::optional<double> idealSectors(const access::Place &Where,
                                     const Access &A, const Cost &C) const {
    auto Found = Statements.find(keyOf(Where, A.Op, C));
    if (A.Memory != Space::Global || Found == Statements.end() ||
        Found->second.Sectors <= 0)
      return C.IdealSectors.value_or(0);
    if (!C.Sectors)
      return std::nullopt;
    return *C.Sectors * Found->second.Ideal / Found->second.Sectors;
  }
};

static void writeCost(OStream &J, const Cost &C,
                      std::optional<double> IdealSectors) {
  J.object([&] {
    J.attribute("launch", C.Launch);
    // One number for the iterations of a loop is exact only as a mean. Their
    // range is worth telling where it is narrow.
    const bool Varies =
        !C.Low && C.Least && C.Most && *C.Most <= 2 * *C.Least &&
        (C.State == Proof::Exact || C.State == Proof::Estimated);
    const bool Splits = Varies && C.State == Proof::Exact;
    J.attribute("proof", nameOf(Splits ? Proof::Bounded : C.State));
    J.attribute("reason", Splits ? "differs between the iterations of a loop"
                                 : llvm::StringRef(C.Reason));
    writeNumber(J, "active_lanes", C.ActiveLanes);
    writeNumber(J, "sectors", C.Sectors);
    writeNumber(J, "ideal_sectors", IdealSectors);
    writeNumber(J, "wavefronts", C.Wavefronts);
    writeNumber(J, "ideal_wavefronts", C.IdealWavefronts.value_or(0));
    if (C.SwapRounds)
      J.attribute("swap_rounds", *C.SwapRounds);
    writeNumber(J, "words", C.Words);
    writeBound(J, "low", Varies ? C.Least : C.Low);
    writeBound(J, "high", Varies ? C.Most : C.High);
    if (C.Possible)
      J.attributeArray("possible", [&] {
        J.value((*C.Possible)[0]);
        J.value((*C.Possible)[1]);
      });
    if (C.Least && C.Most) {
      J.attribute("least", *C.Least);
      J.attribute("most", *C.Most);
    }
  });
}

/// \p Where: one of the places that \p A stands for.
static void writeAccess(OStream &J, const access::Place &Where, const Access &A,
                        const StatementWaste &Statements) {
  J.object([&] {
    J.attribute("file", Where.File);
    J.attribute("line", Where.Line);
    J.attribute("column", Where.Column);
    J.attribute("space", llvm::StringRef(nameOf(A.Memory)));
    J.attribute("op", llvm::StringRef(nameOf(A.Op)));
    J.attribute("bytes", A.Bytes);
    J.attribute("object", A.Object);
    if (A.Trips)
      J.attribute("trips", *A.Trips);
    else
      J.attribute("trips", nullptr);
    J.attributeArray("per_launch", [&] {
      for (const Cost &C : A.PerLaunch)
        writeCost(J, C, Statements.idealSectors(Where, A, C));
    });
  });
}

static void writeKernel(OStream &J, const Kernel &K,
                        const price::KnownRates &Rates) {
  const StatementWaste Statements(K);
  J.object([&] {
    J.attribute("name", K.Name);
    J.attribute("mangled", K.Mangled);
    J.attribute("file", K.Where.File);
    J.attribute("line", K.Where.Line);
    J.attribute("status", nameOf(K.State));
    J.attribute("reason", K.Reason);
    J.attributeArray("launches", [&] {
      for (unsigned N = 0; N != K.Launches.size(); ++N)
        writeShape(J, K, N, Rates);
    });
    J.attributeArray("not_modelled", [&] {
      for (const Kernel::Omission &O : K.NotModelled)
        J.object([&] {
          J.attribute("file", O.Where.File);
          J.attribute("line", O.Where.Line);
          J.attribute("column", O.Where.Column);
          J.attribute("reason", O.Reason);
        });
    });
    J.attributeObject("memory_instructions", [&] {
      J.attribute("written", K.Instructions.Written);
      J.attribute("lowered", K.Instructions.Lowered);
      J.attribute("modelled", K.Instructions.Modelled);
    });
    J.attributeArray("accesses", [&] {
      for (const Access &A : K.Accesses) {
        writeAccess(J, A.Where, A, Statements);
        for (const access::Place &Other : A.MergedWith)
          writeAccess(J, Other, A, Statements);
      }
    });
  });
}

/// What the costs are counted in.
static void writeLaw(OStream &J, const profile::KnownLaw &Known) {
  const profile::RequestLaw &Law = Known.Law;
  J.attributeObject("law", [&] {
    J.attribute("lanes", profile::RequestLaw::Lanes);
    J.attribute("sector_bytes", Law.SectorBytes);
    J.attribute("line_bytes", Law.LineBytes);
    J.attribute("banks", Law.Banks);
    J.attribute("bank_bytes", Law.BankBytes);
    J.attribute("pass_bytes", Law.passBytes());
    J.attributeArray("assumed", [&] {
      for (const std::string &Size : Known.Assumed)
        J.value(Size);
    });
  });
}

void writeAccesses(const access::Model &Model, const price::KnownRates &Rates,
                   llvm::raw_ostream &Out) {
  OStream J(Out, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("schema", "warpwise-accesses/1");
    J.attribute("file", Model.File);
    J.attribute("profile", Model.Profile);
    writeLaw(J, Model.Law);
    J.attributeArray("kernels", [&] {
      for (const Kernel &K : Model.Kernels)
        writeKernel(J, K, Rates);
    });
  });
  Out << '\n';
}

} // namespace warpwise::output
