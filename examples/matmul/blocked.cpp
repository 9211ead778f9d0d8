// matmul/blocked: tiles of B that stay in a cache while all rows of A go by (Lam, Rothberg, Wolf:
// The Cache Performance and Optimizations of Blocked Algorithms, ASPLOS 1991).
#include <algorithm>

#include "matmul.hpp"

namespace matmul {
namespace {

/// B as it lies, or copied so that each tile is one stretch of memory.
enum class Layout { rows, tiles };

template <Layout kLayout>
class Blocked {
 public:
  using Problem = Matmul;

  static bellmark::Description describe() {
    using namespace bellmark;
    Description description;
    description.name = "matmul/blocked";
    description.summary = "Tiles of B that fit a cache";
    description.source = "Lam, Rothberg, Wolf 1991";
    description.keys = {
        word_key("layout", "rows", {"rows", "tiles"},
                 "Layout of B: as it is, or one tile after another"),
        at_run_time(integer_key("tile", 64, 4, 4096, "Number of rows and columns of a tile"),
                    true)};
    description.instance = {{"layout", kLayout == Layout::rows ? "rows" : "tiles"}};
    return description;
  }

  explicit Blocked(const bellmark::Settings& settings)
      : tile_(static_cast<std::size_t>(settings.integer("tile"))) {}

  void prepare(const Operands& operands, bellmark::RunContext& context) {
    in_ = &operands;
    c_.resize(operands.n * operands.n);
    if (kLayout == Layout::tiles) tiles_.resize(c_.size());
    context.account("operands and product", 3 * c_.size() * sizeof(float));
    context.account("tiles", tiles_.size() * sizeof(float));
  }

  // Copying B is in the time, because another B would have to be copied, too.
  void run(std::span<const Matmul::Query>, bellmark::RunContext& context) {
    if (kLayout == Layout::tiles) {
      const bellmark::Phase phase(context, "copy");
      copy();
    }
    const bellmark::Phase phase(context, "multiply");
    const std::size_t n = in_->n;
    c_.assign(n * n, 0);
    for (std::size_t k0 = 0; k0 < n; k0 += tile_) {
      for (std::size_t j0 = 0; j0 < n; j0 += tile_) multiply(k0, j0);
    }
  }

  void extract(Matrix& answer) const { answer = c_; }

 private:
  /// Tiles in the order in which run() reads them, each row by row.
  void copy() {
    const std::size_t n = in_->n;
    float* next = tiles_.data();
    for (std::size_t k0 = 0; k0 < n; k0 += tile_) {
      for (std::size_t j0 = 0; j0 < n; j0 += tile_) {
        const std::size_t width = std::min(tile_, n - j0);
        for (std::size_t k = k0; k < std::min(k0 + tile_, n); ++k, next += width) {
          std::copy_n(&in_->b[k * n + j0], width, next);
        }
      }
    }
  }

  /// Adds the product by the tile of B at (k0, j0) to C.
  void multiply(std::size_t k0, std::size_t j0) {
    const std::size_t n = in_->n;
    const std::size_t height = std::min(tile_, n - k0);
    const std::size_t width = std::min(tile_, n - j0);
    // All rows of the tiles above come before it, and of its own row the tiles to the left.
    const float* const tile =
        kLayout == Layout::tiles ? &tiles_[k0 * n + height * j0] : &in_->b[k0 * n + j0];
    const std::size_t stride = kLayout == Layout::tiles ? width : n;
    for (std::size_t i = 0; i < n; ++i) {
      float* const row = &c_[i * n + j0];
      for (std::size_t k = 0; k < height; ++k) {
        const float factor = in_->a[i * n + k0 + k];
        const float* const other = tile + k * stride;
        for (std::size_t j = 0; j < width; ++j) row[j] += factor * other[j];
      }
    }
  }

  std::size_t tile_;
  const Operands* in_ = nullptr;
  Matrix tiles_;
  Matrix c_;
};

BELLMARK_REGISTER(Blocked<Layout::rows>, Blocked<Layout::tiles>);

}  // namespace
}  // namespace matmul
