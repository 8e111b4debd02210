//===- DocumentTest.cpp - Reading, validating and printing a profile ------===//
//
// Each broken document differs in one place from a valid one, and the whole
// sentence is compared: naming the field at fault is the point.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "profiler/profile/Paths.h"

#include <cmath>
#include <limits>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

/// What is wrong with \p P, or "".
std::string violation(const Profile &P) {
  const std::optional<Violation> Wrong = profile::validate(P);
  return Wrong ? Wrong->text() : "";
}

std::string errorOf(const std::string &Text) {
  auto R = parse(Text, "p.json");
  EXPECT_FALSE(R);
  EXPECT_EQ(R.reason().find('\n'), std::string::npos);
  return R.reason();
}

/// The error after one textual change to a valid document.
std::string errorAfter(const std::string &From, const std::string &To) {
  return errorOf(replaced(toJson(smallProfile()), From, To));
}

/// Everything that a profile can hold, once.
Profile fullProfile() {
  Profile P = smallProfile("full");
  Quantity &Q = P.Quantities[paths::levels_l1_latency];
  Q.Value = 33.1;
  Q.Ci95 = {{32.95, 33.25}};
  Q.N = 40960;
  Q.Mhz = 1979.5;
  Q.Second = {"bracketed \"trace\"", 33, true};
  P.Quantities[paths::levels_l1_replacement] = quantity({}, "name");
  P.Quantities[paths::levels_l1_replacement].Word = "LRU";
  P.Quantities[paths::levels_tlb_page] =
      quantity({}, "B", Status::NotMeasurable, "no large pages");
  P.Quantities["hopper.tma.latency"] =
      quantity(0.1 + 0.2, "clk", Status::NotConverged, "m");
  P.Quantities["environment.mhz_mean"] = quantity(1e300, "MHz", Status::Api);
  P.Environment["driver"] = "580.82.07";
  P.Curves[paths::levels_l1_latency_by_footprint] = {
      "footprint [B]",
      "latency [clk]",
      {{{1024, 33.1}}, {{1e9, -0.5}}},
      Status::Measured,
      "chase"};
  P.Guidelines["S_1"] = {Guideline::Verdict::Holds, 31.5, "slope"};
  P.Guidelines["T_4"] = {Guideline::Verdict::DoesNotHold, {}, "one cache"};
  return P;
}

TEST(Document, KeepsEverythingOnARoundTrip) {
  Profile P = fullProfile();
  ASSERT_EQ(violation(P), "");
  auto R = parse(toJson(P), "p.json");
  ASSERT_TRUE(R) << R.reason();
  EXPECT_EQ(*R, P);
  EXPECT_EQ(toJson(*R), toJson(P));
}

TEST(Document, AnswersByPath) {
  Profile P = fullProfile();
  EXPECT_EQ(P.value(paths::levels_l1_latency), 33.1);
  EXPECT_EQ(P.value(paths::levels_tlb_page), std::nullopt);
  EXPECT_EQ(P.value(paths::levels_l1), std::nullopt);
  ASSERT_NE(P.find(paths::levels_tlb_page), nullptr);
  EXPECT_EQ(P.find(std::string("levels.l9.latency")), nullptr);
  EXPECT_TRUE(P.mayHold("S_1"));
  EXPECT_TRUE(P.mayHold("S_2")) << "nothing is known about it";
  EXPECT_FALSE(P.mayHold("T_4"));
}

TEST(Document, SaysWhereTheSyntaxIsBroken) {
  EXPECT_EQ(errorOf("{\n  \"schema\": warp\n}").rfind("p.json:2:13: ", 0), 0u)
      << errorOf("{\n  \"schema\": warp\n}");
  EXPECT_NE(errorOf("{\n  \"schema\": warp\n}").find("syntax error"),
            std::string::npos);
  EXPECT_EQ(errorOf("").rfind("p.json:1:1: ", 0), 0u);
  EXPECT_EQ(errorOf("{\"a\": 1").rfind("p.json:1:8: ", 0), 0u);
  // Valid JSON has no NaN, and 1e999 does not fit.
  EXPECT_EQ(errorOf("{\"a\": NaN}").rfind("p.json:1:7: ", 0), 0u);
  EXPECT_NE(errorOf("{\"a\": 1e999}").find("1e999"), std::string::npos);
}

