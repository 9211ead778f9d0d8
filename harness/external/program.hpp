// Somebody else's program as a variant: its start, its input, its time and its answer.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "graph/graph.hpp"

namespace bellmark::external {

using Json = nlohmann::ordered_json;

/// The time that a program reports.
struct ReportedTime {
  std::string pattern;  ///< extended regular expression, one group, of a line that it prints
  double unit_ns = 1;   ///< of the number in the group
};

/// The proof that an answer is right.
enum class Check {
  exit_code,     ///< the program ended with 0, and no other proof
  command,       ///< another program ends with 0
  answer,        ///< Bellmark's own text form (docs/reference/answers.md), certified
  distances,     ///< of all vertices, certified
  predecessors,  ///< likewise
  levels,        ///< likewise, of breadth-first search
};

/// The form of numbers in the file of an answer.
enum class Form { text, int32, uint32, int64, uint64, float32, float64 };

/// Words are split once and given to the program unchanged: no shell reads them. `{key}` in a word
/// stands for a value: `{graph}`, `{source}`, `{target}`, `{answer}`, `{home}`, `{threads}`, or one
/// of `settings`.
struct Program {
  std::string name;         ///< `mine` of `sssp/external-mine` and `external/mine`
  std::string problem;      ///< sssp, bfs or p2p
  std::vector<Need> needs;  ///< of the graph: non-negative, symmetric
  std::vector<std::string> command;
  std::vector<Key> settings;  ///< run-time keys of the family

  std::string format = "gr";  ///< of the file behind `{graph}`
  std::string input;          ///< a file for its standard input; may hold `{key}`
  Vertex first_vertex = 1;    ///< its number of the first vertex
  std::map<std::string, std::string> environment;  ///< set for it; values may hold `{key}`
  std::vector<std::string> passed;                 ///< variables of ours that it sees
  std::vector<std::string> version_command;        ///< its first output is the version

  std::optional<ReportedTime> reported;  ///< else the whole process by our clock
  Check check = Check::exit_code;
  std::vector<std::string> check_command;
  std::string check_pattern;  ///< of a line that the check has to print; "" for its exit code alone
  Form form = Form::text;
  std::vector<std::string> unreached;  ///< words for no path; none for the usual words

  /// `wire`: it is started once for each cell, and asked (docs/reference/program-wire.md).
  /// Otherwise "".
  std::string speaks;

  std::string home_variable;  ///< names the folder behind `{home}`
  std::string home;           ///< that folder, where it is known
  std::string origin;         ///< the file that defines it; "" for the command line
  // Members that are found before a run.
  std::string executable;         ///< the file of the first word; "" where there is none
  std::string executable_digest;  ///< of its bytes
  std::string version;            ///< what version_command printed

  friend bool operator==(const Program& a, const Program& b);
};

/// `sssp/external-mine`.
std::string family_name(const Program& program);
/// `external/mine`, the short form for people.
std::string short_name(const Program& program);

/// True if it is asked over the wire of docs/reference/program-wire.md.
bool speaks_wire(const Program& program);

/// True if the problem's certificate judges its answers.
bool is_certified(const Program& program);
/// The check of its answers, in the words of results: `exit code only`, `checked by a command`; ""
/// if they are certified.
std::string check_text(const Program& program);

/// `non-negative` or `symmetric`. Throws InputError with the nearest name.
Need graph_need_of(const std::string& name);

std::string to_string(Check check);
std::string to_string(Form form);
/// Both throw InputError with the nearest name.
Check check_of(const std::string& name);
Form form_of(const std::string& name);
/// The nanoseconds of `s`, `ms`, `us`, `ns`. Throws InputError.
double unit_ns_of(const std::string& unit);

/// The words of a command line, by a shell's rules of blanks, quotes and backslashes. Nothing else
/// has a meaning: `$HOME`, `*` and `;` stay unchanged. Throws InputError on a quote without end.
std::vector<std::string> split_words(const std::string& line);

/// Every `{key}` of its words and its environment, each once. A brace that opens no name stays a
/// brace.
std::vector<std::string> keys_of(const Program& program);

/// `word`, with each `{key}` of `values` replaced. Braces within values are not replaced.
std::string fill(const std::string& word, const std::map<std::string, std::string>& values);

/// Its words in one line, quoted as for a shell: for people.
std::string command_text(const Program& program);

/// Throws InputError on a program that can't be measured: an unknown problem, format or key, a
/// check that the problem doesn't allow, a pattern without exactly one group.
void check_program(const Program& program);

/// Finds the first word's file and its digest. Leaves both empty if it is not here. Starts nothing.
void find_executable(Program& program);
/// Why it can't be started here; "" when it can. Valid after find_executable().
std::string absence_of(const Program& program);

void to_json(Json& json, const Program& program);
/// Throws InputError on JSON that is not a program.
void from_json(const Json& json, Program& program);

}  // namespace bellmark::external
