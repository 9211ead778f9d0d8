// Programs as JSON: on the wire, in run folders and in results.

#include "base/error.hpp"
#include "harness/external/program.hpp"

namespace bellmark::external {
namespace {

Json key_json(const Key& key) {
  return {{"name", key.name},       {"default", key.default_value},
          {"choices", key.choices}, {"least", key.least},
          {"largest", key.largest}, {"tunable", key.tunable},
          {"unit", key.unit},       {"help", key.help}};
}

Key key_of(const Json& json) {
  Key key;
  key.when = Key::When::run_time;
  json.at("name").get_to(key.name);
  json.at("default").get_to(key.default_value);
  json.at("choices").get_to(key.choices);
  json.at("least").get_to(key.least);
  json.at("largest").get_to(key.largest);
  json.at("tunable").get_to(key.tunable);
  json.at("unit").get_to(key.unit);
  json.at("help").get_to(key.help);
  return key;
}

}  // namespace

void to_json(Json& json, const Program& program) {
  Json settings = Json::array();
  for (const Key& key : program.settings) settings.push_back(key_json(key));
  Json needs = Json::array();
  for (const Need need : program.needs) needs.push_back(bellmark::to_string(need));
  Json reported;
  if (program.reported) {
    reported = {{"pattern", program.reported->pattern}, {"unit_ns", program.reported->unit_ns}};
  }
  json = {{"name", program.name},
          {"problem", program.problem},
          {"needs", needs},
          {"command", program.command},
          {"settings", settings},
          {"format", program.format},
          {"first_vertex", program.first_vertex},
          {"input", program.input},
          {"environment", program.environment},
          {"passed", program.passed},
          {"version_command", program.version_command},
          {"reported_time", reported},
          {"check", to_string(program.check)},
          {"check_command", program.check_command},
          {"check_pattern", program.check_pattern},
          {"form", to_string(program.form)},
          {"unreached", program.unreached},
          {"speaks", program.speaks},
          {"home_variable", program.home_variable},
          {"home", program.home},
          {"origin", program.origin},
          {"executable", program.executable},
          {"executable_digest", program.executable_digest},
          {"version", program.version}};
}

void from_json(const Json& json, Program& program) {
  program = {};
  json.at("name").get_to(program.name);
  json.at("problem").get_to(program.problem);
  for (const Json& need : json.at("needs")) {
    program.needs.push_back(graph_need_of(need.get<std::string>()));
  }
  json.at("command").get_to(program.command);
  for (const Json& key : json.at("settings")) program.settings.push_back(key_of(key));
  json.at("format").get_to(program.format);
  json.at("first_vertex").get_to(program.first_vertex);
  json.at("input").get_to(program.input);
  json.at("environment").get_to(program.environment);
  json.at("passed").get_to(program.passed);
  json.at("version_command").get_to(program.version_command);
  if (const Json& time = json.at("reported_time"); !time.is_null()) {
    program.reported = {time.at("pattern").get<std::string>(), time.at("unit_ns").get<double>()};
  }
  program.check = check_of(json.at("check").get<std::string>());
  json.at("check_command").get_to(program.check_command);
  json.at("check_pattern").get_to(program.check_pattern);
  program.form = form_of(json.at("form").get<std::string>());
  json.at("unreached").get_to(program.unreached);
  json.at("speaks").get_to(program.speaks);
  json.at("home_variable").get_to(program.home_variable);
  json.at("home").get_to(program.home);
  json.at("origin").get_to(program.origin);
  json.at("executable").get_to(program.executable);
  json.at("executable_digest").get_to(program.executable_digest);
  json.at("version").get_to(program.version);
  check_program(program);
}

}  // namespace bellmark::external