TEST(Document, RefusesWhatItCannotKeep) {
  EXPECT_EQ(errorOf("{\"a\": {\"b\": 1, \"b\": 2}}"),
            "p.json: the key 'b' appears twice");
  EXPECT_EQ(errorOf("[]"),
            "p.json: the document: is of type array, expected an object");
  EXPECT_EQ(errorOf(std::string(100000, '[')),
            "p.json: is nested deeper than 16 levels");
}

TEST(Document, ChecksTheSchemaFirst) {
  EXPECT_EQ(errorAfter("warpwise-profile/1", "warpwise-profile/3"),
            "p.json: schema: is version 3, this Warpwise reads up to 1");
  // A newer version may mean anything by its fields: only that is said.
  EXPECT_EQ(errorOf("{\"schema\": \"warpwise-profile/2\", \"levels\": 7}"),
            "p.json: schema: is version 2, this Warpwise reads up to 1");
  EXPECT_EQ(errorOf("{}"),
            "p.json: schema: is missing, expected 'warpwise-profile/1'");
  EXPECT_EQ(errorAfter("warpwise-profile/1", "mt4g/1"),
            "p.json: schema: is 'mt4g/1', expected 'warpwise-profile/1'");
  EXPECT_EQ(errorAfter("warpwise-profile/1", "warpwise-profile/1x"),
            "p.json: schema: is 'warpwise-profile/1x', expected "
            "'warpwise-profile/1'");
}

TEST(Document, NamesTheFieldAtFault) {
  EXPECT_EQ(errorAfter("\"sm_90\"", "\"sm90\""),
            "p.json: device.architecture: is 'sm90', expected one such as "
            "'sm_90'");
  EXPECT_EQ(errorAfter("\"name\": \"small\"", "\"name\": \"../small\""),
            "p.json: name: '../small' cannot be a file's name; use letters, "
            "digits, '.', '_' and '-'");
  // The first quantity of the document is device.sm_count.
  EXPECT_EQ(errorAfter("\"unit\": \"1\"", "\"unit\": \"clk\""),
            "p.json: device.sm_count: unit is 'clk', expected '1'");
  EXPECT_EQ(errorAfter("\"value\": 1,", "\"value\": \"1\","),
            "p.json: device.sm_count: value is the word '1', expected a "
            "number in '1'");
  EXPECT_EQ(errorAfter("\"value\": 1,", "\"value\": [1],"),
            "p.json: device.sm_count: value is of type array, expected a "
            "number");
  EXPECT_EQ(errorAfter("\"value\": 1,", ""),
            "p.json: device.sm_count: value is missing, but the status is "
            "'measured'");
  EXPECT_EQ(errorAfter("\"value\": 1,", "\"value\": 0,"),
            "p.json: device.sm_count: value is 0, expected 1 to 10000");
  EXPECT_EQ(errorAfter("\"value\": 0.1,", "\"value\": 0,"),
            "p.json: levels.constant.latency: value is 0, expected 0.1 to "
            "100000 clk");
  EXPECT_EQ(errorAfter("\"value\": 1,", "\"vaule\": 1,"),
            "p.json: device.sm_count: has an unknown field 'vaule'");
  EXPECT_EQ(errorAfter("\"status\": \"measured\"", "\"status\": \"guessed\""),
            "p.json: device.sm_count: status is 'guessed', expected one of "
            "measured, api, alias, literature, inferred, not-measurable, "
            "not-converged");
  EXPECT_EQ(
      errorAfter("\"status\": \"measured\"", "\"status\": \"not-measurable\""),
      "p.json: device.sm_count: has a value but is 'not-measurable'");
  EXPECT_EQ(errorAfter("\"sm_count\": {", "\"sm_count\": 114, \"x\": {"),
            "p.json: device.sm_count: is of type number, expected a quantity "
            "{value, unit, status, method} or a section");
}

