// For tests: experiments' files, and the faults in them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::plan {

inline constexpr const char* kHead = R"(id = "e"
variants = ["sssp/dijkstra:arity={arity}"]
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16 }
[axes]
graph = ["g"]
arity = [2, 4]
)";

inline constexpr const char* kRatio = R"([[claim]]
id = "Y1"
kind = "ratio"
text = "two is slower"
numerator = { arity = 2 }
denominator = { arity = 4 }
paper = { low = 1.2, high = 1.5 }
)";

inline Experiment parse(const std::string& text) { return parse_experiment(text, "e.toml"); }

/// The message of the InputError that parsing `text` throws.
inline std::string fault(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "no error";
}

inline std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

/// `text` occurs in the message.
inline testing::AssertionResult says(const std::string& message, const std::string& text) {
  if (message.find(text) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << message << "' lacks '" << text << "'";
}

}  // namespace bellmark::plan
