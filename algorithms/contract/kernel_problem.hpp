// A problem in few lines: one input, one question, and an answer that is compared with the right
// one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/input_keys.hpp"
#include "algorithms/contract/poison.hpp"
#include "algorithms/contract/problem.hpp"
#include "base/digest.hpp"

namespace bellmark {

namespace detail {

/// A value as people read it.
template <class Value>
std::string value_text(const Value& value) {
  std::ostringstream text;
  text.precision(std::is_same_v<Value, double> ? 17 : 9);
  if constexpr (sizeof(Value) == 1) {
    text << static_cast<int>(value);
  } else {
    text << value;
  }
  return text.str();
}

/// The elements of a part of an answer: those of a vector, or the number alone.
template <class Part>
auto elements_of(const Part& part) {
  if constexpr (kIsVector<Part>) {
    return std::span<const typename Part::value_type>(part);
  } else {
    static_assert(std::is_arithmetic_v<Part>,
                  "an answer of this type can't be compared: give the problem check(input, answer) "
                  "and digest(answer), or parts(answer) of vectors and numbers");
    return std::span<const Part>(&part, 1);
  }
}

/// The first element that is further from the right one than `tolerance` times the largest right
/// one; nothing where none is. A NaN is never right. O(elements).
template <class Part>
std::optional<std::string> difference_of(const Part& right, const Part& given, double tolerance) {
  const auto expected = elements_of(right);
  const auto found = elements_of(given);
  if (expected.size() != found.size()) {
    return "the answer has " + std::to_string(found.size()) + " elements, not " +
           std::to_string(expected.size());
  }
  double largest = 0;
  for (const auto& value : expected) {
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  const double allowed = tolerance * largest;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const double off = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
    if (tolerance > 0 && off <= allowed) continue;
    std::string text = kIsVector<Part> ? "element " + std::to_string(i) : "the answer";
    text += " is " + value_text(found[i]) + ", not " + value_text(expected[i]);
    return tolerance > 0 ? text + ": off by " + value_text(off) + ", and " + value_text(allowed) +
                               " is allowed"
                         : text;
  }
  return std::nullopt;
}

}  // namespace detail

/// The base of a problem that has one question to each input: the result computed from it. The
/// input is made from keys, such as `n=256,seed=1`. It is the axis `input` of experiments. `Self`
/// is the problem's own type, and has
///   kName             `matmul`: first part of every variant name.
///   keys()            the keys of an input with their defaults: std::vector<Key>.
///   make(settings)    the input, from a value for every key. The same on every machine.
///   expected(input)   the right answer, by a plain and independent way; asked once a process. An
///                     element may be off by kTolerance times the largest element. Without that
///                     constant it must be equal.
///   check(input, answer)  in place of expected(): the first fault found, or nothing.
///   work(input)       optional: the work of a run, as Work. Variants may have one of their own.
///   input_facts(input)    optional: an input's facts in results beside its keys, as Facts.
///   kRepeats          false where a run must not follow upon itself, because it uses its input up.
///                     Else a run that is too short for the clock runs many times in a row, and the
///                     time is divided.
/// `Out` is a vector, or a number. Of other answers `Self` has parts(), or check() and digest().
template <class Self, class In, class Out>
struct KernelProblem {
  using Input = In;
  using Answer = Out;
  struct Query {};

  static constexpr const char* kDefaultQueries = "whole";
  static constexpr bool kWholeInput = true;
  static constexpr bool kManyAnswers = true;  // within rounding
  static constexpr bool kTakesGraphs = false;
  static constexpr bool kRepeats = true;

  class Certificate {
   public:
    explicit Certificate(const Input& input) : input_(&input) {}

    std::optional<std::string> check(const Query&, const Answer& answer) {
      if constexpr (requires { Self::check(*input_, answer); }) {
        return Self::check(*input_, answer);
      } else {
        if (!expected_) expected_ = Self::expected(*input_);
        return compare(*expected_, answer);
      }
    }

   private:
    static std::optional<std::string> compare(const Answer& right, const Answer& given) {
      double tolerance = 0;
      if constexpr (requires { Self::kTolerance; }) tolerance = Self::kTolerance;
      std::optional<std::string> fault;
      for_parts(right, given, [&](const auto& expected, const auto& found) {
        if (!fault) fault = detail::difference_of(expected, found, tolerance);
      });
      return fault;
    }

    const Input* input_;
    std::optional<Answer> expected_;
  };

  static std::string default_input() { return default_reference(Self::keys()); }

  /// Throws InputError on keys that the input doesn't have, and on values that they don't take.
  static Input open(const std::string& reference) {
    return Self::make(input_settings(reference, Self::keys()));
  }

  static bool look_ahead(const std::string& reference) {
    input_settings(reference, Self::keys());
    return true;
  }

  static Facts reference_facts(const std::string& reference) {
    return key_facts(Self::kName, reference, Self::keys());
  }

  static Facts facts(const Input& input) {
    if constexpr (requires { Self::input_facts(input); }) return Self::input_facts(input);
    return {};
  }

  static void check_rule(const QueryRule& rule) {
    check_query_kind(rule, Self::kName, {kDefaultQueries});
  }

  /// One query, whatever the count: there is no other.
  static std::vector<Query> make_queries(const Input&, const QueryRule& rule) {
    check_rule(rule);
    return std::vector<Query>(1);
  }

  static std::string query_text(const Query&) { return "the whole input"; }

  static std::uint64_t digest(const Answer& answer) {
    Digest digest;
    for_parts(answer, answer, [&](const auto& part, const auto&) {
      digest.add(std::as_bytes(detail::elements_of(part)));
    });
    return digest.low64();
  }

  static std::string unmet(Need need, const Input&) {
    const bool is_of_graphs =
        need == Need::non_negative || need == Need::symmetric || need == Need::sorted_rows;
    return is_of_graphs ? "the input is no graph" : "";
  }

 private:
  /// Calls visit(part of a, part of b) for all parts of two answers.
  template <class Visit>
  static void for_parts(const Answer& a, const Answer& b, Visit&& visit) {
    // parts() gives references that may be written through. Nothing is written here.
    auto& first = const_cast<Answer&>(a);
    auto& second = const_cast<Answer&>(b);
    std::apply(
        [&](auto&... own) {
          std::apply([&](auto&... other) { (visit(own, other), ...); },
                     detail::parts_of<Self>(second));
        },
        detail::parts_of<Self>(first));
  }
};

}  // namespace bellmark
