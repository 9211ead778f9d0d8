#include "harness/plan/experiment.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/plan/metric.hpp"

namespace bellmark::plan {
namespace {

namespace fs = std::filesystem;

/// One table of the file: hands out typed values, and refuses keys that nobody asked for, so that
/// a misspelt key can't be silently ignored.
class Table {
 public:
  Table(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  template <class T>
  std::optional<T> optional(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if constexpr (std::is_same_v<T, double>) {
      if (node->is_number()) return node->value<double>();
    } else if (node->is<T>()) {
      return node->value_exact<T>();
    }
    throw InputError(where(*node),
                     "key '" + path_ + std::string(key) + "' must be " + type_name<T>(),
                     "correct its value");
  }

  template <class T>
  T required(std::string_view key) {
    if (auto value = optional<T>(key)) return *value;
    throw missing(key);
  }

  std::optional<std::uint64_t> count(std::string_view key) {
    const auto value = optional<std::int64_t>(key);
    if (!value) return std::nullopt;
    if (*value < 1) {
      throw InputError(where(*find(key)),
                       "key '" + path_ + std::string(key) + "' must be 1 or more", "raise it");
    }
    return static_cast<std::uint64_t>(*value);
  }

  std::optional<double> above_zero(std::string_view key) {
    const auto value = optional<double>(key);
    if (value && !(*value > 0 && std::isfinite(*value))) {
      throw InputError(where(*find(key)), "key '" + path_ + std::string(key) + "' must be above 0",
                       "raise it");
    }
    return value;
  }

  std::optional<Table> table(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const toml::table* inner = node->as_table()) {
      return Table(*inner, file_, path_ + std::string(key) + ".");
    }
    throw InputError(where(*node), "key '" + path_ + std::string(key) + "' must be a table",
                     "write it as { key = value } or under a [heading]");
  }

  std::vector<Table> tables(std::string_view key) {
    std::vector<Table> result;
    for (const toml::node* element : elements(key)) {
      const toml::table* inner = element->as_table();
      if (inner == nullptr) {
        throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold tables",
                         "write { axis = value }");
      }
      result.emplace_back(*inner, file_, path_ + std::string(key) + ".");
    }
    return result;
  }

  std::vector<std::string> strings(std::string_view key) {
    std::vector<std::string> result;
    for (const toml::node* element : elements(key)) {
      const auto text = element->value_exact<std::string>();
      if (!text) {
        throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold strings",
                         "quote its values");
      }
      result.push_back(*text);
    }
    return result;
  }

