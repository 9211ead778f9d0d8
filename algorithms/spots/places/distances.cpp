// Distance matrices: the values that they may hold, and their sources.
#include "algorithms/spots/places/distances.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/input.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

/// Positive distances in this range: neither sums nor ratios of theirs overflow or vanish.
constexpr double kLeastDistance = 1e-60;
constexpr double kLargestDistance = 1e60;

constexpr std::uint64_t kMostSpots = std::numeric_limits<Spot>::max();

bool is_distance(std::uint64_t s, std::uint64_t t, double distance) {
  if (distance == 0) return true;
  return s != t && distance >= kLeastDistance && distance <= kLargestDistance;  // NaN is neither
}

[[noreturn]] void refuse(const std::string& where, std::uint64_t s, std::uint64_t t,
                         double distance) {
  throw InputError(
      where,
      "the distance from spot " + std::to_string(s) + " to spot " + std::to_string(t) + " is " +
          shortest(distance),
      s == t ? "a spot is at distance 0 from itself" : "distances are 0 or from 1e-60 to 1e60");
}

/// Checked before the values are asked for: the machine can't give more memory than it has.
void check_spot_count(const std::string& where, std::uint64_t spot_count) {
  const auto n = static_cast<double>(spot_count);
  check_memory(where + ": a matrix of " + std::to_string(spot_count) + " spots",
               n * n * sizeof(double));
  if (spot_count > kMostSpots) throw InputError(where, "too many spots", "ask for fewer");
}

/// In tiles, so that columns are read by the cache line.
bool is_symmetric(std::size_t n, std::span<const double> values) {
  constexpr std::size_t kTile = 64;
  for (std::size_t rows = 0; rows < n; rows += kTile) {
    for (std::size_t columns = 0; columns <= rows; columns += kTile) {
      for (std::size_t s = rows; s < std::min(rows + kTile, n); ++s) {
        for (std::size_t t = columns; t < std::min(columns + kTile, n); ++t) {
          if (values[s * n + t] != values[t * n + s]) return false;
        }
      }
    }
  }
  return true;
}

/// The lines of a file, one after the other.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : input_(path), buffer_(kBufferBytes) {}

  /// The next line without its end; false after the last.
  bool next(std::string& line) {
    line.clear();
    ++number_;
    while (true) {
      if (rest_.empty()) {
        rest_ = {buffer_.data(), input_.read(buffer_)};
        if (rest_.empty()) return !line.empty();
      }
      const std::size_t end = rest_.find('\n');
      line.append(rest_.substr(0, end));
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (end != std::string_view::npos) return true;
    }
  }
  /// `file:line` of the line last read.
  std::string where() const { return input_.name() + ":" + std::to_string(number_); }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 16;

  Input input_;
  std::vector<char> buffer_;
  std::string_view rest_;
  std::uint64_t number_ = 0;
};

/// Appends the numbers of one line to `values`.
void read_row(const std::string& line, const std::string& where, std::vector<double>& values) {
  constexpr std::string_view kSeparators = " ,\t\r";
  for (std::size_t i = line.find_first_not_of(kSeparators); i != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(kSeparators, i), line.size());
    const std::string_view word(line.data() + i, end - i);
    values.push_back(parse_number<double>(word, where, "a distance"));
    i = line.find_first_not_of(kSeparators, end);
  }
}

}  // namespace

DistanceMatrix read_matrix_text(const std::filesystem::path& path) {
  Lines lines(path);
  std::string line;
  std::vector<double> values;
  std::size_t n = 0;
  std::size_t row = 0;
  while (lines.next(line)) {
    const std::size_t begin = values.size();
    read_row(line, lines.where(), values);
    const std::size_t count = values.size() - begin;
    if (count == 0) continue;
    if (row == 0) {
      n = count;
      check_spot_count(lines.where(), n);
      values.reserve(n * n);
    }
    if (count != n) {
      throw InputError(lines.where(),
                       "row " + std::to_string(row) + " has " + std::to_string(count) +
                           " distances, the first one has " + std::to_string(n),
                       "give each spot a row with its distances to all spots");
    }
    if (row == n) {
      throw InputError(lines.where(),
                       "more rows than the " + std::to_string(n) + " distances of a row",
                       "give as many rows as columns");
    }
    for (std::size_t t = 0; t < n; ++t) {
      if (!is_distance(row, t, values[begin + t])) refuse(lines.where(), row, t, values[begin + t]);
    }
    ++row;
  }
  if (n == 0) {
    throw InputError(path.string(), "has no distances", "give each spot a row of distances");
  }
  if (row != n) {
    throw InputError(
        path.string(),
        "ends after " + std::to_string(row) + " rows of " + std::to_string(n) + " distances",
        "give as many rows as columns");
  }
  return {static_cast<Spot>(n), std::move(values), path.filename().string()};
}

DistanceMatrix make_points(const std::string& reference, std::string_view pairs) {
  constexpr double kSide = 10'000;
  auto keys = parse_keys(reference, pairs, {"n", "seed"}, {"n"});
  keys.emplace("seed", "1");
  const auto read = [&](const char* key) {
    return parse_number<std::uint64_t>(keys[key], reference + ": " + key, "a whole number");
  };
  const std::uint64_t n = read("n");
  if (n == 0) throw InputError(reference + ": n", "there are no spots", "ask for at least one");
  check_spot_count(reference, n);
  const Stream stream(read("seed"), Stream::points);
  std::vector<double> values(n * n);
  for (std::uint64_t s = 0; s < n; ++s) {
    for (std::uint64_t t = 0; t < n; ++t) {
      const double x = kSide * (stream.fraction(2 * s) - stream.fraction(2 * t));
      const double y = kSide * (stream.fraction(2 * s + 1) - stream.fraction(2 * t + 1));
      values[s * n + t] = std::sqrt(x * x + y * y);
    }
  }
  return {static_cast<Spot>(n), std::move(values), reference};
}

DistanceMatrix::DistanceMatrix(Spot spot_count, std::vector<double> values, std::string provenance)
    : spot_count_(spot_count), values_(std::move(values)), provenance_(std::move(provenance)) {
  const std::size_t n = spot_count_;
  if (values_.size() != n * n) {
    throw InputError(
        provenance_,
        std::to_string(values_.size()) + " distances of " + std::to_string(n) + " spots",
        "give one for each pair");
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!is_distance(i / n, i % n, values_[i])) refuse(provenance_, i / n, i % n, values_[i]);
  }
  symmetric_ = is_symmetric(n, values_);
}

}  // namespace bellmark
