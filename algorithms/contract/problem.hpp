// The contract of a problem: an input, queries, answers, and a certificate that trusts no
// implementation.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/contract/description.hpp"

namespace bellmark {

/// Named facts about an input, for results: keys carry their unit (`vertex_count`).
using FactValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;
using Facts = std::vector<std::pair<std::string, FactValue>>;

/// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// The rule by which queries are made; the same rule and seed give the same queries everywhere.
struct QueryRule {
  std::string kind;         ///< a kind of the problem, e.g. `uniform-sources`, `file`, `list`
  std::uint64_t count = 0;  ///< how many; 0: all that a list or file holds
  std::uint64_t seed = 42;
  std::string file = {};                 ///< for kind `file`
  std::vector<std::uint64_t> list = {};  ///< for kind `list`: ids as files count them (from 1)
};

/// Throws InputError on a kind that is not among the `known` of `problem`.
void check_query_kind(const QueryRule& rule, std::string_view problem,
                      const std::vector<std::string>& known);

/// Refuses counts of 0 and above 10,000,000: InputError.
void check_query_count(std::uint64_t count);

/// A problem is a struct of types and static functions; it has no state.
///   Input        anything: a graph, a matrix. Opened once a process and shared.
///   Query        one question about the input.
///   Answer       the canonical answer, in the input's own ids.
///   Certificate  constructed from the input; check(query, answer) gives the first fault found, or
///                nothing. It may cache certified facts between calls. Optional: on_gpu() says
///                whether a GPU did the last check.
///   kName        `sssp`: first part of every variant name.
///   kSummary     optional: the question of a query, in one line.
///   kDefaultQueries  the kind of queries when nobody names one.
///   open         from a reference (`dimacs:USA-road-d.NY`, a path) to an input.
///   look_ahead   optional: whether open() takes but a moment, as a bool. Opens nothing, and throws
///                InputError on a reference that can't be opened.
///   facts        the facts of an input in results; must contain `digest`.
///   check_rule   optional: throws InputError on a rule by which no input has queries; opens no
///                input. It refuses whatever make_queries() refuses of every input.
///   make_queries throws InputError on a rule that it doesn't know. May give more than the rule's
///                count, from a list or file: the first `count` are asked.
///   query_text   one query in words and file ids (`source 17`).
///   digest       of the deterministic part of an answer: equal for all right answers, unless
///                kManyAnswers says that they may differ.
///   kManyAnswers optional, true: several answers to a query may be right (a set that is as good as
///                another), so that each one that differs goes through the whole certificate.
///   kDistributed optional, true: the ranks of a launch group (contract/communicator.hpp) answer
///                together, and every function is collective. Other problems know nothing of ranks.
///                Each rank would do the whole search, so a launcher's ranks don't measure them.
///   kWholeInput  optional, true: a query asks about the whole input, so that there is only one.
///                Of other problems a cell of one query is not judged: a variant that kept its
///                answer would pass.
///   parts        optional: references to all that extract() must write of an answer (std::tie of
///                vectors and numbers). They are poisoned before it, and their bytes bound its
///                time. Without it an answer that is no number is made anew.
///   answer_facts optional: the facts of a right answer to a query on this input that results keep,
///                as `Facts`.
///   write_answer, read_answer  optional, both: an answer as text and back, for other programs.
///   first_wrong  optional, beside them: the first wrong thing in an answer that the certificate
///                refuses, and the right one; nothing where that can't be told.
///   verify       optional: checks the whole input where open() did not; throws InputError, which
///                names the reference.
///   unmet        the reason why the input doesn't meet a need; "" when it does.
///   kTakesGraphs optional, false: the input is no graph. It is then the axis `input` of
///                experiments, and -i names it; else they are `graph` and -g.
///   default_input optional: the reference of the input where nobody names one.
///   reference_facts optional: facts that the reference alone tells.
///   work         optional: the work of a run on an input (contract/work.hpp), for rates.
///   kRepeats     optional, true: a run may follow upon itself. A run that is too short for the
///                clock then runs many times in a row, and the time is divided.
template <class P>
concept Problem = requires(const typename P::Input& input, const typename P::Query& query,
                           const typename P::Answer& answer, typename P::Certificate& certificate,
                           const QueryRule& rule, const std::string& reference, Need need) {
  { P::kName } -> std::convertible_to<std::string_view>;
  { P::kDefaultQueries } -> std::convertible_to<std::string_view>;
  { P::open(reference) } -> std::same_as<typename P::Input>;
  { P::facts(input) } -> std::same_as<Facts>;
  { P::make_queries(input, rule) } -> std::same_as<std::vector<typename P::Query>>;
  { P::query_text(query) } -> std::same_as<std::string>;
  { P::digest(answer) } -> std::same_as<std::uint64_t>;
  { P::unmet(need, input) } -> std::same_as<std::string>;
  requires std::constructible_from<typename P::Certificate, const typename P::Input&>;
  { certificate.check(query, answer) } -> std::same_as<std::optional<std::string>>;
};

}  // namespace bellmark
