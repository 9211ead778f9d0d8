// The problem `matmul`: C = A B, of square matrices of n rows, in single precision, row by row.
#pragma once

#include <bellmark/lab.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace matmul {

using Matrix = std::vector<float>;

struct Operands {
  std::size_t n;
  Matrix a;
  Matrix b;
};

struct Matmul : bellmark::KernelProblem<Matmul, Operands, Matrix> {
  static constexpr const char* kName = "matmul";
  static constexpr const char* kSummary = "The product of two square matrices";
  // A sum of n products of numbers from -1 to 1 is rounded n times, in any order. For n up to 4096
  // the error stays within this part of the largest element of the product.
  static constexpr double kTolerance = 64 * std::numeric_limits<float>::epsilon();

  static std::vector<bellmark::Key> keys() {
    return {bellmark::integer_key("n", 256, 1, 4096, "Number of rows and columns"),
            bellmark::integer_key("seed", 1, 0, 1'000'000, "Seed of the elements")};
  }

  static Operands make(const bellmark::Settings& settings) {
    const auto n = static_cast<std::size_t>(settings.integer("n"));
    auto state = static_cast<std::uint32_t>(settings.integer("seed"));
    const auto random = [&] {
      state = state * 1664525U + 1013904223U;  // Knuth's numbers, as in Numerical Recipes
      return static_cast<float>(state >> 8U) * 0x1p-23F - 1;
    };
    Operands operands{n, Matrix(n * n), Matrix(n * n)};
    for (float& element : operands.a) element = random();
    for (float& element : operands.b) element = random();
    return operands;
  }

  // In double precision, by the definition.
  static Matrix expected(const Operands& in) {
    Matrix product(in.n * in.n);
    std::vector<double> row(in.n);
    for (std::size_t i = 0; i < in.n; ++i) {
      row.assign(in.n, 0);
      for (std::size_t k = 0; k < in.n; ++k) {
        const double factor = in.a[i * in.n + k];
        for (std::size_t j = 0; j < in.n; ++j) row[j] += factor * in.b[k * in.n + j];
      }
      for (std::size_t j = 0; j < in.n; ++j) product[i * in.n + j] = static_cast<float>(row[j]);
    }
    return product;
  }

  static bellmark::Work work(const Operands& in) {
    const std::uint64_t n = in.n;
    return {.bytes = 3 * n * n * sizeof(float), .operations = 2 * n * n * n};
  }
};

}  // namespace matmul
