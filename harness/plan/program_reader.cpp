#include "harness/plan/program_reader.hpp"

#include "base/error.hpp"
#include "base/input.hpp"
#include "harness/plan/experiment_keys.hpp"

namespace bellmark::plan {
namespace {

/// One text that is split into words, or a list of words.
std::vector<std::string> words_of(const Table& table, const std::string& key) {
  if (table.is_string(key)) return external::split_words(table.required<std::string>(key));
  return table.strings(key);
}

Key read_setting(const Table& table) {
  table.only(kProgramSettingKeys);
  Key key;
  key.when = Key::When::run_time;
  key.name = table.required<std::string>("name");
  const Json json = table.json();
  for (const AxisValue& value : json.value("values", Json::array())) {
    key.choices.push_back(axis_text(value));
  }
  key.least = table.optional<std::int64_t>("least").value_or(0);
  key.largest = table.optional<std::int64_t>("largest").value_or(key.least);
  const std::string first = key.choices.empty() ? std::to_string(key.least) : key.choices.front();
  key.default_value = json.contains("default") ? axis_text(json.at("default")) : first;
  key.tunable = table.optional<bool>("tunable").value_or(false);
  key.unit = table.optional<std::string>("unit").value_or("");
  key.help = table.optional<std::string>("help").value_or("");
  return key;
}

/// `NAME` passes ours on, `NAME=value` sets it.
void read_environment(const Table& table, external::Program& program) {
  for (const std::string& word : table.strings("environment")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      program.passed.push_back(word);
    } else {
      program.environment[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
}

external::Program read_program(const Table& table, const std::string& origin) {
  table.only(kProgramKeys);
  external::Program program;
  program.origin = origin;
  program.name = table.required<std::string>("name");
  program.problem = table.required<std::string>("problem");
  for (const std::string& name : table.strings("needs")) {
    program.needs.push_back(external::graph_need_of(name));
  }
  program.command = words_of(table, "command");
  for (const Table& setting : table.tables("setting")) {
    program.settings.push_back(read_setting(setting));
  }
  program.format = table.optional<std::string>("format").value_or(program.format);
  program.first_vertex =
      static_cast<Vertex>(table.optional<std::int64_t>("first_vertex").value_or(1));
  program.input = table.optional<std::string>("input").value_or("");
  read_environment(table, program);
  program.version_command = words_of(table, "version");
  // `time = "process"` states the default.
  if (table.is_table("time")) {
    const Table time = *table.table("time");
    time.only(kProgramTimeKeys);
    program.reported = {time.required<std::string>("pattern"),
                        external::unit_ns_of(time.required<std::string>("unit"))};
  } else if (const auto word = table.optional<std::string>("time"); word && *word != "process") {
    throw InputError(table.where_key("time"), "time '" + *word + "' is none",
                     "write \"process\", or { pattern = \"...\", unit = \"s\" }");
  }
  if (const auto check = table.optional<std::string>("check")) {
    program.check = external::check_of(*check);
  }
  program.check_command = words_of(table, "check_command");
  program.check_pattern = table.optional<std::string>("check_pattern").value_or("");
  if (const auto form = table.optional<std::string>("form")) {
    program.form = external::form_of(*form);
  }
  program.unreached = table.strings("unreached");
  program.home_variable = table.optional<std::string>("home").value_or("");
  program.speaks = table.optional<std::string>("speaks").value_or("");
  external::check_program(program);
  return program;
}

}  // namespace

std::vector<external::Program> read_programs(const Table& root, const std::string& origin) {
  std::vector<external::Program> programs;
  for (const Table& table : root.tables("program")) {
    programs.push_back(read_program(table, origin));
  }
  return programs;
}

std::vector<external::Program> read_program_file(const std::filesystem::path& file) {
  const toml::table parsed = parse_toml(read_whole(file), file.string());
  const Table root(parsed, file.string(), "");
  // An experiment may define programs as well: its other tables are not asked for here.
  if (!parsed.contains("workload")) root.only({"program"});
  return read_programs(root, file.string());
}

}  // namespace bellmark::plan
