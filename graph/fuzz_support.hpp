// The checks of the fuzz targets: the plainest reading of the same text, and the properties of
// every graph that a reader accepts.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Stops the fuzzer with the input at hand when `holds` is false.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << '\n';
  std::abort();
}

/// The numbers of all lines that begin with `letter`, in an accepted file.
inline std::vector<std::vector<std::int64_t>> plain_records(std::string_view text, char letter) {
  std::vector<std::vector<std::int64_t>> records;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] != letter) continue;
    std::istringstream fields(line.substr(begin + 1));
    std::vector<std::int64_t>& record = records.emplace_back();
    for (std::int64_t number = 0; fields >> number;) record.push_back(number);
  }
  return records;
}

inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// A file name that only this process uses.
inline std::filesystem::path scratch_file(const std::string& suffix) {
  return std::filesystem::temp_directory_path() /
         ("bellmark-fuzz-" + std::to_string(::getpid()) + suffix);
}

/// An accepted graph verifies, and stays the same through every writer and reader.
inline void require_sound(const Graph& graph) {
  verify_graph(graph, "accepted");
  for (const Vertex head : graph.heads()) require(head < graph.vertex_count(), "heads in range");
  const auto offsets = graph.row_offsets();
  require(std::is_sorted(offsets.begin(), offsets.end()), "row offsets ascend");
  require(!offsets.empty() && offsets.back() == graph.arc_count(), "row offsets end at m");

  constexpr Vertex kMostWritten = 10'000;  // larger ones would only slow the fuzzing
  if (graph.vertex_count() > kMostWritten) return;
  const std::string digest = graph.content_digest();
  const std::filesystem::path binary = scratch_file(".bmg");
  write_binary(graph, binary);
  verify_binary(binary);
  require(open_binary(binary).content_digest() == digest, "same digest after .bmg");
  std::filesystem::remove(binary);
  if (graph.lengths().empty()) return;
  const std::filesystem::path text = scratch_file(".gr.gz");
  write_gr(graph, text);
  require(read_gr(text).content_digest() == digest, "same digest after .gr.gz");
  std::filesystem::remove(text);
}

}  // namespace bellmark
