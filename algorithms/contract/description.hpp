// What a variant says of itself: its name, its keys, what it needs.
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

  /// Why `value` is not allowed, with what is; "" when it is allowed.
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

/// The run-time key `untimed`: what of its answer a variant leaves to extract(). A family without
/// it leaves nothing: predecessors and distances or levels of all vertices, in the input's own ids,
/// are in the time. Results say the value. `choices`: the default first.
inline constexpr const char* kUntimed = "untimed";
inline constexpr const char* kNothing = "nothing";
Key untimed_key(std::vector<std::string> choices);

/// The same key, which was called `name` before. Names are read and never written; the oldest one
/// goes on to make the ids of cells.
Key formerly(std::string name, Key key);

/// What a variant needs of its input or of the machine, as a word; unmet needs are a reason in the
/// output. These are Bellmark's. Others are declared (BELLMARK_NEED).
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
  /// The compile-time keys that this very type fixes; one that doesn't apply to it is left out.
  Settings instance;
  std::vector<Need> needs;
  bool batch = false;  ///< run() takes any number of queries at once
  /// Another program does the search, and this is how it is started; "" for a variant of ours.
  std::string program = {};
  bool times_itself = false;  ///< the time is what that program says it is
  /// How its answers are checked where no certificate does: `exit code only`.
  std::string unchecked = {};
  /// Why so many ranks can't search by these settings, and how many can; "" when they can. Asked
  /// before any is started. Null: any number can.
  std::string (*refuse_ranks)(const Settings& settings, std::size_t rank_count) = nullptr;
  /// Names that papers gave: alias -> settings, e.g. {"yasui2011:2-heap", "queue=heap,arity=2"}.
  std::vector<std::pair<std::string, std::string>> aliases;
};

}  // namespace bellmark
