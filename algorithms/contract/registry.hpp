// Variants by name: compile-time types made reachable at run time, without a central list.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/poison.hpp"
#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/variant.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"

namespace bellmark {

/// An answer that can't be taken counts as wrong. The text says the fault.
class AnswerFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A problem's input with its queries, types erased: the form that the harness holds.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual Facts facts() const = 0;
  virtual std::size_t query_count() const = 0;
  virtual std::string query_text(std::size_t query) const = 0;
  /// Digest of the queries' texts, 32 hexadecimal digits.
  virtual std::string query_digest() const = 0;
  /// The reason why the input doesn't meet a need; "" when it does.
  virtual std::string unmet(Need need) const = 0;
  /// Several answers to a query may be right (Problem::kManyAnswers).
  virtual bool many_answers() const = 0;
  /// The ranks of a launch group answer together (Problem::kDistributed).
  virtual bool distributed() const = 0;
  /// A run may follow upon itself (Problem::kRepeats).
  virtual bool repeats() const = 0;
  /// Checks an answer to `query` that a file holds as text: the first fault found, or nothing.
  /// Throws InputError, also where the problem's answers have no text form.
  virtual std::optional<std::string> certify_file(std::size_t query, const std::string& file) = 0;
  /// Checks the whole input where opening it did not (a mapped file). Throws InputError.
  virtual void verify() const = 0;
};

/// One variant with its settings, bound to a workload, types erased.
class BoundVariant {
 public:
  virtual ~BoundVariant() = default;
  virtual void prepare(RunContext& context) = 0;
  /// Answers queries [first, first + count); count is 1 unless the variant takes batches.
  virtual void run(std::size_t first, std::size_t count, RunContext& context) = 0;
  /// The same query so many times in a row, with nothing between.
  virtual void run_times(std::uint64_t times, std::size_t first, std::size_t count,
                         RunContext& context) {
    for (std::uint64_t i = 0; i < times; ++i) run(first, count, context);
  }
  /// The work of the last run for `query`, one of its queries.
  virtual Work work(std::size_t /*query*/) const { return {}; }
  /// Overwrites the answer that was extracted last. The next question about any answer extracts it.
  virtual void poison() = 0;
  /// Extracts the answer to `query` (one of the last run) into poison, unless it was extracted
  /// last.
  virtual void extract(std::size_t query) = 0;
  /// The size of the answer that was extracted last.
  virtual std::uint64_t answer_bytes() = 0;
  /// Extracts the answer to `query` (one of the last run) and digests its deterministic part.
  virtual std::uint64_t digest(std::size_t query) = 0;
  /// Extracts and checks the answer to `query`: the first fault found, or nothing.
  virtual std::optional<std::string> certify(std::size_t query) = 0;
  /// Whether a GPU did the last certify()'s checks.
  virtual bool certified_on_gpu() const = 0;
  /// The facts of the answer to `query` (one of the last run) that results keep; empty where the
  /// problem keeps none.
  virtual Facts answer_facts(std::size_t query) = 0;
  /// Writes the answer to `query` (one of the last run) as text. Throws InputError where the
  /// problem's answers have no text form.
  virtual void write_answer(std::size_t query, const TextSink& out) = 0;
  /// The phases of the last run; no columns when the variant keeps no log.
  virtual PhaseLog phase_log() const = 0;
};

/// One compiled type of a family.
struct Instance {
  Description description;
  std::function<std::unique_ptr<BoundVariant>(Workload&, const Settings&)> bind;
  std::function<Settings(const Settings&, const Workload&)> resolve;

  /// Whether `settings` may become this type: every key that it fixes has its value, or a glob that
  /// matches, or is `auto`, or is absent. Keys that it doesn't fix don't count.
  bool may_serve(const Settings& settings) const;
};

/// All instances of one `<problem>/<family>`; they share keys, defaults and aliases. A compile-time
/// key that an instance doesn't list doesn't apply to it: its settings and its name go without.
struct Family {
  std::string name;
  std::vector<Instance> instances;
  /// The reason why this build has none of the family's types; "" when it has. An absent family has
  /// one instance, a description without keys, and any settings pass through it as written.
  std::string absence = {};

