#include "algorithms/contract/registry.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace bellmark {
namespace {

constexpr const char* kCorrect = "correct its describe()";

std::vector<std::string> key_names(const Family& family) {
  std::vector<std::string> names;
  for (const Key& key : family.description().keys) names.push_back(key.name);
  return names;
}

Settings defaults(const Family& family) {
  Settings settings;
  for (const Key& key : family.description().keys) settings.set(key.name, key.default_value);
  return settings;
}

/// `given` by the names that the family's keys have.
Settings by_present_names(const Family& family, const Settings& given, std::string_view pattern) {
  Settings named;
  for (const auto& [name, value] : given.entries()) {
    const Key* const key = family.key(name);
    if (key == nullptr) {
      throw InputError(pattern, "'" + family.name + "' has no key '" + name + "'",
                       suggestion(name, key_names(family)));
    }
    if (named.has(key->name)) {
      throw InputError(pattern,
                       "key '" + key->name + "' is given twice: '" + name + "' names it too",
                       "give it once");
    }
    named.set(key->name, value);
  }
  return named;
}

/// `name:key=value,...` with keys in declared order, each by its first name or its present one.
/// `kept`: keys that stay though their values are implied.
std::string name_of(std::string name, const Family& family, const Settings& settings,
                    bool by_first_names, const Settings& kept = {}) {
  char separator = ':';
  for (const Key& key : family.description().keys) {
    if (!settings.has(key.name)) continue;
    const std::string& value = settings.get(key.name);
    if (key.implied && value == key.default_value && !kept.has(key.name)) continue;
    const bool is_renamed = by_first_names && !key.former_names.empty();
    name.append(1, separator).append(is_renamed ? key.former_names.front() : key.name);
    name.append("=").append(value);
    separator = ',';
  }
  return name;
}

constexpr std::array kOwnNeeds = {Need::cuda,         Need::lemon,     Need::mpi,
                                  Need::non_negative, Need::symmetric, Need::sorted_rows};

bool is_own(Need need) { return std::ranges::find(kOwnNeeds, need) != kOwnNeeds.end(); }

bool is_glob(const std::string& value) { return value.find_first_of("*?") != std::string::npos; }

/// Refuses keys that the user wrote and that apply to none of the instances meant.
void refuse_inapplicable(const Family& family, const Settings& given, const Settings& applicable,
                         std::string_view pattern) {
  for (const Settings::Entry& wrote : given.entries()) {
    if (applicable.has(wrote.first)) continue;
    // The other key that rules it out: no instance with this key has that key's value.
    std::string reason = "these settings";
    for (const Settings::Entry& other : applicable.entries()) {
      const bool meets = std::ranges::any_of(family.instances, [&](const Instance& instance) {
        return instance.description.instance.has(wrote.first) && instance.may_serve({other});
      });
      if (meets) continue;
      reason = other.first + "=" + other.second;
      break;
    }
    throw InputError(pattern, "key '" + wrote.first + "' does not apply to " + reason,
                     "leave it out");
  }
}

/// The selections of one family under `written` (keys that the user wrote).
std::vector<Selection> expand(const Family& family, const Settings& written,
                              std::string_view pattern) {
  const Settings given = by_present_names(family, written, pattern);
  Settings settings = defaults(family);
  bool globbed = false;
  for (const auto& [name, value] : given.entries()) {
    const Key* key = family.key(name);
    if (is_glob(value) && key->when == Key::When::run_time) {
      throw InputError(pattern, "run-time key '" + name + "' takes no glob",
                       "name the value, or make it an axis");
    }
    if (!is_glob(value)) {
      if (const std::string refusal = key->refuse(value); !refusal.empty()) {
        throw InputError(pattern, refusal);
      }
    }
    globbed = globbed || is_glob(value);
    settings.set(name, value);
  }
  if (!globbed) {
    const Settings applicable = family.applicable(settings);
    refuse_inapplicable(family, given, applicable, pattern);
    return {{&family, applicable, given}};
  }

  std::vector<Selection> selections;
  for (const Instance& instance : family.instances) {
    const Settings& fixed = instance.description.instance;
    // A key that was written must apply, unless any value of it would do.
    const bool applies = std::ranges::all_of(given.entries(), [&](const auto& entry) {
      return entry.second == "*" || fixed.has(entry.first) ||
             family.key(entry.first)->when == Key::When::run_time;
    });
    if (!applies || !instance.may_serve(settings)) continue;
    Settings concrete;
    for (const auto& [name, value] : settings.entries()) {
      if (fixed.has(name)) {
        concrete.set(name, value == "auto" ? value : fixed.get(name));
      } else if (family.key(name)->when == Key::When::run_time) {
        concrete.set(name, value);
      }
    }
    const auto same = [&](const Selection& other) { return other.settings == concrete; };
    if (std::ranges::none_of(selections, same)) selections.push_back({&family, concrete, given});
  }
  return selections;
}

}  // namespace