  std::vector<std::uint64_t> counts(std::string_view key) {
    std::vector<std::uint64_t> result;
    for (const toml::node* element : elements(key)) {
      const auto value = element->value_exact<std::int64_t>();
      if (!value || *value < 0) {
        throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold ids",
                         "write whole numbers from 0 on");
      }
      result.push_back(static_cast<std::uint64_t>(*value));
    }
    return result;
  }

  /// Every key of this table with one value or a list of values, in the file's order.
  std::vector<Axis> axes() {
    std::vector<std::pair<toml::source_position, Axis>> found;
    for (const auto& [key, node] : table_) {
      asked_.emplace_back(key.str());
      Axis axis{std::string(key.str()), {}};
      if (const toml::array* array = node.as_array()) {
        for (const toml::node& element : *array) axis.second.push_back(scalar(element, axis.first));
      } else {
        axis.second.push_back(scalar(node, axis.first));
      }
      if (axis.second.empty()) {
        throw InputError(where(node), "axis '" + path_ + axis.first + "' has no values",
                         "give it at least one");
      }
      found.emplace_back(key.source().begin, std::move(axis));
    }
    std::ranges::sort(found, [](const auto& a, const auto& b) {
      return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
    });
    std::vector<Axis> result;
    result.reserve(found.size());
    for (auto& [position, axis] : found) result.push_back(std::move(axis));
    return result;
  }

  /// This table as a selector over the experiment's axes; an axis that it doesn't have would
  /// silently match nothing.
  Selector selector(const std::vector<std::string>& known) {
    Selector selector{axes()};
    for (const auto& [axis, values] : selector.wanted) {
      if (std::ranges::find(known, axis) != known.end()) continue;
      throw InputError(where_key(axis), "'" + path_ + axis + "' is no axis of this experiment",
                       suggestion(axis, known));
    }
    return selector;
  }

  Selector selector(std::string_view key, const std::vector<std::string>& known) {
    auto inner = table(key);
    return inner ? inner->selector(known) : Selector{};
  }

  Json json() {
    for (const auto& [key, node] : table_) asked_.emplace_back(key.str());
    return to_json(table_);
  }

  /// Throws on the first key that was never asked for. Call it last.
  void finish() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::ranges::find(asked_, name) == asked_.end()) {
        throw InputError(file_ + ":" + std::to_string(key.source().begin.line),
                         "unknown key '" + path_ + name + "'", suggestion(name, asked_));
      }
    }
  }

  InputError missing(std::string_view key) const {
    return InputError(where(table_), "key '" + path_ + std::string(key) + "' is missing", "add it");
  }

  std::string where(const toml::node& node) const {
    return file_ + ":" + std::to_string(std::max<std::uint32_t>(1, node.source().begin.line));
  }
  std::string where_key(std::string_view key) { return where(*find(key)); }

 private:
  const toml::node* find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }

  std::vector<const toml::node*> elements(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      throw InputError(where(*node), "key '" + path_ + std::string(key) + "' must be a list",
                       "write it as [ ... ]");
    }
    std::vector<const toml::node*> result;
    for (const toml::node& element : *array) result.push_back(&element);
    return result;
  }

  AxisValue scalar(const toml::node& node, const std::string& key) const {
    if (node.is_string() || node.is_integer() || node.is_floating_point() || node.is_boolean()) {
      return to_json(node);
    }
    throw InputError(where(node), "axis '" + path_ + key + "' must hold words or numbers",
                     "write for example " + key + " = [2, 4, 8]");
  }

  static Json to_json(const toml::node& node) {
    if (const auto* table = node.as_table()) {
      Json json = Json::object();
      for (const auto& [key, value] : *table) json[std::string(key.str())] = to_json(value);
      return json;
    }
    if (const auto* array = node.as_array()) {
      Json json = Json::array();
      for (const toml::node& value : *array) json.push_back(to_json(value));
      return json;
    }
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto value = node.value_exact<std::int64_t>()) return *value;
    if (const auto value = node.value_exact<double>()) return *value;
    if (const auto value = node.value_exact<bool>()) return *value;
    return nullptr;
  }

  template <class T>
  static std::string type_name() {
    if constexpr (std::is_same_v<T, std::string>) return "a string";
    if constexpr (std::is_same_v<T, std::int64_t>) return "a whole number";
    if constexpr (std::is_same_v<T, double>) return "a number";
    return "true or false";
  }

  const toml::table& table_;
  std::string file_;
  std::string path_;
  std::vector<std::string> asked_;
};

/// The plotting scripts read it as it is; what it shows is checked here, before hours of measuring.
Json parse_figure(Table& table) {
  Json figure = table.json();
  const auto metric = figure.find("metric");
  if (metric == figure.end() || !metric->is_string()) return figure;
  const std::string where = table.where_key("metric");
  if (is_drawable(parse_metric(metric->get<std::string>(), where))) return figure;
  throw InputError(
      where, "'" + metric->get<std::string>() + "' can't be drawn",
      "figures show wall_ns, memory, and of a phase log phase_count or a column's sum, "
      "mean or largest");
}