  const Description& description() const { return instances.front().description; }
  std::string problem() const { return name.substr(0, name.find('/')); }
  /// The key of this name or former name; null where there is none.
  const Key* key(std::string_view key_name) const;
  /// The needs that all instances have. The input must meet them before settings are resolved.
  std::vector<Need> common_needs() const;
  /// `settings` without the compile-time keys that apply to none of the instances that it may
  /// become. All keys stay when no such instance was built.
  Settings applicable(const Settings& settings) const;
  /// `<problem>/<family>:<key>=<value>,...` with keys in declared order; keys that don't apply are
  /// absent, as are defaults that go without saying (`Key::implied`).
  std::string canonical(const Settings& settings) const;
  /// The instance with exactly the compile-time keys and values of `settings`; null when it was not
  /// built.
  const Instance* instance(const Settings& settings) const;
  /// The error about settings that no instance has.
  InputError not_built(const Settings& settings) const;
};

/// A family with a value for every key that applies (`auto` values still unresolved).
struct Selection {
  const Family* family;
  Settings settings;
  Settings written = {};  ///< those that the user wrote, by present names

  std::string name() const { return family->canonical(settings); }
  /// The part of its answer that it leaves to extract(), outside the time: `nothing`, but for
  /// families that have the key kUntimed.
  std::string untimed() const;
  /// Whether an instance that this may become has the need.
  bool needs(Need need) const;
  /// The reason why no instance that this may become is for so many ranks; "" when one is.
  std::string refuse_ranks(std::size_t rank_count) const;
};

/// Every problem and family of this executable. Filled before main() by BELLMARK_REGISTER.
class Registry {
 public:
  /// A problem, its types erased.
  struct ProblemEntry {
    std::string name;
    std::function<std::unique_ptr<Workload>(const std::string&, const QueryRule&)> open;
    std::function<bool(const std::string&)> look_ahead;
    std::function<void(const QueryRule&)> check_rule;
    bool asks_whole_input = false;
    bool takes_graphs = true;
    bool repeats = false;
    std::string default_queries = {};  ///< the kind
    std::vector<Key> input_keys = {};  ///< that inputs are made from; none where they aren't
    std::string default_input = {};    ///< "" where the problem has none
    std::string summary = {};          ///< "" where the problem says nothing
  };

  static Registry& global();

  /// Called before main(), where nothing can be caught. A faulty instance is left out and
  /// remembered, and check() reports it.
  void add(Instance instance);
  void add_problem(ProblemEntry problem);
  /// A word that variants may need. `absence` says why this machine or build lacks it, "" where it
  /// has it. It is null where the problem's unmet() says it of an input. Returns true.
  bool add_need(Need need, std::string (*absence)());
  /// The reason why this machine or build can't meet the need; "" when it can, or when the input
  /// decides.
  std::string absence_of(Need need) const;
  /// The family `name` had the name `former`, which patterns may still say. Call it beside the
  /// family, before main(). Returns true.
  bool rename(std::string former, std::string name);
  /// A family whose sources this build left out because it can't meet `need`. Its variants can be
  /// selected, with any keys, but never run. They say why.
  void add_absent(std::string family, Need need, std::string_view reason);

  /// Defines a family while the program runs. It replaces one of the same name that was defined so.
  /// Nobody may hold selections of others meanwhile: they refer to families.
  void define(Family family);

  /// Throws Error(internal) with the first fault that add() found: an instance that fixes a
  /// run-time key, or two with the same keys. Throws also on a compile-time key that no instance
  /// fixes.
  void check() const;

  const std::vector<Family>& families() const { return families_; }
  const std::vector<Family>& absent_families() const { return absent_; }

  /// The names of all problems, those of absent families too.
  std::vector<std::string> problems() const;
  /// Whether the problem has one query only (Problem::kWholeInput).
  bool asks_whole_input(std::string_view problem) const;
  /// Whether the problem's inputs are graphs (Problem::kTakesGraphs); true of a problem that isn't
  /// built.
  bool takes_graphs(std::string_view problem) const;
  /// Whether a run may follow upon itself (Problem::kRepeats).
  bool repeats(std::string_view problem) const;
  /// Whether any problem of this executable takes graphs.
  bool takes_graphs() const;
  /// The axis of experiments that names the inputs of a problem: `graph` or `input`.
  std::string input_axis(std::string_view problem) const;
  /// The input that is measured where nobody names one; "" where the problem doesn't say.
  std::string default_input(std::string_view problem) const;
  /// The keys from which the problem's inputs are made (KernelProblem); none of other problems.
  std::vector<Key> input_keys(std::string_view problem) const;
  /// The question of a query, in one line; "" where the problem doesn't say.
  std::string summary(std::string_view problem) const;
  /// The kind of queries where nobody names one.
  std::string default_queries(std::string_view problem) const;