bool Instance::may_serve(const Settings& settings) const {
  return std::ranges::all_of(description.instance.entries(), [&](const auto& entry) {
    if (!settings.has(entry.first)) return true;
    const std::string& value = settings.get(entry.first);
    return value == "auto" || glob_match(value, entry.second);
  });
}

const Key* Family::key(std::string_view key_name) const {
  for (const Key& key : description().keys) {
    const auto& former = key.former_names;
    if (key.name == key_name || std::ranges::find(former, key_name) != former.end()) return &key;
  }
  return nullptr;
}

std::vector<Need> Family::common_needs() const {
  std::vector<Need> common = description().needs;
  std::erase_if(common, [this](Need need) {
    return std::ranges::any_of(instances, [need](const Instance& instance) {
      const auto& needs = instance.description.needs;
      return std::ranges::find(needs, need) == needs.end();
    });
  });
  return common;
}

Settings Family::applicable(const Settings& settings) const {
  std::vector<const Instance*> candidates;
  for (const Instance& instance : instances) {
    if (instance.may_serve(settings)) candidates.push_back(&instance);
  }
  if (candidates.empty()) return settings;
  Settings kept;
  for (const Settings::Entry& entry : settings.entries()) {
    const Key* declared = key(entry.first);
    const bool applies = declared == nullptr || declared->when == Key::When::run_time ||
                         std::ranges::any_of(candidates, [&](const Instance* candidate) {
                           return candidate->description.instance.has(entry.first);
                         });
    if (applies) kept.set(entry.first, entry.second);
  }
  return kept;
}

std::string Family::canonical(const Settings& settings) const {
  if (!absence.empty()) return settings.entries().empty() ? name : name + ":" + settings.text();
  return name_of(name, *this, settings, false);
}

const Instance* Family::instance(const Settings& settings) const {
  for (const Instance& instance : instances) {
    const Settings& fixed = instance.description.instance;
    const bool same = std::ranges::all_of(description().keys, [&](const Key& one) {
      if (one.when == Key::When::run_time) return true;
      if (fixed.has(one.name) != settings.has(one.name)) return false;
      return !fixed.has(one.name) || fixed.get(one.name) == settings.get(one.name);
    });
    if (same) return &instance;
  }
  return nullptr;
}

InputError Family::not_built(const Settings& settings) const {
  return {canonical(settings), "this combination of keys was not built",
          "see the built ones: bellmark list -v '" + name +
              ":*', or configure with -DBELLMARK_INSTANCES=full"};
}

std::string Selection::untimed() const {
  return family->key(kUntimed) == nullptr ? kNothing : settings.get(kUntimed);
}

bool Selection::needs(Need need) const {
  return std::ranges::any_of(family->instances, [&](const Instance& instance) {
    return instance.may_serve(settings) &&
           std::ranges::find(instance.description.needs, need) != instance.description.needs.end();
  });
}

std::string Selection::refuse_ranks(std::size_t rank_count) const {
  std::string reason;
  for (const Instance& instance : family->instances) {
    if (!instance.may_serve(settings)) continue;
    const auto refuse = instance.description.refuse_ranks;
    reason = refuse == nullptr ? "" : refuse(settings, rank_count);
    if (reason.empty()) break;
  }
  return reason;
}

Registry& Registry::global() {
  static Registry registry;
  return registry;
}

