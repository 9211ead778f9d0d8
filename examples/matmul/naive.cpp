// matmul/naive: three loops, in the order that reads memory row by row, or in the definition's
// order.
#include "matmul.hpp"

namespace matmul {
namespace {

class Naive {
 public:
  using Problem = Matmul;

  static bellmark::Description describe() {
    bellmark::Description description;
    description.name = "matmul/naive";
    description.summary = "Three loops";
    description.keys = {bellmark::at_run_time(bellmark::word_key(
        "order", "ikj", {"ikj", "ijk"}, "Order of the loops; ijk reads columns of B"))};
    return description;
  }

  explicit Naive(const bellmark::Settings& settings) : by_rows_(settings.get("order") == "ikj") {}

  void prepare(const Operands& operands, bellmark::RunContext& context) {
    in_ = &operands;
    c_.resize(operands.n * operands.n);
    context.account("operands and product", 3 * c_.size() * sizeof(float));
  }

  void run(std::span<const Matmul::Query>, bellmark::RunContext&) {
    by_rows_ ? multiply_by_rows() : multiply_by_elements();
  }

  void extract(Matrix& answer) const { answer = c_; }

 private:
  void multiply_by_rows() {
    const std::size_t n = in_->n;
    c_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      float* const row = &c_[i * n];
      for (std::size_t k = 0; k < n; ++k) {
        const float factor = in_->a[i * n + k];
        const float* const other = &in_->b[k * n];
        for (std::size_t j = 0; j < n; ++j) row[j] += factor * other[j];
      }
    }
  }

  void multiply_by_elements() {
    const std::size_t n = in_->n;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += in_->a[i * n + k] * in_->b[k * n + j];
        c_[i * n + j] = sum;
      }
    }
  }

  bool by_rows_;
  const Operands* in_ = nullptr;
  Matrix c_;
};

BELLMARK_REGISTER(Naive);

}  // namespace
}  // namespace matmul