  /// Opens the input and makes the queries. Throws InputError.
  std::unique_ptr<Workload> open_workload(const std::string& problem, const std::string& reference,
                                          const QueryRule& rule) const;

  /// Whether opening the input takes but a moment; false where the problem can't tell. Throws
  /// InputError where it can't be opened at all.
  bool look_ahead(const std::string& problem, const std::string& reference) const;

  /// Throws InputError on a rule by which the problem has no queries, whatever the input. Does
  /// nothing for a problem that this build lacks.
  void check_rule(const std::string& problem, const QueryRule& rule) const;

  /// Variants that a pattern names: `sssp/dijkstra`, `sssp/*`, `sssp/dijkstra:arity=*`, or an
  /// alias. An alias (`yasui2011:2-heap*`) is matched literally before any glob.
  /// `p2p/yasui2011:2-heap*` picks one problem, and `yasui2011:2-heap,width=64` changes or adds
  /// keys. Keys come in any order; omitted keys take their defaults. `external/NAME` is every
  /// problem's family `external-NAME`. `*` takes every value that was built, and does no harm where
  /// the key doesn't apply. Throws InputError with the nearest name, key or value, and for a key
  /// that doesn't apply.
  std::vector<Selection> select(std::string_view pattern) const;

  /// The selection's name by the first names of its family and keys: no rename changes it.
  std::string first_name(const Selection& selection) const;

  /// The name that another build is given: first_name() with the implied defaults that the user
  /// wrote, because that build may have other defaults.
  std::string name_for_builds(const Selection& selection) const;

 private:
  const ProblemEntry& problem(const std::string& name) const;
  std::string first_name(const Selection& selection, const Settings& kept) const;
  std::vector<Selection> select_alias(std::string_view pattern) const;
  [[noreturn]] void refuse_unknown(std::string_view pattern, std::string_view family_pattern) const;
  Family* find(std::string_view name);

  std::vector<Family> families_;
  std::vector<Family> absent_;
  std::vector<std::pair<std::string, std::string>> renames_;  ///< former name, name
  std::vector<ProblemEntry> problems_;
  std::vector<std::pair<Need, std::string (*)()>> needs_;  ///< other than Bellmark's own
  struct Fault {
    std::string where;
    std::string what;
    std::string remedy;
  };
  std::vector<Fault> faults_;
};

/// The instance that answers `selection` on `workload`, which meets the family's common needs. It
/// resolves `auto` values and finds the compiled type. `resolved` gets the final settings. Throws
/// InputError when it was not built, UnmetError when its whole family is absent.
const Instance& find_instance(const Selection& selection, const Workload& workload,
                              Settings& resolved);

namespace detail {

[[noreturn]] void refuse_text(std::string_view problem);

/// Throws Error(internal) where the facts of an input don't tell it from others.
void check_facts(std::string_view problem, const Facts& facts);

/// A certificate must not throw. An answer that it can't look at is wrong, and the certificate must
/// say so.
[[noreturn]] void refuse_certificate(std::string_view problem, const char* what);

/// The rule, with the problem's own kind where nobody names one.
template <Problem P>
QueryRule with_default(QueryRule rule) {
  if (rule.kind == "default") rule.kind = P::kDefaultQueries;
  return rule;
}

template <Problem P>
constexpr bool repeats() {
  if constexpr (requires { P::kRepeats; }) return P::kRepeats;
  return false;
}

template <Problem P>
class WorkloadOf final : public Workload {
 public:
  /// An input and queries made by hand, for tests.
  WorkloadOf(typename P::Input opened, std::vector<typename P::Query> asked)
      : input(std::move(opened)), queries(std::move(asked)), certificate(input) {}

