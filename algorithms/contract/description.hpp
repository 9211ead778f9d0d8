// A variant's description of itself: its name, its keys, its needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/contract/settings.hpp"

namespace bellmark {

/// One key of a family. Values are the listed choices, or else the integers least..largest.
struct Key {
  enum class When {
    compile_time,  ///< picks one of the compiled instances
    run_time,      ///< handed to the constructor in Settings
  };

  std::string name;
  std::vector<std::string> former_names;  ///< the oldest first; users may still write them
  std::string default_value;
  std::vector<std::string> choices;
  std::int64_t least = 0;
  std::int64_t largest = 0;
  When when = When::compile_time;
  bool tunable = false;  ///< a search may vary it: every value gives a right answer
  bool implied = false;  ///< canonical names leave its default out
  std::string unit;      ///< "" for a pure number or a word
  std::string help;

  /// The reason why `value` is not allowed, with the values that are; "" when it is allowed.
  std::string refuse(const std::string& value) const;
  /// `heap|heap-dynamic` or `2..32`.
  std::string range_text() const;
};

/// A compile-time key whose values are words.
Key word_key(std::string name, std::string default_value, std::vector<std::string> choices,
             std::string help);
/// A compile-time key whose values are integers.
Key integer_key(std::string name, std::int64_t default_value, std::int64_t least,
                std::int64_t largest, std::string help);
/// The same key, read at run time; `tunable` when a search may vary it.
Key at_run_time(Key key, bool tunable = false, std::string unit = "");

/// The same key; canonical names leave its default out.
Key implied(Key key);

/// The run-time key `untimed`: the part of its answer that a variant leaves to extract(). A family
/// without the key leaves nothing. Its time then holds predecessors and distances or levels of all
/// vertices, in the input's own ids. Results say the value. `choices`: the default first.
inline constexpr const char* kUntimed = "untimed";
inline constexpr const char* kNothing = "nothing";
Key untimed_key(std::vector<std::string> choices);

/// The same key, which once had the name `name`. Former names are read and never written. The
/// oldest one makes the ids of cells.
Key formerly(std::string name, Key key);

/// A variant's need of its input or of the machine, as a word. The output names an unmet need as a
/// reason. These are Bellmark's; others are declared (BELLMARK_NEED).
class Need {
 public:
  /// The word's characters must outlive all uses, as those of a literal do.
  constexpr explicit Need(std::string_view word) : word_(word) {}

  constexpr std::string_view word() const { return word_; }
  friend constexpr bool operator==(Need a, Need b) { return a.word_ == b.word_; }

  static const Need cuda;
  static const Need lemon;
  static const Need mpi;
  static const Need non_negative;
  static const Need symmetric;
  static const Need sorted_rows;

 private:
  std::string_view word_;
};
inline constexpr Need Need::cuda{"cuda"};
inline constexpr Need Need::lemon{"lemon"};
inline constexpr Need Need::mpi{"mpi"};
inline constexpr Need Need::non_negative{"non-negative"};
inline constexpr Need Need::symmetric{"symmetric"};
inline constexpr Need Need::sorted_rows{"sorted-rows"};
std::string to_string(Need need);

struct Description {
  std::string name;       ///< `<problem>/<family>`
  std::string summary;    ///< one line for `bellmark list`
  std::string source;     ///< paper and section, or the library and its version
  std::vector<Key> keys;  ///< of the whole family, in canonical order
  /// The compile-time keys that this very type fixes; a key that doesn't apply to it is left out.
  Settings instance;
  std::vector<Need> needs;
  bool batch = false;  ///< run() takes any number of queries at once
  /// The command that starts another program, which does the search; "" for a variant of ours.
  std::string program = {};
  bool times_itself = false;  ///< the time is the program's own
  /// The way in which its answers are checked where no certificate does it: `exit code only`.
  std::string unchecked = {};
  /// The reason why so many ranks can't search by these settings, with the numbers that can; ""
  /// when they can. It is asked before any rank starts. Null: any number can.
  std::string (*refuse_ranks)(const Settings& settings, std::size_t rank_count) = nullptr;
  /// Names that papers gave: alias -> settings, e.g. {"yasui2011:2-heap", "queue=heap,arity=2"}.
  std::vector<std::pair<std::string, std::string>> aliases;
};

}  // namespace bellmark
