#include "harness/report/tidy_csv.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "harness/report/csv_field.hpp"

namespace bellmark::report {
namespace {

[[noreturn]] void fail(const char* what) {
  throw MachineError("table", std::string(what) + ": " + std::strerror(errno),
                     "free space in the folder of temporary files, or name fewer results");
}

std::string line_of(const TidyCsv::Json& row, const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& column : columns) {
    if (!line.empty() || &column != &columns.front()) line += ",";
    if (const auto value = row.find(column); value != row.end()) line += csv_field(*value);
  }
  return line + "\n";
}

}  // namespace

TidyCsv::TidyCsv() : rows_(std::tmpfile(), &std::fclose) {
  if (rows_ == nullptr) fail("no temporary file for its rows");
}

void TidyCsv::add(const Json& row) {
  for (const auto& [name, value] : row.items()) {
    if (name.find('.') != std::string::npos) {
      dotted_.insert(name);
    } else if (std::ranges::find(fixed_, name) == fixed_.end()) {
      fixed_.push_back(name);
    }
  }
  const std::string text = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), rows_.get()) != text.size()) {
    fail("its rows can't be kept");
  }
}

void TidyCsv::write(const std::function<void(std::string_view)>& use) {
  if (std::fflush(rows_.get()) != 0) fail("its rows can't be kept");
  std::rewind(rows_.get());
  std::vector<std::string> columns = fixed_;
  columns.insert(columns.end(), dotted_.begin(), dotted_.end());
  Json names = Json::object();
  for (const std::string& column : columns) names[column] = column;
  use(line_of(names, columns));
  char* line = nullptr;
  std::size_t capacity = 0;
  std::unique_ptr<char*, void (*)(char**)> owner(&line, [](char** text) { std::free(*text); });
  for (ssize_t size = 0; (size = ::getline(&line, &capacity, rows_.get())) > 0;) {
    use(line_of(Json::parse(line, line + size), columns));
  }
  if (std::ferror(rows_.get()) != 0) fail("its rows can't be read");
}

}  // namespace bellmark::report