  WorkloadOf(const std::string& opened_from, const QueryRule& rule)
      : reference(opened_from),
        input(P::open(reference)),
        queries(P::make_queries(input, with_default<P>(rule))),
        certificate(input) {
    if (rule.count > 0 && queries.size() > rule.count) queries.resize(rule.count);
    if (queries.empty()) {
      throw InputError(reference, "no queries: the rule '" + rule.kind + "' gave none",
                       "use a non-empty input and a count above 0");
    }
  }

  Facts facts() const override {
    Facts facts = P::facts(input);
    if constexpr (requires { P::reference_facts(reference); }) {
      Facts of_reference = P::reference_facts(reference);
      facts.insert(facts.begin(), of_reference.begin(), of_reference.end());
    }
    check_facts(P::kName, facts);
    return facts;
  }
  std::size_t query_count() const override { return queries.size(); }
  std::string query_text(std::size_t query) const override { return P::query_text(queries[query]); }
  std::string query_digest() const override {
    Digest digest;
    for (const auto& query : queries) digest.add(P::query_text(query)).add("\n");
    return digest.hex();
  }
  std::string unmet(Need need) const override { return P::unmet(need, input); }
  bool many_answers() const override {
    if constexpr (requires { P::kManyAnswers; }) return P::kManyAnswers;
    return false;
  }
  bool distributed() const override {
    if constexpr (requires { P::kDistributed; }) return P::kDistributed;
    return false;
  }
  bool repeats() const override { return detail::repeats<P>(); }
  std::optional<std::string> certify_file(std::size_t query, const std::string& file) override {
    if constexpr (requires { P::read_answer(input, queries[query], file); }) {
      const typename P::Answer answer = P::read_answer(input, queries[query], file);
      std::optional<std::string> fault = certificate.check(queries[query], answer);
      if constexpr (requires { P::first_wrong(input, queries[query], answer); }) {
        if (!fault) return fault;
        if (auto wrong = P::first_wrong(input, queries[query], answer)) return wrong;
      }
      return fault;
    } else {
      refuse_text(P::kName);
    }
  }
  void verify() const override {
    if constexpr (requires { P::verify(input, reference); }) P::verify(input, reference);
  }

  std::string reference;
  typename P::Input input;
  std::vector<typename P::Query> queries;
  typename P::Certificate certificate;
};

/// The common part of a problem's bound variants: the answer, and its checks.
template <Problem P>
class BoundProblem : public BoundVariant {
 public:
  explicit BoundProblem(WorkloadOf<P>& workload) : workload_(workload) {}

  void poison() final {
    poison_answer<P>(answer_);
    poisoned_ = true;
    extracted_.reset();
  }

  /// Once a run and query: all questions about an answer come from one copy of it.
  void extract(std::size_t query) final {
    if (extracted_ == query) return;
    if (!poisoned_) poison();
    take(query, answer_);
    poisoned_ = false;
    extracted_ = query;
  }

  std::uint64_t answer_bytes() final { return detail::answer_bytes<P>(answer_); }

  std::uint64_t digest(std::size_t query) final {
    extract(query);
    return P::digest(answer_);
  }

  std::optional<std::string> certify(std::size_t query) final {
    extract(query);
    try {
      return workload_.certificate.check(workload_.queries[query], answer_);
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      refuse_certificate(P::kName, error.what());
    }
  }

  bool certified_on_gpu() const final {
    if constexpr (requires { workload_.certificate.on_gpu(); }) {
      return workload_.certificate.on_gpu();
    } else {
      return false;
    }
  }

  Facts answer_facts(std::size_t query) final {
    if constexpr (requires { P::answer_facts(workload_.input, answer_); }) {
      extract(query);
      return P::answer_facts(workload_.input, answer_);
    } else {
      return {};
    }
  }

  void write_answer(std::size_t query, const TextSink& out) final {
    if constexpr (requires { P::write_answer(workload_.queries[query], answer_, out); }) {
      extract(query);
      P::write_answer(workload_.queries[query], answer_, out);
    } else {
      refuse_text(P::kName);
    }
  }

 protected:
  /// The answer to `query`, one of the last run.
  virtual void take(std::size_t query, typename P::Answer& answer) const = 0;

  void forget_answer() { extracted_.reset(); }

  WorkloadOf<P>& workload_;

