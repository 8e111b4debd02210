//===- Support.h - Small profiles for the reports' tests --------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_PROFILE_REPORTS_SUPPORT_H
#define WARPWISE_TEST_UNIT_PROFILE_REPORTS_SUPPORT_H

#include "profiler/profile/Profile.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::reports {

inline profile::Quantity
quantity(double Value, std::string Unit,
         std::optional<std::array<double, 2>> Ci95 = std::nullopt,
         profile::Status State = profile::Status::Measured,
         std::string Method = "made up") {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = std::move(Unit);
  Q.Ci95 = Ci95;
  Q.State = State;
  Q.Method = std::move(Method);
  return Q;
}

inline profile::Quantity word(std::string Word) {
  profile::Quantity Q;
  Q.Word = std::move(Word);
  Q.Unit = "name";
  Q.State = profile::Status::Measured;
  Q.Method = "made up";
  return Q;
}

inline profile::Quantity notMeasurable(std::string Unit, std::string Why) {
  profile::Quantity Q;
  Q.Unit = std::move(Unit);
  Q.State = profile::Status::NotMeasurable;
  Q.Method = std::move(Why);
  return Q;
}

inline profile::Curve curve(std::string X, std::string Y,
                            std::vector<std::array<double, 2>> Points,
                            std::string Method = "made up") {
  return {std::move(X), std::move(Y), std::move(Points),
          profile::Status::Measured, std::move(Method)};
}

inline profile::Profile named(std::string Name, std::string Gpu) {
  profile::Profile P;
  P.Name = std::move(Name);
  P.Gpu = std::move(Gpu);
  P.Architecture = "sm_90";
  P.Origin = "made up for a test";
  return P;
}

inline size_t count(const std::string &Text, const std::string &What) {
  size_t N = 0;
  for (size_t At = Text.find(What); At != Text.npos;
       At = Text.find(What, At + What.size()))
    ++N;
  return N;
}

inline bool holds(const std::string &Text, const std::string &What) {
  return Text.find(What) != Text.npos;
}

} // namespace warpwise::reports

#endif // WARPWISE_TEST_UNIT_PROFILE_REPORTS_SUPPORT_H
