// Writes the text formats of the 9th DIMACS Implementation Challenge.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "graph/dimacs.hpp"

namespace bellmark {
namespace {

/// Lines of words and numbers for a file, compressed if its name ends in `.gz`.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path)
      : file_(path), compressed_(path.extension() == ".gz") {
    text_.reserve(kBufferBytes);
    constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for gzip framing
    constexpr int kMemoryLevel = 8;
    if (compressed_ && deflateInit2(&deflater_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                    kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() {
    if (compressed_) deflateEnd(&deflater_);
  }

  void line(std::string_view words, std::initializer_list<std::int64_t> numbers) {
    text_.append(words);
    for (const std::int64_t number : numbers) {
      std::array<char, 24> digits;
      char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
      text_.append(1, ' ').append(digits.data(), end);
    }
    text_.append(1, '\n');
    if (text_.size() >= kBufferBytes) pass_on(Z_NO_FLUSH);
  }

  void comment(std::string text) {
    // A line end would turn the rest of a comment into data.
    std::ranges::replace_if(
        text, [](char c) { return c >= '\0' && c < ' '; }, ' ');
    line("c " + text, {});
  }

  void commit() {
    pass_on(Z_FINISH);
    file_.commit();
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  void pass_on(int flush) {
    if (compressed_) {
      deflater_.next_in = reinterpret_cast<Bytef*>(text_.data());
      deflater_.avail_in = static_cast<uInt>(text_.size());
      std::vector<char> out(kBufferBytes);
      do {
        deflater_.next_out = reinterpret_cast<Bytef*>(out.data());
        deflater_.avail_out = static_cast<uInt>(out.size());
        deflate(&deflater_, flush);
        file_.write(std::string_view(out.data(), out.size() - deflater_.avail_out));
      } while (deflater_.avail_out == 0);
    } else {
      file_.write(text_);
    }
    text_.clear();
  }

  AtomicFile file_;
  bool compressed_;
  z_stream deflater_{};
  std::string text_;
};

}  // namespace

void write_gr(const Graph& graph, const std::filesystem::path& path) {
  if (graph.vertex_count() > most_vertices(graph.arc_count())) {
    throw InputError(path.string(),
                     std::to_string(graph.vertex_count()) + " vertices with only " +
                         std::to_string(graph.arc_count()) + " arcs are too many for text files",
                     "write a .bmg file");
  }
  TextFile file(path);
  file.comment(graph.provenance());
  file.line("p sp", {graph.vertex_count(), static_cast<std::int64_t>(graph.arc_count())});
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      file.line("a", {std::int64_t{u} + 1, std::int64_t{graph.heads()[e]} + 1, graph.length(e)});
    }
  }
  file.commit();
}

void write_co(const Graph& graph, const std::filesystem::path& path) {
  if (graph.coordinates().size() != graph.vertex_count()) {
    throw InputError(path.string(), "the graph has no coordinates", "write the graph alone");
  }
  TextFile file(path);
  file.comment(graph.provenance());
  file.line("p aux sp co", {graph.vertex_count()});
  std::int64_t id = 0;
  for (const Coordinate& place : graph.coordinates()) {
    file.line("v", {++id, place.longitude, place.latitude});
  }
  file.commit();
}

}  // namespace bellmark