Claim parse_claim(Table table, const std::vector<std::string>& axes) {
  static const std::vector<std::string> kKinds = {"order", "ratio",  "trend",
                                                  "shape", "argmin", "absolute"};
  Claim claim;
  claim.id = table.required<std::string>("id");
  claim.kind = table.required<std::string>("kind");
  claim.text = table.required<std::string>("text");
  if (std::ranges::find(kKinds, claim.kind) == kKinds.end()) {
    throw InputError(table.where_key("kind"), "'" + claim.kind + "' is no kind of claim",
                     suggestion(claim.kind, kKinds));
  }
  if (const auto metric = table.optional<std::string>("metric")) {
    claim.metric = parse_metric(*metric, table.where_key("metric")).name;
  }
  claim.along = table.optional<std::string>("along").value_or("");
  if (!claim.along.empty() && std::ranges::find(axes, claim.along) == axes.end()) {
    throw InputError(table.where_key("along"),
                     "'" + claim.along + "' is no axis of this experiment",
                     suggestion(claim.along, axes));
  }
  for (Table& selector : table.tables("order")) claim.order.push_back(selector.selector(axes));
  claim.numerator = table.selector("numerator", axes);
  claim.denominator = table.selector("denominator", axes);
  claim.where = table.selector("where", axes);
  for (Table& row : table.tables("statements")) {
    Statement statement;
    statement.text = row.required<std::string>("text");
    if (const auto metric = row.optional<std::string>("metric")) {
      statement.metric = parse_metric(*metric, row.where_key("metric")).name;
    }
    statement.numerator = row.selector("numerator", axes);
    statement.denominator = row.selector("denominator", axes);
    if (auto over = row.table("over")) {
      statement.over_numerator = over->selector("numerator", axes);
      statement.over_denominator = over->selector("denominator", axes);
      over->finish();
      if (statement.denominator.empty()) throw row.missing("denominator");
      if (statement.over_numerator.empty()) throw over->missing("numerator");
      if (statement.over_denominator.empty()) throw over->missing("denominator");
    }
    statement.at_least = row.optional<double>("at_least");
    statement.at_most = row.optional<double>("at_most");
    statement.paper = row.optional<double>("paper");
    row.finish();
    if (statement.numerator.empty()) throw row.missing("numerator");
    if (!statement.at_least && !statement.at_most) throw row.missing("at_least' or 'at_most");
    if (statement.at_least && statement.at_most && *statement.at_least > *statement.at_most) {
      throw InputError(row.where_key("at_least"), "at_least is above at_most: nothing could hold",
                       "swap them");
    }
    claim.statements.push_back(std::move(statement));
  }
  for (Table& row : table.tables("cells")) {
    ShownCell cell;
    cell.where = row.selector("where", axes);
    cell.paper = row.optional<double>("paper");
    cell.text = row.optional<std::string>("text").value_or(cell.where.text());
    row.finish();
    claim.cells.push_back(std::move(cell));
  }
  if (auto paper = table.table("paper")) {
    claim.paper.value = paper->optional<double>("value");
    claim.paper.low = paper->optional<double>("low");
    claim.paper.high = paper->optional<double>("high");
    claim.paper.quoted = paper->optional<std::string>("quoted").value_or("");
    for (const char* key : {"unit", "read_from", "machine"}) paper->optional<std::string>(key);
    paper->finish();
  }
  table.finish();

  if (claim.kind == "order" && claim.order.size() < 2) throw table.missing("order");
  if (claim.kind == "ratio") {
    if (claim.numerator.empty()) throw table.missing("numerator");
    if (claim.denominator.empty()) throw table.missing("denominator");
    if (!claim.paper.low || !claim.paper.high) throw table.missing("paper.low' and 'paper.high");
    if (*claim.paper.low > *claim.paper.high) {
      throw InputError(table.where_key("paper"), "the paper's low is above high", "swap them");
    }
    if (*claim.paper.low <= 1 && *claim.paper.high >= 1) {
      throw InputError(table.where_key("paper"), "the paper's range contains 1: no side to be on",
                       "state the range on one side of 1, or use kind = \"shape\"");
    }
  }
  if (claim.kind == "argmin") {
    if (claim.along.empty()) throw table.missing("along");
    if (!claim.paper.value) throw table.missing("paper.value");
  }
  if ((claim.kind == "shape" || claim.kind == "trend") && claim.statements.empty()) {
    throw table.missing("statements");
  }
  if (claim.kind == "absolute" && claim.cells.empty()) throw table.missing("cells");
  return claim;
}

