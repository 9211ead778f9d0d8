// A graph from a file into memory, ready for a search: yasui2011 calls it Init (Tables 14 to 16).
// The files were written before and lie in the system's page cache, so that no disk is in the time.
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/read_graph/problem.hpp"
#include "base/input.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"

namespace bellmark {
namespace {

/// The common part of both but the reading.
template <class Reader>
class ReadsGraph {
 public:
  using Problem = ReadGraph;

  static Description describe() {
    Description description;
    description.name = std::string("read-graph/") + Reader::kName;
    description.summary = Reader::kSummary;
    description.source = "yasui2011, section 5.1, Tables 14 to 16: Init";
    return description;
  }

  explicit ReadsGraph(const Settings&) {}
  void prepare(const ReadGraph::Input& input, RunContext&) { files_ = &input.files; }

  void run(std::span<const ReadGraph::Query>, RunContext&) {
    graph_ = Graph();  // of the query before: two need not fit
    graph_ = Reader::read(*files_);
  }

  void extract(ReadGraph::Answer& answer) const {
    answer.row_offsets.assign(graph_.row_offsets().begin(), graph_.row_offsets().end());
    answer.heads.assign(graph_.heads().begin(), graph_.heads().end());
    if (graph_.has_lengths()) {
      answer.lengths.assign(graph_.lengths().begin(), graph_.lengths().end());
    } else {
      answer.lengths.assign(graph_.arc_count(), 1);
    }
  }

 private:
  const GraphFiles* files_ = nullptr;
  Graph graph_;
};

struct Text {
  static constexpr const char* kName = "text";
  static constexpr const char* kSummary = "Reads a graph from DIMACS text that is not compressed";
  static Graph read(const GraphFiles& files) { return read_gr(files.text()); }
};

/// The paper's binary file is read into memory, and so is this one. A search would map it instead,
/// and wait for its pages later.
struct Binary {
  static constexpr const char* kName = "binary";
  static constexpr const char* kSummary = "Reads a graph from the binary form into memory";
  static Graph read(const GraphFiles& files) {
    const auto bytes = std::make_shared<const std::string>(read_whole(files.binary()));
    return view_binary(bytes, std::as_bytes(std::span(*bytes)), files.binary().string());
  }
};

BELLMARK_REGISTER(ReadsGraph<Text>);
BELLMARK_REGISTER(ReadsGraph<Binary>);

}  // namespace
}  // namespace bellmark
