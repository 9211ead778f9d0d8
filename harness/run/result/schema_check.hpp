// Checks results against their schema (harness/schema/result.schema.json), which is part of the
// program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::run {

/// The innermost fault of a result as `cells[0].block_count: what is wrong`; "" when it has none.
std::string schema_fault(const nlohmann::ordered_json& result);

}  // namespace bellmark::run
