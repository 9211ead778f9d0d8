// Comma-separated values (RFC 4180), one record at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// Reads records from text in memory. Fields may be quoted and then hold commas, line ends and
/// doubled quotes. Lines end in LF or CRLF; blank ones are skipped, as is a byte-order mark.
class CsvReader {
 public:
  /// `text` must outlive the reader; `name` stands in errors.
  CsvReader(std::string_view text, std::string name);

  /// Gives the next record, or false at the end. Throws InputError with file and line on a quote
  /// out of place and on bytes that are not UTF-8.
  bool next(std::vector<std::string>& fields);

  /// The line where the last record began, counted from 1.
  std::uint64_t line() const { return record_line_; }
  /// `file:line` of the last record.
  std::string where() const { return name_ + ":" + std::to_string(record_line_); }

 private:
  std::string take_field();
  std::string take_quoted();
  bool at_line_end() const;
  void take_line_end();
  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;

  std::string_view text_;  ///< the rest
  std::string name_;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 0;
};

}  // namespace bellmark