TEST(Document, ReadsTheParametersOfAValueStrictly) {
  auto With = [](const std::string &Fields) {
    return errorAfter("\"value\": 1,", "\"value\": 1, " + Fields + ",");
  };
  EXPECT_EQ(With("\"ci95\": [2, 1]"),
            "p.json: device.sm_count: ci95 is not an interval of two finite "
            "numbers, the lower one first");
  EXPECT_EQ(With("\"ci95\": [1]"), "p.json: device.sm_count: ci95 is of type "
                                   "array, expected an array of two numbers");
  EXPECT_EQ(With("\"n\": -4"), "p.json: device.sm_count: n is of type number, "
                               "expected a whole number from 1");
  EXPECT_EQ(With("\"n\": 0"),
            "p.json: device.sm_count: n is 0, expected a number of samples");
  EXPECT_EQ(With("\"mhz\": -1"),
            "p.json: device.sm_count: mhz is not a positive finite number");
  EXPECT_EQ(With("\"check\": {\"method\": \"m\", \"value\": 1}"),
            "p.json: device.sm_count.check: agrees is missing or neither true "
            "nor false");
  EXPECT_EQ(With("\"check\": 4"), "p.json: device.sm_count.check: is of type "
                                  "number, expected {method, value, agrees}");
}

TEST(Document, ChecksCurvesAndGuidelines) {
  auto With = [](const std::string &Section) {
    return errorAfter("\"origin\"", Section + ", \"origin\"");
  };
  EXPECT_EQ(With(R"("guidelines": {"S_9": {"verdict": "holds",
                                           "evidence": "e"}})"),
            "p.json: guidelines.S_9: is not one of the 23 guidelines "
            "(L_1..L_4, S_1..S_6, C_1..C_5, G_1..G_4, T_1..T_4)");
  EXPECT_EQ(With(R"("guidelines": {"S_1": {"evidence": "e"}})"),
            "p.json: guidelines.S_1: verdict is missing, expected one of "
            "holds, does-not-hold, not-tested");
  EXPECT_EQ(With(R"("curves": {"a.b": {"x": "x", "y": "y", "points": [[1]],
                               "status": "api", "method": "m"}})"),
            "p.json: curves.a.b: points has an element that is not an array "
            "of two numbers");
  // Those that begin as a list of pairs.
  for (const char *Points :
       {"[[1, 2], [3]]", "[[1, 2], [3, 4, 5]]", "[[1, 2], 3]",
        "[[1, 2], [[3]]]", "[[1, 2], [3, \"4\"]]", "[[1, 2], {}]",
        "[[1, 2], null]", "[[]]"})
    EXPECT_EQ(With(fmt::format(R"("curves": {{"a.b": {{"x": "x", "y": "y",
                                   "points": {}, "status": "measured",
                                   "method": "m"}}}})",
                               Points)),
              "p.json: curves.a.b: points has an element that is not an array "
              "of two numbers")
        << Points;
  EXPECT_EQ(With(R"("curves": {"a.b": {"x": [[1, 2]]}})"),
            "p.json: curves.a.b: x is of type array, expected a string");
  EXPECT_EQ(With(R"("curves": {"a.b": {"x": "x", "y": "y", "points": [],
                               "status": "api", "method": "m"}})"),
            "p.json: curves.a.b: has no points");
  EXPECT_EQ(With(R"("curves": {"a": {"x": "x", "y": "y", "points": [[1, 2]],
                             "status": "api", "method": "m"}})"),
            "p.json: curves.a: has to lie in a section");
}

TEST(Validate, WantsFiniteNumbers) {
  double Infinity = std::numeric_limits<double>::infinity();
  Profile P = smallProfile();
  P.Quantities[paths::levels_l2_latency].Value = std::nan("");
  EXPECT_EQ(violation(P), "levels.l2.latency: value is not a finite number");
  P.Quantities[paths::levels_l2_latency].Value = 200;
  P.Quantities[paths::levels_l2_latency].Ci95 = {{200, Infinity}};
  EXPECT_NE(violation(P).find("levels.l2.latency: ci95"), std::string::npos);
  P = smallProfile();
  P.Curves["a.b"] = {"x", "y", {{{1, Infinity}}}, Status::Measured, "m"};
  EXPECT_EQ(violation(P), "curves.a.b: has a point that is not finite");
}