 private:
  typename P::Answer answer_;
  std::optional<std::size_t> extracted_;  ///< the query of that answer
  bool poisoned_ = false;
};

/// Takes the data that an earlier process prepared, or keeps the data that this one prepares.
template <KeepsPrepared V>
void prepare_kept(V& variant, const typename V::Problem::Input& input, RunContext& context) {
  if (prepared::folder().empty()) return variant.prepare(input, context);
  const prepared::Identity identity = variant.identity(input);
  const std::filesystem::path path = prepared::path_of(identity);
  if (std::filesystem::exists(path)) {
    prepared::Reader reader(path, identity);
    variant.load(input, reader);
    return variant.prepare(input, context);
  }
  variant.prepare(input, context);
  prepared::Writer writer;
  variant.save(writer);
  writer.write(identity, path);
}

template <Variant V>
class BoundVariantOf final : public BoundProblem<typename V::Problem> {
 public:
  using P = typename V::Problem;

  BoundVariantOf(WorkloadOf<P>& workload, const Settings& settings)
      : BoundProblem<P>(workload), variant_(settings) {}

  void prepare(RunContext& context) override {
    if constexpr (KeepsPrepared<V>) {
      prepare_kept(variant_, this->workload_.input, context);
    } else {
      variant_.prepare(this->workload_.input, context);
    }
  }

  void run(std::size_t first, std::size_t count, RunContext& context) override {
    first_ = first;
    this->forget_answer();
    variant_.run(std::span(this->workload_.queries).subspan(first, count), context);
  }

  /// The runs follow each other as closely as in a loop of the variant's own. The caller's cost is
  /// not in the time.
  void run_times(std::uint64_t times, std::size_t first, std::size_t count,
                 RunContext& context) override {
    // In other problems the variant's run() is called from one place, and compilers inline it
    // there.
    if constexpr (!repeats<P>()) return BoundVariant::run_times(times, first, count, context);
    first_ = first;
    this->forget_answer();
    const auto queries = std::span<const typename P::Query>(this->workload_.queries);
    const auto asked = queries.subspan(first, count);
    for (std::uint64_t i = 0; i < times; ++i) {
      variant_.run(asked, context);
      // The compiler must assume that each run writes its answer and reads its input again.
      asm volatile("" : : "r"(&variant_) : "memory");
    }
  }

  Work work(std::size_t query) const override {
    const auto& input = this->workload_.input;
    const auto& asked = this->workload_.queries[query];
    if constexpr (DeclaresWork<V>) {
      return variant_.work(asked);
    } else if constexpr (requires { P::work(input, asked); }) {
      return P::work(input, asked);
    } else if constexpr (requires { P::work(input); }) {
      return P::work(input);
    } else {
      return {};
    }
  }

  PhaseLog phase_log() const override {
    if constexpr (LogsPhases<V>) {
      return variant_.phase_log();
    } else {
      return {};
    }
  }

 protected:
  void take(std::size_t query, typename P::Answer& answer) const override {
    if constexpr (BatchQuery<V>) {
      variant_.extract(query - first_, answer);
    } else {
      variant_.extract(answer);
    }
  }