/// The id names the folder of the runs, and must stay below the one that holds them.
bool names_folder(const std::string& id) {
  const fs::path path(id);
  return !id.empty() && path.is_relative() && path.has_filename() &&
         path.lexically_normal().string() == id && *path.begin() != ".." && *path.begin() != ".";
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw InputError(file.string(), "cannot be read", "check the path and its permissions");
  }
  return text.str();
}

toml::table parse_toml(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError(name + ":" + std::to_string(error.source().begin.line),
                     "not valid TOML: " + std::string(error.description()),
                     "correct the syntax there");
  }
}

void read_paper(const fs::path& file, Experiment& experiment) {
  if (!fs::exists(file)) return;
  const toml::table root = parse_toml(read_text(file), file.string());
  experiment.citation = root["citation"].value_or(std::string());
  experiment.paper_machine = root["machine"].value_or(std::string());
}

std::vector<fs::path> experiment_folders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {executable / "experiments", executable / "../experiments",
                                 fs::path(BELLMARK_SOURCE_DIR) / "experiments"}) {
    if (fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".toml" && entry.path().filename() != "paper.toml") {
      files.push_back(entry.path());
    }
  }
  // "table17" sorts after "table4": compare by length first within a folder.
  std::ranges::sort(files, {}, [](const fs::path& file) {
    const std::string stem = file.stem().string();
    return std::tuple(file.parent_path(), stem.size(), stem);
  });
  if (files.empty()) {
    throw InputError(path.string(), "holds no experiment (.toml)", "name a folder that does");
  }
  return files;
}

}  // namespace

bool Selector::matches(const Json& axes) const {
  return std::ranges::all_of(wanted, [&](const Axis& axis) {
    if (!axes.contains(axis.first)) return false;
    const std::string actual = axis_text(axes[axis.first]);
    return std::ranges::any_of(axis.second,
                               [&](const AxisValue& value) { return axis_text(value) == actual; });
  });
}

std::string Selector::text() const {
  std::string text;
  for (const auto& [axis, values] : wanted) {
    if (!text.empty()) text += ", ";
    text += axis + " = ";
    for (const AxisValue& value : values) {
      if (&value != &values.front()) text += "|";
      text += axis_text(value);
    }
  }
  return text;
}

