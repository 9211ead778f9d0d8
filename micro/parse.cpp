// The cost of reading a graph beside merely reading, and merely inflating, the same bytes: New York
// (distances) as `.gr.gz`, `.gr` and `.bmg`. Rates are of inflated bytes.
//
// The aim: read_gr_gz, into CSR with its properties, takes at most 1.5 times inflate_only. Measure
// it by
//   micro_parse --benchmark_repetitions=20 --benchmark_enable_random_interleaving=true
#include <benchmark/benchmark.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <vector>

#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

/// zlib with nothing around it: every reader of the file must spend at least that. `on_block` sees
/// each inflated block.
template <class OnBlock>
std::int64_t inflate_file(const std::filesystem::path& path, OnBlock on_block) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> stored(kBlockBytes);
  std::vector<char> block(kBlockBytes);
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::runtime_error("inflateInit2 failed");
  int status = Z_OK;
  while (status == Z_OK) {
    file.read(stored.data(), static_cast<std::streamsize>(stored.size()));
    stream.next_in = reinterpret_cast<Bytef*>(stored.data());
    stream.avail_in = static_cast<uInt>(file.gcount());
    while (status == Z_OK && stream.avail_in > 0) {
      stream.next_out = reinterpret_cast<Bytef*>(block.data());
      stream.avail_out = static_cast<uInt>(block.size());
      status = inflate(&stream, Z_NO_FLUSH);
      on_block(std::span(block).first(block.size() - stream.avail_out));
    }
  }
  const auto size = static_cast<std::int64_t>(stream.total_out);
  inflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("damaged " + path.string());
  return size;
}

std::int64_t inflate_only(const std::filesystem::path& path) {
  return inflate_file(path, [](std::span<char> block) { benchmark::DoNotOptimize(block.data()); });
}

/// The same graph in each form; the plain and binary ones are made once, in a temporary folder.
class Files {
 public:
  Files()
      : compressed_(catalogued_file("dimacs:USA-road-d.NY", ".gr")),
        folder_(std::filesystem::temp_directory_path() /
                ("bellmark-micro-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(folder_);
    std::ofstream text(plain(), std::ios::binary);
    inflated_bytes_ = inflate_file(compressed_, [&](std::span<char> block) {
      text.write(block.data(), static_cast<std::streamsize>(block.size()));
    });
    text.close();
    write_binary(read_gr(compressed_), binary());
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path compressed() const { return compressed_; }
  std::filesystem::path plain() const { return folder_ / "ny.gr"; }
  std::filesystem::path binary() const { return folder_ / "ny.bmg"; }
  std::int64_t inflated_bytes() const { return inflated_bytes_; }

 private:
  std::filesystem::path compressed_;
  std::filesystem::path folder_;
  std::int64_t inflated_bytes_ = 0;
};

const Files& files() {
  static const Files made;
  return made;
}

template <class Action>
void measure(benchmark::State& state, Action action) {
  files();
  for (auto _ : state) action();
  state.SetBytesProcessed(state.iterations() * files().inflated_bytes());
}

void BM_inflate_only(benchmark::State& state) {
  measure(state, [] { benchmark::DoNotOptimize(inflate_only(files().compressed())); });
}

void BM_read_gr_gz(benchmark::State& state) {
  measure(state, [] { benchmark::DoNotOptimize(read_gr(files().compressed())); });
}

void BM_read_only(benchmark::State& state) {
  std::vector<char> block(kBlockBytes);
  measure(state, [&] {
    std::ifstream file(files().plain(), std::ios::binary);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size()))) {
      benchmark::DoNotOptimize(block.data());
    }
  });
}

void BM_read_gr(benchmark::State& state) {
  measure(state, [] { benchmark::DoNotOptimize(read_gr(files().plain())); });
}

void BM_open_bmg(benchmark::State& state) {
  measure(state, [] { benchmark::DoNotOptimize(open_binary(files().binary())); });
}

void BM_verify_bmg(benchmark::State& state) {
  measure(state, [] { verify_binary(files().binary()); });
}

BENCHMARK(BM_inflate_only)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_read_gr_gz)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_read_only)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_read_gr)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_open_bmg)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_verify_bmg)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bellmark
