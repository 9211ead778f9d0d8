#include "harness/run/result/schema_check.hpp"

#include <algorithm>
#include <memory>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "harness/run/result/schema_text.hpp"

namespace bellmark::run {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

const valijson::Schema& result_schema() {
  static const auto schema = [] {
    auto parsed = std::make_unique<valijson::Schema>();
    const nlohmann::json document = nlohmann::json::parse(kResultSchema);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(Adapter(document), *parsed);
    return parsed;
  }();
  return *schema;
}

/// `cells[0].block_count` of `<root>`, `[cells]`, `[0]`, `[block_count]`.
std::string path_text(const std::vector<std::string>& context) {
  std::string path;
  for (std::size_t i = 1; i < context.size(); ++i) {
    const std::string word = context[i].substr(1, context[i].size() - 2);
    const bool is_index =
        !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    if (is_index) {
      path += context[i];
    } else {
      path += (path.empty() ? "" : ".") + word;
    }
  }
  return path.empty() ? "the whole" : path;
}

}  // namespace

std::string schema_fault(const nlohmann::ordered_json& result) {
  const nlohmann::json document = result;
  valijson::Validator validator;
  // Without a list of faults, validation stops at the first fault and is faster.
  if (validator.validate(result_schema(), Adapter(document), nullptr)) return {};
  valijson::ValidationResults faults;
  validator.validate(result_schema(), Adapter(document), &faults);
  // The alternative that got furthest names the fault.
  const auto innermost = std::max_element(
      faults.begin(), faults.end(),
      [](const auto& a, const auto& b) { return a.context.size() < b.context.size(); });
  return path_text(innermost->context) + ": " + innermost->description;
}

}  // namespace bellmark::run