TEST(Validate, WantsEveryRequiredQuantity) {
  for (const KnownPath &Each : knownPaths()) {
    if (!Each.Required)
      continue;
    Profile P = smallProfile();
    P.Quantities.erase(std::string(Each.Path));
    EXPECT_EQ(violation(P).rfind(std::string(Each.Path) + ": is missing", 0),
              0u)
        << violation(P);
    // But it is enough to say why there is none.
    P.Quantities[std::string(Each.Path)] =
        quantity({}, std::string(Each.Unit), Status::NotMeasurable);
    EXPECT_EQ(violation(P), "");
  }
}

TEST(Validate, KeepsPathsApart) {
  Quantity Q = quantity(1, "1");
  auto ErrorFor = [&](const std::string &Path) {
    Profile P = smallProfile();
    P.Quantities[Path] = Q;
    return violation(P);
  };
  EXPECT_EQ(ErrorFor("hopper.tma.boxes"), "");
  EXPECT_EQ(ErrorFor("device.sm_count.value"),
            "device.sm_count: is a quantity and has 'device.sm_count.value' "
            "below it");
  for (const char *Path : {"schema.x", "curves.x", "device.gpu", "lonely"})
    EXPECT_NE(ErrorFor(Path), "") << Path;
  for (const char *Path : {"a..b", ".a", "a.b c", ""})
    EXPECT_NE(ErrorFor(Path).find("is not a path"), std::string::npos) << Path;
  Profile P = smallProfile();
  P.Environment["driver"] = "580";
  P.Quantities["environment.driver.major"] = Q;
  EXPECT_EQ(violation(P), "environment.driver: is a text and a quantity");
}

TEST(Describe, ShowsAlignedSections) {
  std::string Page = describe(fullProfile());
  EXPECT_EQ(Page.rfind("full: Small GPU, sm_90\nmade up for a test\n", 0), 0u);
  EXPECT_NE(Page.find("\ndriver: 580.82.07\n"), std::string::npos);
  EXPECT_NE(Page.find("33.1 [32.95, 33.25] clk  measured"), std::string::npos)
      << Page;
  EXPECT_NE(Page.find("not-measurable  no large pages"), std::string::npos);
  EXPECT_NE(Page.find("\nhopper\n  tma.latency  0.3 clk  not-converged  m\n"),
            std::string::npos);
  EXPECT_NE(Page.find("  S_1  31.5x   holds          slope\n"),
            std::string::npos);
  EXPECT_LT(Page.find("\ndevice\n"), Page.find("\nlevels\n"));
  EXPECT_LT(Page.find("\nwarp\n"), Page.find("\nbandwidth\n"));
}

TEST(Describe, ShortensMethodsBetweenCharacters) {
  Profile P = smallProfile();
  std::string Long;
  for (int I = 0; I < 200; ++I)
    Long += "\u00b5";
  P.Quantities[paths::device_sm_count].Method = Long;
  std::string Page = describe(P);
  EXPECT_EQ(Page.find(Long), std::string::npos);
  // Half a character would be a lone 0xC2.
  EXPECT_EQ(Page.find("\xC2 "), std::string::npos);
  EXPECT_NE(Page.find("\u00b5 ..."), std::string::npos);
}

TEST(Page, ListsEveryKnownPath) {
  std::string Page = contentOf(WARPWISE_PROFILE_PAGE);
  ASSERT_FALSE(Page.empty());
  size_t Rows = 0;
  for (size_t At = 0; (At = Page.find("\n| `", At)) != Page.npos; ++At)
    ++Rows;
  EXPECT_EQ(Rows, knownPaths().size());
  for (const KnownPath &Each : knownPaths()) {
    std::string Row = "\n| `" + std::string(Each.Path) + "` | " +
                      std::string(Each.Unit) + " | " +
                      (Each.Required ? "yes" : "") + " | ";
    EXPECT_NE(Page.find(Row), std::string::npos) << Row;
  }
}

} // namespace
