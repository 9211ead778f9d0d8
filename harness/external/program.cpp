#include "harness/external/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "algorithms/problems/graph_input/answer_text.hpp"
#include "base/digest.hpp"
#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "base/pattern.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "harness/external/formats.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

constexpr EnumNames<Check, 6> kCheckNames = {{{{Check::exit_code, "exit-code"},
                                               {Check::command, "command"},
                                               {Check::answer, "answer"},
                                               {Check::distances, "distances"},
                                               {Check::predecessors, "predecessors"},
                                               {Check::levels, "levels"}}}};
constexpr EnumNames<Form, 7> kFormNames = {{{{Form::text, "text"},
                                             {Form::int32, "int32"},
                                             {Form::uint32, "uint32"},
                                             {Form::int64, "int64"},
                                             {Form::uint64, "uint64"},
                                             {Form::float32, "float32"},
                                             {Form::float64, "float64"}}}};

/// The values that Bellmark itself puts into words.
const std::vector<std::string> kOwnKeys = {"graph",  "source",  "target",
                                           "answer", "threads", "home"};

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

bool is_name(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, is_name_letter);
}

/// Calls text(piece) and key(name) for the parts of a word, in their order.
template <class Text, class Key>
void for_parts(const std::string& word, Text&& text, Key&& key) {
  std::size_t at = 0;
  while (at < word.size()) {
    const std::size_t open = word.find('{', at);
    const std::size_t close = open == std::string::npos ? open : word.find('}', open);
    if (close == std::string::npos) break;
    const std::string name = word.substr(open + 1, close - open - 1);
    if (is_name(name)) {
      text(word.substr(at, open - at));
      key(name);
      at = close + 1;
    } else {
      text(word.substr(at, open + 1 - at));
      at = open + 1;
    }
  }
  text(word.substr(at));
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

void check_keys(const Program& program, const std::string& where) {
  const std::vector<std::string> used = keys_of(program);
  std::vector<std::string> known = kOwnKeys;
  for (const Key& key : program.settings) {
    known.push_back(key.name);
    if (!is_name(key.name) || (key.name != "threads" && has(kOwnKeys, key.name))) {
      throw InputError(where, "'" + key.name + "' can't be the name of a setting",
                       "use letters, digits, '-' and '_', and no name of Bellmark's own");
    }
    if (!key.refuse(key.default_value).empty()) {
      throw InputError(where, key.refuse(key.default_value), "give the setting another default");
    }
    if (has(used, key.name) || speaks_wire(program)) continue;
    throw InputError(where, "no word mentions {" + key.name + "}, so that it would change nothing",
                     "write {" + key.name + "} in the command, or leave the setting out");
  }
  for (const std::string& name : used) {
    if (!has(known, name)) {
      throw InputError(where, "'{" + name + "}' names no key",
                       "give it values with -a " + name + "=..., or declare it as a setting; " +
                           suggestion(name, known));
    }
    if (name == "target" && program.problem != "p2p") {
      throw InputError(where, "{target} in a command of " + program.problem + ", which has none",
                       "leave it out, or say problem p2p");
    }
  }
}

/// The checks that a problem allows.
std::vector<std::string> checks_of(const std::string& problem) {
  if (problem == "sssp") return {"exit-code", "command", "answer", "distances", "predecessors"};
  if (problem == "bfs") return {"exit-code", "command", "answer", "levels", "predecessors"};
  return {"exit-code", "command", "answer"};
}

void check_check_pattern(const Program& program, const std::string& where) {
  if (program.check_pattern.empty()) return;
  if (program.check != Check::command) {
    throw InputError(where, "check_pattern without check = \"command\"",
                     "leave it out, or say what is started: check_command");
  }
  if (!group_count(program.check_pattern.c_str())) {
    throw InputError(where, "'" + program.check_pattern + "' is not a regular expression",
                     "write what the check prints: 'Verification: *PASS'");
  }
}

void check_check(const Program& program, const std::string& where) {
  const std::vector<std::string> checks = checks_of(program.problem);
  if (!has(checks, to_string(program.check))) {
    throw InputError(where,
                     "check '" + to_string(program.check) + "' does not go with " + program.problem,
                     "choose one of: " + join(checks, ", "));
  }
  if (program.check == Check::command && program.check_command.empty()) {
    throw InputError(where, "check 'command' without a check_command", "say which words start it");
  }
  check_check_pattern(program, where);
  const bool is_written = has(keys_of(program), "answer");
  if (is_certified(program) && !is_written && !speaks_wire(program)) {
    throw InputError(where, "no word mentions {answer}, so that there is nothing to certify",
                     "give {answer} to the program, or say check = \"exit-code\"");
  }
}

/// Messages carry these facts, so the definition must not.
void check_wire(const Program& program, const std::string& where) {
  if (program.speaks.empty()) return;
  if (!speaks_wire(program)) {
    throw InputError(where, "speaks '" + program.speaks + "'", "write wire, or leave it out");
  }
  const Program plain;
  const bool has_more = program.reported || program.check != plain.check ||
                        program.form != plain.form || !program.unreached.empty() ||
                        !program.check_command.empty() || program.first_vertex != 1;
  if (has_more) {
    throw InputError(where, "a program that speaks wire has no key about its time or its answer",
                     "leave out time, check, check_command, form, unreached and first_vertex");
  }
  if (!program.input.empty()) {
    throw InputError(where, "a program that speaks wire has its messages at standard input",
                     "leave out input");
  }
  if (is_of_a_query(program.format)) {
    throw InputError(where, "format '" + program.format + "' has a file for each query",
                     "choose another format: a program that speaks wire reads one file");
  }
  for (const char* name : {"graph", "source", "target", "answer"}) {
    if (!has(keys_of(program), name)) continue;
    throw InputError(where, "{" + std::string(name) + "} in a command that speaks wire",
                     "leave it out: messages say it");
  }
}

void check_reported(const Program& program, const std::string& where) {
  if (!program.reported) return;
  const std::string& pattern = program.reported->pattern;
  const auto groups = group_count(pattern.c_str());
  if (groups && *groups == 1) return;
  throw InputError(where,
                   "'" + pattern + "' " +
                       (groups ? "has " + std::to_string(*groups) + " groups"
                               : std::string("is not a regular expression")),
                   "write one group around the number: 'Trial Time: *([0-9.]+)'");
}

}  // namespace