 private:
  V variant_;
  std::size_t first_ = 0;
};

// Functions, not lambdas: std::function is then compiled once, not once an instance.

template <Problem P>
constexpr bool asks_whole_input() {
  if constexpr (requires { P::kWholeInput; }) return P::kWholeInput;
  return false;
}

template <Problem P>
std::unique_ptr<Workload> open_workload(const std::string& reference, const QueryRule& rule) {
  return std::make_unique<WorkloadOf<P>>(reference, rule);
}

template <Problem P>
bool look_ahead(const std::string& reference) {
  if constexpr (requires { P::look_ahead(reference); }) return P::look_ahead(reference);
  return false;
}

template <Problem P>
void check_rule(const QueryRule& rule) {
  if constexpr (requires { P::check_rule(rule); }) P::check_rule(with_default<P>(rule));
}

template <Variant V>
std::unique_ptr<BoundVariant> bind(Workload& workload, const Settings& settings) {
  return std::make_unique<BoundVariantOf<V>>(
      dynamic_cast<WorkloadOf<typename V::Problem>&>(workload), settings);
}

template <Variant V>
Settings resolve(const Settings& settings, const Workload& workload) {
  if constexpr (Resolves<V>) {
    return V::resolve(settings,
                      dynamic_cast<const WorkloadOf<typename V::Problem>&>(workload).input);
  } else {
    return settings;
  }
}

template <Problem P>
Registry::ProblemEntry entry_of() {
  Registry::ProblemEntry entry{P::kName, open_workload<P>, look_ahead<P>, check_rule<P>};
  entry.asks_whole_input = asks_whole_input<P>();
  entry.default_queries = P::kDefaultQueries;
  entry.repeats = repeats<P>();
  if constexpr (requires { P::kTakesGraphs; }) entry.takes_graphs = P::kTakesGraphs;
  if constexpr (requires { P::keys(); }) entry.input_keys = P::keys();
  if constexpr (requires { P::default_input(); }) entry.default_input = P::default_input();
  if constexpr (requires { P::kSummary; }) entry.summary = P::kSummary;
  return entry;
}

template <Variant V>
bool register_variant() {
  using P = typename V::Problem;
  Registry::global().add_problem(entry_of<P>());
  Registry::global().add({V::describe(), bind<V>, resolve<V>});
  return true;
}

/// A type that is no variant stops here, with a sentence that names its fault.
template <class V>
constexpr bool is_variant() {
  static_assert(
      requires { typename V::Problem; },
      "a variant names the problem that it answers: using Problem = ...");
  using P = typename V::Problem;
  static_assert(
      requires {
        P::kName;
        typename P::Input;
        typename P::Query;
        typename P::Answer;
        typename P::Certificate;
      },
      "a problem has kName, Input, Query, Answer and Certificate "
      "(algorithms/contract/problem.hpp)");
  static_assert(
      requires(const typename P::Input& input) {
        { P::facts(input) } -> std::same_as<Facts>;
      },
      "a problem has facts(input), which tell its inputs apart by a 'digest' "
      "(algorithms/contract/problem.hpp)");
  static_assert(Problem<P>,
                "this is no problem: a function is missing, or of another type "
                "(algorithms/contract/problem.hpp)");
  static_assert(std::constructible_from<V, const Settings&>,
                "a variant is constructed from Settings");
  static_assert(SingleQuery<V> || BatchQuery<V>,
                "a variant has extract(answer) const, which gives the last run's answer");
  static_assert(Variant<V>,
                "this is no variant: describe(), prepare(input, context) or run(queries, context) "
                "is missing (algorithms/contract/variant.hpp)");
  return true;
}

template <class... V>
bool register_variants() {
  static_assert((is_variant<V>() && ...));
  return (register_variant<V>() && ...);
}

}  // namespace detail
}  // namespace bellmark

// A name for each use: several files may be compiled as one (a unity build).
#define BELLMARK_JOINED(word, number) word##number
#define BELLMARK_NUMBERED(word, number) BELLMARK_JOINED(word, number)

/// Registers one or more variant types; write it once, at namespace scope, in the variant's file.
#define BELLMARK_REGISTER(...)                                                              \
  [[maybe_unused]] static const bool BELLMARK_NUMBERED(bellmark_registered_, __COUNTER__) = \
      ::bellmark::detail::register_variants<__VA_ARGS__>()

/// Declares a need: a word that the variants of this file, or of others, may have among theirs.
/// `absence` is a function that says why this machine lacks it, "" where it doesn't. It is nullptr
/// where the problem's unmet() says it of an input. Write it once, at namespace scope.
#define BELLMARK_NEED(need, absence)                                                  \
  [[maybe_unused]] static const bool BELLMARK_NUMBERED(bellmark_need_, __COUNTER__) = \
      ::bellmark::Registry::global().add_need(need, absence)

/// Says that this build lacks the family, and which missing thing is why. Write it once, at
/// namespace scope, in a file that is compiled where those of the family aren't.
#define BELLMARK_ABSENT(family, need, reason)                                           \
  [[maybe_unused]] static const bool BELLMARK_NUMBERED(bellmark_absent_, __COUNTER__) = \
      (::bellmark::Registry::global().add_absent(family, need, reason), true)

/// Says that the family `name` had the name `former`. Write it once a folder, at namespace scope,
/// where every build compiles it (gpu_families.cpp of a family that needs CUDA).
#define BELLMARK_RENAMED(former, name)                                                   \
  [[maybe_unused]] static const bool BELLMARK_NUMBERED(bellmark_renamed_, __COUNTER__) = \
      ::bellmark::Registry::global().rename(former, name)
