#include "algorithms/spots/places/csv.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string name)
    : text_(text), name_(std::move(name)) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  while (!text_.empty() && at_line_end()) take_line_end();
  record_line_ = line_;
  if (text_.empty()) return false;
  fields.push_back(take_field());
  while (text_.starts_with(',')) {
    text_.remove_prefix(1);
    fields.push_back(take_field());
  }
  if (!text_.empty()) take_line_end();
  return true;
}

std::string CsvReader::take_field() {
  std::string field;
  if (text_.starts_with('"')) {
    field = take_quoted();
  } else {
    std::size_t end = text_.find_first_of(",\n");
    end = std::min(end, text_.size());
    field = text_.substr(0, end);
    text_.remove_prefix(end);
    if (!text_.starts_with(',') && field.ends_with('\r')) field.pop_back();
    if (field.find('"') != std::string::npos) {
      fail("a quote within a field that does not begin with one",
           "quote the whole field and double the quotes in it");
    }
  }
  if (!is_utf8(field)) fail("not UTF-8 text", "convert the file to UTF-8");
  return field;
}

std::string CsvReader::take_quoted() {
  std::string field;
  text_.remove_prefix(1);
  while (true) {
    const std::size_t quote = text_.find('"');
    if (quote == std::string_view::npos) {
      fail("a quoted field does not end", "close it with a quote");
    }
    field.append(text_.substr(0, quote));
    text_.remove_prefix(quote + 1);
    if (!text_.starts_with('"')) break;
    field.push_back('"');
    text_.remove_prefix(1);
  }
  if (!text_.empty() && !text_.starts_with(',') && !at_line_end()) {
    fail("text after the quote that ends a field", "double the quotes within a quoted field");
  }
  line_ += static_cast<std::uint64_t>(std::count(field.begin(), field.end(), '\n'));
  return field;
}

bool CsvReader::at_line_end() const { return text_.starts_with('\n') || text_.starts_with("\r\n"); }

void CsvReader::take_line_end() {
  text_.remove_prefix(text_.starts_with('\r') ? 2 : 1);
  ++line_;
}

void CsvReader::fail(std::string_view what, std::string_view remedy) const {
  throw InputError(where(), what, remedy);
}

}  // namespace bellmark