Family* Registry::find(std::string_view name) {
  for (Family& family : families_) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

void Registry::add(Instance instance) {
  const Description& description = instance.description;
  for (const Key& key : description.keys) {
    if (key.when == Key::When::run_time && description.instance.has(key.name)) {
      faults_.push_back({"variant '" + description.name + "'",
                         "run-time key '" + key.name + "' must not be in Description::instance",
                         kCorrect});
      return;
    }
  }
  Family* family = find(description.name);
  if (family == nullptr) {
    families_.push_back({description.name, {}});
    // Sorted, so that listings don't depend on link order.
    std::ranges::sort(families_, {}, &Family::name);
    family = find(description.name);
  } else if (family->instance(description.instance) != nullptr) {
    faults_.push_back(
        {"variant '" + description.name + "'",
         "is registered twice with the same keys: '" + description.instance.text() + "'",
         "give one of the two another name, or a compile-time key of another value"});
    return;
  }
  family->instances.push_back(std::move(instance));
}

void Registry::check() const {
  auto faults = faults_;
  const auto is_known = [&](Need need) {
    return is_own(need) || std::ranges::any_of(needs_, [&](const auto& declared) {
             return declared.first == need;
           });
  };
  for (const Family& family : families_) {
    for (const Instance& instance : family.instances) {
      for (const Need need : instance.description.needs) {
        if (is_known(need)) continue;
        faults.push_back({"variant '" + family.name + "'",
                          "needs '" + to_string(need) + "', which nothing declares",
                          "declare it (BELLMARK_NEED), or correct the word"});
      }
    }
    for (const Key& key : family.description().keys) {
      if (takes_graphs(family.problem()) ? key.name == "graph" : key.name == "input") {
        faults.push_back({"variant '" + family.name + "'",
                          "key '" + key.name + "' has the name of the axis of inputs",
                          "give it another name"});
      }
      const bool fixed = std::ranges::any_of(family.instances, [&](const Instance& instance) {
        return instance.description.instance.has(key.name);
      });
      if (!fixed && key.when == Key::When::compile_time) {
        faults.push_back({"variant '" + family.name + "'",
                          "compile-time key '" + key.name + "' is in no Description::instance",
                          kCorrect});
      }
    }
  }
  if (faults.empty()) return;
  throw Error(ExitCode::internal, faults.front().where, faults.front().what, faults.front().remedy);
}

void Registry::add_problem(ProblemEntry problem) {
  const auto known = std::ranges::find(problems_, problem.name, &ProblemEntry::name);
  if (known == problems_.end()) {
    problems_.push_back(std::move(problem));
    return;
  }
  using Open = std::unique_ptr<Workload> (*)(const std::string&, const QueryRule&);
  const Open* const first = known->open.target<Open>();
  const Open* const second = problem.open.target<Open>();
  if (first == nullptr || second == nullptr || *first == *second) return;
  faults_.push_back({"problem '" + problem.name + "'", "two types have this name",
                     "give one another name, or declare it once, in no anonymous namespace"});
}

bool Registry::asks_whole_input(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known != problems_.end() && known->asks_whole_input;
}

bool Registry::takes_graphs(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known == problems_.end() || known->takes_graphs;
}

bool Registry::repeats(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known != problems_.end() && known->repeats;
}

bool Registry::takes_graphs() const {
  return std::ranges::any_of(problems_, &ProblemEntry::takes_graphs);
}

std::string Registry::input_axis(std::string_view problem) const {
  return takes_graphs(problem) ? "graph" : "input";
}

std::string Registry::default_input(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known == problems_.end() ? "" : known->default_input;
}

std::vector<Key> Registry::input_keys(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known == problems_.end() ? std::vector<Key>() : known->input_keys;
}

std::string Registry::summary(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known == problems_.end() ? "" : known->summary;
}

std::string Registry::default_queries(std::string_view problem) const {
  const auto known = std::ranges::find(problems_, problem, &ProblemEntry::name);
  return known == problems_.end() ? "default" : known->default_queries;
}

bool Registry::add_need(Need need, std::string (*absence)()) {
  const auto known = std::ranges::find(needs_, need, &std::pair<Need, std::string (*)()>::first);
  if (known != needs_.end() || is_own(need)) {
    faults_.push_back({"need '" + to_string(need) + "'", "is declared twice",
                       "declare it once, or give it another word"});
  } else {
    needs_.emplace_back(need, absence);
  }
  return true;
}

std::string Registry::absence_of(Need need) const {
  const auto known = std::ranges::find(needs_, need, &std::pair<Need, std::string (*)()>::first);
  return known == needs_.end() || known->second == nullptr ? "" : known->second();
}

bool Registry::rename(std::string former, std::string name) {
  renames_.emplace_back(std::move(former), std::move(name));
  return true;
}

void Registry::add_absent(std::string family, Need need, std::string_view reason) {
  Instance instance;
  instance.description.name = family;
  instance.description.needs = {need};
  absent_.push_back({std::move(family),
                     {std::move(instance)},
                     "needs " + to_string(need) + ": " + std::string(reason)});
  std::ranges::sort(absent_, {}, &Family::name);
}

void Registry::define(Family family) {
  const bool is_absent = !family.absence.empty();
  std::vector<Family>& families = is_absent ? absent_ : families_;
  std::erase_if(is_absent ? families_ : absent_,
                [&](const Family& other) { return other.name == family.name; });
  const auto known = std::ranges::find(families, family.name, &Family::name);
  if (known != families.end()) {
    *known = std::move(family);
    return;
  }
  families.push_back(std::move(family));
  std::ranges::sort(families, {}, &Family::name);
}

std::vector<std::string> Registry::problems() const {
  std::vector<std::string> names;
  for (const auto* families : {&families_, &absent_}) {
    for (const Family& family : *families) {
      if (std::ranges::find(names, family.problem()) == names.end()) {
        names.push_back(family.problem());
      }
    }
  }
  return names;
}

const Registry::ProblemEntry& Registry::problem(const std::string& name) const {
  const auto found = std::ranges::find(problems_, name, &ProblemEntry::name);
  if (found != problems_.end()) return *found;
  std::vector<std::string> names;
  for (const ProblemEntry& entry : problems_) names.push_back(entry.name);
  throw InputError("problem", "'" + name + "' is unknown", suggestion(name, names));
}

std::unique_ptr<Workload> Registry::open_workload(const std::string& problem_name,
                                                  const std::string& reference,
                                                  const QueryRule& rule) const {
  return problem(problem_name).open(reference, rule);
}

bool Registry::look_ahead(const std::string& problem_name, const std::string& reference) const {
  return problem(problem_name).look_ahead(reference);
}

void Registry::check_rule(const std::string& problem_name, const QueryRule& rule) const {
  const auto known = std::ranges::find(problems_, problem_name, &ProblemEntry::name);
  if (known != problems_.end()) known->check_rule(rule);
}

std::vector<Selection> Registry::select_alias(std::string_view pattern) const {
  std::vector<Selection> selections;
  for (const Family& family : families_) {
    for (const auto& [alias, settings] : family.description().aliases) {
      std::string_view rest = pattern;
      if (const std::string prefix = family.problem() + "/"; rest.starts_with(prefix)) {
        rest.remove_prefix(prefix.size());
      }
      if (!rest.starts_with(alias)) continue;
      rest.remove_prefix(alias.size());
      if (!rest.empty() && rest.front() != ',') continue;
      Settings wanted = Settings::parse(settings);
      if (!rest.empty()) {
        const Settings given = by_present_names(family, Settings::parse(rest.substr(1)), pattern);
        for (const auto& [key, value] : given.entries()) wanted.set(key, value);
      }
      const auto found = expand(family, wanted, pattern);
      selections.insert(selections.end(), found.begin(), found.end());
    }
  }
  return selections;
}

void Registry::refuse_unknown(std::string_view pattern, std::string_view family_pattern) const {
  std::vector<std::string> names;
  for (const Family& family : families_) {
    names.push_back(family.name);
    for (const auto& [alias, settings] : family.description().aliases) {
      // Families of several problems may share an alias.
      if (std::ranges::find(names, alias) == names.end()) names.push_back(alias);
    }
  }
  for (const Family& family : absent_) names.push_back(family.name);
  // Without a key=value the text after a colon belongs to a mistyped alias.
  const bool has_keys = pattern.find('=') != std::string_view::npos;
  throw InputError(
      "variant '" + std::string(pattern) + "'", "unknown",
      suggestion(has_keys ? family_pattern : pattern, names) + " (see: bellmark list)");
}

std::vector<Selection> Registry::select(std::string_view pattern) const {
  if (auto aliased = select_alias(pattern); !aliased.empty()) return aliased;

  const std::size_t colon = pattern.find(':');
  std::string_view family_pattern = pattern.substr(0, colon);
  for (const auto& [former, name] : renames_) {
    if (family_pattern == former) family_pattern = name;
  }
  const bool every_key = colon != std::string_view::npos && pattern.substr(colon + 1) == "*";
  const bool family_glob = family_pattern.find_first_of("*?") != std::string_view::npos;
  constexpr std::string_view kExternal = "external/";
  const std::string of_any_problem =
      family_pattern.starts_with(kExternal)
          ? "*/external-" + std::string(family_pattern.substr(kExternal.size()))
          : std::string(family_pattern);
  const auto matches = [&](const Family& family) {
    return glob_match(of_any_problem, family.name);
  };
  if (std::ranges::none_of(families_, matches) && std::ranges::none_of(absent_, matches)) {
    refuse_unknown(pattern, family_pattern);
  }
  Settings given;
  if (colon != std::string_view::npos && !every_key) {
    given = Settings::parse(pattern.substr(colon + 1));
  }

  std::vector<Selection> selections;
  for (const Family& family : families_) {
    if (!matches(family)) continue;
    Settings wanted = given;
    if (every_key) {
      for (const Key& key : family.description().keys) {
        if (key.when == Key::When::compile_time) wanted.set(key.name, "*");
      }
    }
    const bool has_keys = std::ranges::all_of(
        given.entries(), [&](const auto& entry) { return family.key(entry.first) != nullptr; });
    if (family_glob && !has_keys) continue;  // `sssp/*:arity=4` means those that have an arity
    const auto found = expand(family, wanted, pattern);
    selections.insert(selections.end(), found.begin(), found.end());
  }
  for (const Family& family : absent_) {
    // Its keys are not known: a glob with keys means families that have them.
    if (!matches(family) || (family_glob && !given.entries().empty())) continue;
    selections.push_back({&family, given, given});
  }
  if (selections.empty()) {
    throw InputError("variant '" + std::string(pattern) + "'", "no built variant matches",
                     "see: bellmark list -v '" + std::string(family_pattern) + ":*'");
  }
  return selections;
}

std::string Registry::first_name(const Selection& selection) const {
  return first_name(selection, {});
}

std::string Registry::name_for_builds(const Selection& selection) const {
  return first_name(selection, selection.written);
}

std::string Registry::first_name(const Selection& selection, const Settings& kept) const {
  const Family& family = *selection.family;
  const auto renamed =
      std::ranges::find(renames_, family.name, &std::pair<std::string, std::string>::second);
  const std::string& name = renamed == renames_.end() ? family.name : renamed->first;
  if (family.absence.empty()) return name_of(name, family, selection.settings, true, kept);
  const std::string written = selection.settings.text();
  return written.empty() ? name : name + ":" + written;
}

const Instance& find_instance(const Selection& selection, const Workload& workload,
                              Settings& resolved) {
  const Family& family = *selection.family;
  if (!family.absence.empty()) throw UnmetError(selection.name(), family.absence);
  resolved = family.instances.front().resolve(selection.settings, workload);
  if (const Instance* instance = family.instance(resolved)) return *instance;
  throw family.not_built(resolved);
}

void detail::check_facts(std::string_view problem, const Facts& facts) {
  const auto is_digest = [](const auto& fact) { return fact.first == "digest"; };
  if (std::ranges::any_of(facts, is_digest)) return;
  throw Error(ExitCode::internal, "problem '" + std::string(problem) + "'",
              "its facts() have no 'digest', so that its inputs can't be told apart",
              "add {\"digest\", Digest().add(...).hex()}");
}

void detail::refuse_certificate(std::string_view problem, const char* what) {
  throw Error(ExitCode::internal, "problem '" + std::string(problem) + "'",
              "its certificate threw an exception: " + std::string(what),
              "let check() return what is wrong with the answer");
}

void detail::refuse_text(std::string_view problem) {
  throw InputError("problem '" + std::string(problem) + "'", "its answers have no text form",
                   "name a problem whose queries are sources or pairs of vertices");
}

}  // namespace bellmark