std::string axis_text(const AxisValue& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Experiment parse_experiment(const std::string& text, const std::string& name) {
  const toml::table parsed = parse_toml(text, name);
  Table root(parsed, name, "");
  Experiment experiment;
  experiment.text = text;
  experiment.id = root.required<std::string>("id");
  if (!names_folder(experiment.id)) {
    throw InputError(root.where_key("id"), "id '" + experiment.id + "' can't name a folder",
                     "write words parted by '/', for example yasui2011/T4");
  }
  experiment.title = root.optional<std::string>("title").value_or(experiment.id);
  if (auto paper = root.table("paper")) {
    experiment.paper_key = paper->required<std::string>("key");
    experiment.paper_item = paper->required<std::string>("item");
    paper->finish();
  }
  experiment.variants = root.strings("variants");
  if (experiment.variants.empty()) throw root.missing("variants");
  experiment.stand_in = root.optional<std::string>("stand_in").value_or("");

  auto workload = root.table("workload");
  if (!workload) throw root.missing("workload");
  experiment.problem = workload->required<std::string>("problem");
  auto queries = workload->table("queries");
  if (!queries) throw workload->missing("queries");
  experiment.queries.kind = queries->required<std::string>("kind");
  const bool counted = experiment.queries.kind != "list" && experiment.queries.kind != "file";
  experiment.queries.count = queries->count("count").value_or(counted ? 1 : 0);
  experiment.queries.seed =
      static_cast<std::uint64_t>(queries->optional<std::int64_t>("seed").value_or(42));
  experiment.queries.file = queries->optional<std::string>("file").value_or("");
  experiment.queries.list = queries->counts("list");
  queries->finish();
  workload->finish();

  if (auto table = root.table("axes")) experiment.axes = table->axes();
  std::vector<std::string> axes = {"graph", "placement"};
  for (const Axis& axis : experiment.axes) axes.push_back(axis.first);
  for (Table& row : root.tables("exclude")) {
    Exclude exclude{row.selector("where", axes), row.required<std::string>("why")};
    row.finish();
    experiment.excludes.push_back(std::move(exclude));
  }
  if (auto run = root.table("run")) {
    if (auto v = run->optional<std::string>("placement")) experiment.placement = *v;
    if (auto v = run->count("processes")) experiment.process_count = *v;
    if (auto v = run->count("ranks")) experiment.rank_count = *v;
    if (auto v = run->optional<std::string>("launcher")) experiment.launcher = *v;
    if (auto v = run->optional<std::string>("frequency")) experiment.frequency = *v;
    if (auto v = run->optional<bool>("diagnose")) experiment.diagnose = *v;
    if (auto v = run->count("block_count")) experiment.block_count = *v;
    if (auto v = run->count("sample_count")) experiment.sample_count = *v;
    if (auto v = run->above_zero("seconds_per_process")) experiment.seconds_per_process = *v;
    if (auto v = run->above_zero("timeout_s")) experiment.timeout_s = *v;
    if (auto v = run->optional<bool>("memory")) experiment.memory = *v;
    experiment.counters = run->strings("counters");
    experiment.baseline = run->selector("baseline", axes);
    run->finish();
  }
  if (auto quick = root.table("quick")) {
    experiment.quick.query_count = quick->count("query_count");
    experiment.quick.sample_count = quick->count("sample_count");
    experiment.quick.seconds_per_process = quick->above_zero("seconds_per_process");
    experiment.quick.stand_in = quick->optional<std::string>("stand_in").value_or("");
    if (auto table = quick->table("axes")) experiment.quick.axes = table->axes();
    quick->finish();
  }
  if (parsed["figure"].is_array()) {
    for (Table& figure : root.tables("figure")) experiment.figure.push_back(parse_figure(figure));
  } else if (auto figure = root.table("figure")) {
    experiment.figure = parse_figure(*figure);
  }
  for (Table& claim : root.tables("claim")) experiment.claims.push_back(parse_claim(claim, axes));
  root.finish();
  return experiment;
}

Experiment read_experiment(const fs::path& file) {
  Experiment experiment = parse_experiment(read_text(file), file.string());
  read_paper(file.parent_path() / "paper.toml", experiment);
  return experiment;
}

std::vector<fs::path> find_experiments(const std::string& reference) {
  std::vector<std::string> known;
  if (fs::exists(reference)) return files_of(reference);
  const std::string inside =
      reference.starts_with("experiments/") ? reference.substr(12) : reference;
  for (const fs::path& folder : experiment_folders()) {
    for (const fs::path& path : {folder / inside, folder / (inside + ".toml")}) {
      if (fs::exists(path)) return files_of(path);
    }
    for (const fs::path& file : files_of(folder)) {
      known.push_back(fs::relative(file, folder).replace_extension().string());
    }
  }
  throw InputError("experiment '" + reference + "'", "not found",
                   suggestion(inside, known) + " (or name a .toml file or a folder of them)");
}

}  // namespace bellmark::plan
