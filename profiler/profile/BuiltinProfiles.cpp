//===- BuiltinProfiles.cpp - From the binary's tables to a Profile --------===//

#include "profiler/profile/BuiltinProfiles.h"

using namespace warpwise::profile;

Profile BuiltinProfile::unpack() const {
  Profile P;
  P.Name = Name;
  P.Gpu = Gpu;
  P.Architecture = Architecture;
  P.Origin = Origin;
  // Sorted already, so that each one's place is the end.
  for (const QuantityRow &Row : Quantities) {
    Quantity Q{Row.Value,
               std::string(Row.Word),
               std::string(Row.Unit),
               Row.Ci95,
               Row.N,
               Row.State,
               std::string(Row.Method),
               Row.Mhz,
               std::nullopt};
    if (Row.Second)
      Q.Second = {std::string(Row.Second->Method), Row.Second->Value,
                  Row.Second->Agrees};
    P.Quantities.emplace_hint(P.Quantities.end(), Row.Path, std::move(Q));
  }
  for (const CurveRow &Row : Curves)
    P.Curves.emplace_hint(P.Curves.end(), Row.Path,
                          Curve{std::string(Row.X),
                                std::string(Row.Y),
                                {Row.Points.begin(), Row.Points.end()},
                                Row.State,
                                std::string(Row.Method)});
  for (const GuidelineRow &Row : Guidelines)
    P.Guidelines.emplace_hint(
        P.Guidelines.end(), Row.Id,
        Guideline{Row.Says, Row.Effect, std::string(Row.Evidence)});
  for (const EnvironmentRow &Row : Environment)
    P.Environment.emplace_hint(P.Environment.end(), Row.Name, Row.Value);
  return P;
}
