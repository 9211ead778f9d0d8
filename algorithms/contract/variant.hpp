// THE contract: the functions that one file must provide to become a variant.
#pragma once

#include <concepts>
#include <span>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/problem.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/settings.hpp"
#include "algorithms/contract/work.hpp"

namespace bellmark {

/// One query at a time: run() gets a span of exactly one, extract() gives its answer.
template <class V>
concept SingleQuery = requires(const V& variant, typename V::Problem::Answer& answer) {
  variant.extract(answer);
};

/// Many queries at once (`Description::batch`): extract(i, answer) gives the answer to query i of
/// the last run.
template <class V>
concept BatchQuery = requires(const V& variant, std::size_t i,
                              typename V::Problem::Answer& answer) {
  variant.extract(i, answer);
};

/// A variant of a problem.
///   describe()             static: name, keys, needs.
///   V(settings)            compile-time keys are already matched; read run-time keys here.
///   prepare(input, ctx)    own layout, allocation: a phase of its own, not in the time.
///   run(queries, ctx)      timed, with the per-query initialisation; the answer stays inside. On a
///                          GPU it ends by synchronising its streams: the time is the host's.
///   extract(answer) const  untimed: the canonical answer, in the input's own ids. It copies and
///                          renumbers the result of run(), in time by the answer's size. It writes
///                          all of `answer`, whose parts hold poison. Asked again, it gives the
///                          same answer.
/// The input outlives the variant. Called from one thread; a variant makes its own others.
template <class V>
concept Variant = Problem<typename V::Problem> && std::constructible_from<V, const Settings&> &&
    (SingleQuery<V> || BatchQuery<V>)&&requires(V& variant, const typename V::Problem::Input& input,
                                                std::span<const typename V::Problem::Query> queries,
                                                RunContext& context) {
  { V::describe() } -> std::same_as<Description>;
  variant.prepare(input, context);
  variant.run(queries, context);
};

/// Optional: the log of the last run's phases, empty when the run kept none.
template <class V>
concept LogsPhases = requires(const V& variant) {
  { variant.phase_log() } -> std::same_as<PhaseLog>;
};

/// Optional: the work of the last run for a query, where the problem doesn't say it, or where the
/// variant does more or less.
template <class V>
concept DeclaresWork = requires(const V& variant, const typename V::Problem::Query& query) {
  { variant.work(query) } -> std::same_as<Work>;
};

/// Optional: its prepared data outlive the process in a file (prepared.hpp).
///   identity(input) const  the identity of the file: a file of anything else is refused.
///   save(writer) const     after prepare(): the sections.
///   load(input, reader)    before prepare(), which then makes only the parts that load() did not.
///                          Reads the sections and refuses unsound ones: no file makes run()
///                          unsafe.
template <class V>
concept KeepsPrepared = requires(V& variant, const V& kept, const typename V::Problem::Input& input,
                                 prepared::Writer& writer, prepared::Reader& reader) {
  { kept.identity(input) } -> std::same_as<prepared::Identity>;
  kept.save(writer);
  variant.load(input, reader);
};

/// A family that offers `auto` values says here which values they become on this input. A family
/// without such values needs no resolve().
template <class V>
concept Resolves = requires(const Settings& settings, const typename V::Problem::Input& input) {
  { V::resolve(settings, input) } -> std::same_as<Settings>;
};

}  // namespace bellmark
