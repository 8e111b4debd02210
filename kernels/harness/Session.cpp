//===- Session.cpp - Recording of what was measured -----------------------===//

#include "kernels/harness/Session.h"

#include "profiler/io/WriteFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace warpwise::harness {

using profile::Quantity;
using profile::Status;

std::string Device::architecture() const {
  return fmt::format("sm_{}", capability());
}

Session::Session(Device D, SessionOptions O)
    : Dev(std::move(D)), Options(std::move(O)), Generator(Options.Seed) {}

double Session::need(profile::EntryPath Path) const {
  if (std::optional<double> V = value(Path))
    return *V;
  throw Skip(
      fmt::format("it builds on '{}', which was not measured", Path.text()));
}

Quantity &Session::add(profile::EntryPath Path, const std::string &Unit,
                       Status State, const std::string &Method) {
  Quantity &Q = Result.Quantities[Path];
  Q = {};
  Q.Unit = Unit;
  Q.State = State;
  Q.Method = Method;
  return Q;
}

void Session::measured(profile::EntryPath Path, const std::string &Unit,
                       const inference::Estimate &E,
                       const std::string &Method) {
  Quantity &Q =
      add(Path, Unit, E.Converged ? Status::Measured : Status::NotConverged,
          Method);
  Q.Value = E.Value;
  Q.Ci95 = {{E.Low, E.High}};
  Q.N = std::max(1u, E.N);
  if (Mhz > 0)
    Q.Mhz = Mhz;
}

void Session::exact(profile::EntryPath Path, const std::string &Unit,
                    double Value, const std::string &Method, unsigned N) {
  Quantity &Q = add(Path, Unit, Status::Measured, Method);
  Q.Value = Value;
  Q.N = N;
  if (Mhz > 0)
    Q.Mhz = Mhz;
}

void Session::word(profile::EntryPath Path, const std::string &Word,
                   const std::string &Method) {
  add(Path, "name", Status::Measured, Method).Word = Word;
}

void Session::api(profile::EntryPath Path, const std::string &Unit,
                  double Value, const std::string &Method) {
  add(Path, Unit, Status::Api, Method).Value = Value;
}

void Session::alias(profile::EntryPath Path, profile::EntryPath Of) {
  const Quantity *Q = Result.find(Of);
  if (!Q || !Q->Value) {
    notMeasurable(
        Path, Q ? Q->Unit : "1",
        fmt::format("the same as '{}', which was not measured", Of.text()));
    return;
  }
  const Quantity Original = *Q;
  Quantity &New = add(Path, Original.Unit, Status::Alias,
                      fmt::format("the same as {}", Of.text()));
  New.Value = Original.Value;
  New.Ci95 = Original.Ci95;
  New.Mhz = Original.Mhz;
}

void Session::inferred(profile::EntryPath Path, const std::string &Unit,
                       double Value, const std::string &Method) {
  add(Path, Unit, Status::Inferred, Method).Value = Value;
}

void Session::notMeasurable(profile::EntryPath Path, const std::string &Unit,
                            const std::string &Reason) {
  add(Path, Unit, Status::NotMeasurable, Reason);
}

void Session::check(profile::EntryPath Path, const std::string &Method,
                    double Value, double Tolerance) {
  auto At = Result.Quantities.find(Path);
  if (At == Result.Quantities.end() || !At->second.Value)
    return;
  const double Is = *At->second.Value;
  At->second.Second = {Method, Value,
                       std::abs(Value - Is) <= Tolerance * std::abs(Is)};
}

void Session::curve(profile::EntryPath Path, const std::string &X,
                    const std::string &Y,
                    std::vector<std::array<double, 2>> Points,
                    const std::string &Method) {
  Result.Curves[Path] = {X, Y, std::move(Points), Status::Measured, Method};
}

void Session::trace(const std::string &Name,
                    const std::vector<Column> &Columns) {
  if (Options.TraceFolder.empty() || Columns.empty())
    return;
  assert(std::all_of(Columns.begin(), Columns.end(),
                     [&](const Column &C) {
                       return C.Values.size() == Columns.front().Values.size();
                     }) &&
         "columns of different length");
  std::string Text;
  for (const Column &C : Columns)
    Text += (&C == &Columns.front() ? "" : ",") + C.Name;
  Text += '\n';
  for (size_t Row = 0; Row != Columns.front().Values.size(); ++Row)
    for (size_t C = 0; C != Columns.size(); ++C)
      Text += fmt::format("{}{}", Columns[C].Values.at(Row),
                          C + 1 == Columns.size() ? '\n' : ',');
  const std::string File = fmt::format("{}/{}.csv", Current, Name);
  std::error_code Ignored; // createBelow says why there is no such folder
  std::filesystem::create_directories(Options.TraceFolder, Ignored);
  const std::string Why = io::createBelow(Options.TraceFolder, File, Text);
  if (!Why.empty())
    throw Skip(fmt::format("the trace '{}/{}' cannot be written: {}",
                           Options.TraceFolder, File, Why));
}

} // namespace warpwise::harness
