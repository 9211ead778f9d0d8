#include "harness/report/fitted_table.hpp"

#include <algorithm>
#include <set>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/format.hpp"

namespace bellmark::report {
namespace {

using Table = std::vector<std::vector<std::string>>;

/// Removes the columns that have one value in all rows, if there are several rows, from `kept` on.
/// Returns them as `samples: 6 x 2`.
std::vector<std::string> take_common_columns(Table& table, std::size_t kept) {
  std::vector<std::string> common;
  if (table.size() < 3) return common;
  for (std::size_t column = kept; column < table.front().size();) {
    const std::string value = table[1][column];
    const bool is_common = std::all_of(table.begin() + 1, table.end(),
                                       [&](const auto& row) { return row[column] == value; });
    if (!is_common) {
      ++column;
      continue;
    }
    common.push_back(table.front()[column] + ": " + value);
    for (auto& row : table) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return common;
}

/// Removes the words (parts between commas) that all names have, if there are several names.
/// Returns them; none where a name would become empty.
std::vector<std::string> take_common_words(Table& table) {
  std::vector<std::string> common;
  if (table.size() < 3) return common;
  const auto has = [](const std::string& name, std::string_view word) {
    const auto words = split(name, ',');
    return std::ranges::any_of(words, [&](const auto& each) { return trim(each) == word; });
  };
  for (const std::string& part : split(table[1].front(), ',')) {
    const std::string word(trim(part));
    const bool is_common = std::all_of(table.begin() + 1, table.end(),
                                       [&](const auto& row) { return has(row.front(), word); });
    if (is_common) common.push_back(word);
  }
  Table shorter = table;
  for (auto row = shorter.begin() + 1; row != shorter.end(); ++row) {
    std::vector<std::string> own;
    for (const std::string& part : split(row->front(), ',')) {
      if (std::ranges::find(common, trim(part)) == common.end()) own.push_back(part);
    }
    row->front() = trim(join(own, ","));
    if (row->front().empty()) return {};
  }
  table = std::move(shorter);
  return common;
}

std::size_t name_width(const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table) width = std::max(width, display_width(row.front()));
  return width;
}

/// The width of the widest line.
std::size_t table_width(const Table& table) {
  std::size_t width = 0;
  for (const std::string& line : split(aligned(table), '\n')) {
    width = std::max(width, display_width(line));
  }
  return width;
}

/// Cuts names to `columns`, unless two of them would look alike.
void cut_names(Table& table, std::size_t columns) {
  std::set<std::string> whole;
  std::set<std::string> cut;
  for (const auto& row : table) {
    whole.insert(row.front());
    cut.insert(cut_middle(row.front(), columns));
  }
  if (cut.size() < whole.size()) return;
  for (auto& row : table) row.front() = cut_middle(row.front(), columns);
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (const std::string& line : split(text, '\n')) {
    if (!line.empty()) out.append(indent).append(line).append("\n");
  }
  return out;
}

/// Each name has a line of its own, and its values stand below: in columns, or if these are too
/// wide as `time: 1 s; answers: certified`.
std::string in_two_lines(const Table& table, const std::string& indent, std::size_t columns) {
  const std::string below = indent + "  ";
  Table values = table;
  for (auto& row : values) row.erase(row.begin());
  const bool fits = below.size() + table_width(values) <= columns;
  const auto lines = split(aligned(values), '\n');
  std::string text;
  for (std::size_t i = fits ? 0 : 1; i < table.size(); ++i) {
    text += wrapped(table[i].front(), indent, columns);
    if (fits) {
      text += below + lines[i] + "\n";
      continue;
    }
    std::vector<std::string> parts;
    for (std::size_t column = 0; column < values[i].size(); ++column) {
      parts.push_back(values.front()[column] + ": " + values[i][column]);
    }
    text += wrapped(join(parts, "; "), below, columns);
  }
  return text;
}

}  // namespace

std::string fitted(Table rows, const std::string& indent, std::size_t columns, std::size_t kept) {
  constexpr std::size_t kLeastName = 24;
  for (auto& row : rows) {
    for (std::string& field : row) field = escaped(field);
  }
  const std::size_t room = columns > indent.size() ? columns - indent.size() : 1;
  std::string above;
  if (const auto common = take_common_columns(rows, kept); !common.empty()) {
    above = wrapped(join(common, "; "), indent, columns);
  }
  if (table_width(rows) > room) {
    if (const auto words = take_common_words(rows); !words.empty()) {
      above += wrapped(join(words, ", "), indent + "all: ", columns);
    }
  }
  const std::size_t names = name_width(rows);
  const std::size_t others = table_width(rows) - std::min(names, table_width(rows));
  if (others + names > room) {
    const bool is_single = rows.size() == 2;  // there is room below it
    if (is_single || room < others + kLeastName) return above + in_two_lines(rows, indent, columns);
    cut_names(rows, room - others);
    if (table_width(rows) > room) return above + in_two_lines(rows, indent, columns);
  }
  return above + indented(aligned(rows), indent);
}

std::string fitted_or_whole(Table rows, const std::string& indent,
                            std::optional<std::size_t> columns, std::size_t kept) {
  return columns ? fitted(std::move(rows), indent, *columns, kept)
                 : indented(aligned(rows), indent);
}

}  // namespace bellmark::report
