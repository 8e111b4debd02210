//===- Rule.h - The interface of a rule -------------------------*- C++ -*-===//
//
// A rule is one folder below rules/: its name is the folder's name, its page is
// the folder's README.md, and the build hands both to REGISTER_RULE. Rules see
// the access model and the device profile, never Clang or LLVM IR.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_RULE_H
#define WARPWISE_RULES_RULE_H

#include "analyzer/advice/Finding.h"
#include "analyzer/model/AccessModel.h"
#include "analyzer/price/Gain.h"
#include "profiler/profile/Profile.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::rules {

/// What the launch that a finding speaks of would be with its advice followed.
/// With neither the finding has no price.
struct Cure {
  unsigned Launch = 0; ///< index into Kernel::Launches
  std::vector<price::Repair> Repairs;
  std::optional<price::Reshape> Shape;
  /// What is a finding by its gain alone (Finding::OnlyByGain) gains at least
  /// as much for sure (Gain::Sure), and something at the lower end of the
  /// interval. Less will do for an advice that takes something away and puts
  /// nothing in its place.
  double SureGain = 1.05;
};

/// One repair, of \p A alone, under launch \p Launch.
inline Cure cureOf(const access::Kernel &K, const access::Access &A,
                   unsigned Launch, price::Repair Its) {
  Its.Access = size_t(&A - K.Accesses.data());
  return {Launch, {Its}, {}};
}

using Sink = std::function<void(advice::Finding, Cure)>;

class Rule {
public:
  virtual ~Rule() = default;

  /// Why the rule has nothing to say on a device, as half a sentence ("its
  /// guideline S_1 does not hold: ..."), or empty when it has. The runner
  /// calls check() only in the second case.
  virtual std::string quietOn(const profile::Profile &) const { return ""; }

  /// Whether an instantiation of the same template with other numbers is what
  /// the rule advises, if its lanes move more bytes at the place: copy<float,
  /// 4> beside copy<float, 1>, which is there for what cannot be divided by 4.
  virtual bool isCuredByInstances() const { return false; }

  /// Reports what is wrong with \p Kernel on the device of \p Device. A rule
  /// that cannot judge an access reports nothing about it. Finding::Rule, the
  /// counts of kernels and the price are filled in by the runner.
  virtual void check(const access::Kernel &Kernel,
                     const profile::Profile &Device,
                     const Sink &Report) const = 0;
};

/// A rule with what the build knows about it.
struct Entry {
  std::string_view Name;    ///< "cuda-memory-bank-conflict"
  std::string_view Summary; ///< the first sentence of the page
  std::string_view Page;    ///< README.md, Markdown
  std::string_view Uri;     ///< where the page can be read
  std::unique_ptr<Rule> (*Create)();
};

/// All rules that are linked in, sorted by name.
const std::vector<Entry> &registry();

/// Makes a rule known; used only through REGISTER_RULE.
struct Registration {
  Registration(std::string_view Folder, std::string_view Page,
               std::string_view Uri, std::unique_ptr<Rule> (*Create)());
};

/// Put once at the end of a rule's source file. The build defines RULE_NAME
/// (the folder's name), RULE_PAGE (its README.md) and RULE_PAGE_URI for the
/// sources of that folder.
#define REGISTER_RULE(Class)                                                   \
  static const ::warpwise::rules::Registration Registered(                     \
      RULE_NAME, RULE_PAGE, RULE_PAGE_URI,                                     \
      []() -> std::unique_ptr<::warpwise::rules::Rule> {                       \
        return std::make_unique<Class>();                                      \
      })

} // namespace warpwise::rules

#endif // WARPWISE_RULES_RULE_H
