// Tidy rows as CSV. The columns of all rows are known only at the end, and the rows may be too many
// for memory: they wait in a temporary file.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::report {

class TidyCsv {
 public:
  using Json = nlohmann::ordered_json;

  /// Throws MachineError.
  TidyCsv();

  /// Throws MachineError when the temporary file can't be written.
  void add(const Json& row);

  /// Passes the lines to `use`: the names of the columns, then the rows. Columns without a dot come
  /// first, in the order of the rows. Columns with a dot follow in alphabetical order.
  void write(const std::function<void(std::string_view)>& use);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> rows_;
  std::vector<std::string> fixed_;
  std::set<std::string> dotted_;
};

}  // namespace bellmark::report