bool operator==(const Program& a, const Program& b) { return Json(a) == Json(b); }

std::string family_name(const Program& program) {
  return program.problem + "/external-" + program.name;
}

std::string short_name(const Program& program) { return "external/" + program.name; }

bool speaks_wire(const Program& program) { return program.speaks == "wire"; }

bool is_certified(const Program& program) {
  if (speaks_wire(program)) return true;
  return program.check != Check::exit_code && program.check != Check::command;
}

std::string check_text(const Program& program) {
  if (is_certified(program)) return {};
  return program.check == Check::command ? "checked by a command" : "exit code only";
}

std::string to_string(Check check) { return kCheckNames.name_of(check); }
std::string to_string(Form form) { return kFormNames.name_of(form); }

Need graph_need_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Need need : {Need::non_negative, Need::symmetric}) {
    if (to_string(need) == name) return need;
    names.push_back(to_string(need));
  }
  throw InputError("needs", "'" + name + "' is not a need of a program",
                   "choose of: " + join(names, ", "));
}

Check check_of(const std::string& name) {
  if (const auto check = kCheckNames.value_of(name)) return *check;
  throw InputError("check", "'" + name + "' is none", suggestion(name, kCheckNames.all()));
}

Form form_of(const std::string& name) {
  if (const auto form = kFormNames.value_of(name)) return *form;
  throw InputError("form", "'" + name + "' is none", suggestion(name, kFormNames.all()));
}

double unit_ns_of(const std::string& unit) {
  const std::vector<std::pair<std::string, double>> units = {
      {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
  const auto known = std::ranges::find(units, unit, &std::pair<std::string, double>::first);
  if (known != units.end()) return known->second;
  throw InputError("unit", "'" + unit + "' is not a unit of time", "write s, ms, us or ns");
}

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == '\0' && is_blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote && quote != '\0') {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote == '\0') return words;
  throw InputError("command '" + line + "'", std::string("a quote ") + quote + " has no end",
                   "close it, or put a backslash before it");
}

std::vector<std::string> keys_of(const Program& program) {
  std::vector<std::string> keys;
  const auto look = [&](const std::string& word) {
    for_parts(
        word, [](const std::string&) {},
        [&](const std::string& name) {
          if (!has(keys, name)) keys.push_back(name);
        });
  };
  for (const std::string& word : program.command) look(word);
  for (const auto& [name, value] : program.environment) look(value);
  look(program.input);
  return keys;
}

std::string fill(const std::string& word, const std::map<std::string, std::string>& values) {
  std::string filled;
  for_parts(
      word, [&](const std::string& text) { filled += text; },
      [&](const std::string& name) {
        const auto value = values.find(name);
        filled += value == values.end() ? "{" + name + "}" : value->second;
      });
  return filled;
}

std::string command_text(const Program& program) {
  std::vector<std::string> words;
  for (const auto& [name, value] : program.environment) words.push_back(name + "=" + value);
  for (const std::string& word : program.command) words.push_back(shell_word(word));
  return join(words, " ");
}

void check_program(const Program& program) {
  const std::string where =
      (program.origin.empty() ? "" : program.origin + ": ") + "program '" + program.name + "'";
  if (!is_name(program.name)) {
    throw InputError(where, "its name is not valid", "use letters, digits, '-' and '_'");
  }
  const std::vector<std::string> problems(kTextProblems.begin(), kTextProblems.end());
  if (!has(problems, program.problem)) {
    throw InputError(where,
                     "problem '" + program.problem + "' is not one that a program can answer",
                     suggestion(program.problem, problems));
  }
  if (program.command.empty() || program.command.front().empty()) {
    throw InputError(where, "its command has no words", "name the program");
  }
  if (fill(program.command.front(), {{"home", ""}}).find('{') != std::string::npos) {
    throw InputError(where, "its first word, '" + program.command.front() + "', is not one program",
                     "let only {home} stand in it");
  }
  if (!has(known_formats(), program.format)) {
    throw InputError(where, "format '" + program.format + "' is unknown",
                     suggestion(program.format, known_formats()));
  }
  if (program.first_vertex > 1) {
    throw InputError(where, "first_vertex is neither 0 nor 1",
                     "give the program's number of the first vertex");
  }
  check_wire(program, where);
  check_keys(program, where);
  check_check(program, where);
  check_reported(program, where);
}

void find_executable(Program& program) {
  program.executable.clear();
  program.executable_digest.clear();
  if (program.home.empty() && !program.home_variable.empty()) {
    const char* const folder = std::getenv(program.home_variable.c_str());
    program.home = folder == nullptr ? "" : folder;
  }
  const bool needs_home = has(keys_of(program), "home");
  if (needs_home && program.home.empty()) return;
  const std::string found = find_program(fill(program.command.front(), {{"home", program.home}}));
  if (found.empty()) return;
  std::error_code ignored;
  program.executable = fs::absolute(found, ignored).string();
  Digest digest;
  digest.add(read_whole(program.executable));
  // A file in an interpreter's arguments is a part of the program, too. Data are not.
  constexpr std::uintmax_t kLargestScript = std::uintmax_t{16} << 20;
  for (std::size_t i = 1; i < program.command.size(); ++i) {
    const std::string file = fill(program.command[i], {{"home", program.home}});
    if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) <= kLargestScript) {
      digest.add(read_whole(file));
    }
  }
  program.executable_digest = digest.hex();
}

std::string absence_of(const Program& program) {
  if (!program.executable.empty()) return {};
  const bool needs_home = has(keys_of(program), "home");
  if (needs_home && program.home.empty()) {
    const std::string variable =
        program.home_variable.empty() ? "" : "set " + program.home_variable + ", or ";
    return program.name + " is not here: " + variable + "say --program " + program.name + "=FOLDER";
  }
  const std::string word = fill(program.command.front(), {{"home", program.home}});
  std::error_code ignored;
  if (word.find('/') != std::string::npos && fs::is_regular_file(word, ignored)) {
    return program.name + " can't run: '" + word + "' is not executable; chmod +x " + word;
  }
  return program.name + " is not here: there is no program '" + word + "'";
}

}  // namespace bellmark::external
