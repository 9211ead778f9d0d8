// Poison: the bytes that lie in an answer before a variant writes it, so that a part left unwritten
// is no old answer.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

#include "algorithms/contract/problem.hpp"

namespace bellmark::detail {

/// A byte of poison. As an id it is far beyond any vertex, as a length below 0.
inline constexpr int kPoison = 0xa5;
/// The poison of floating-point numbers: all its bytes make a NaN, which no tolerance forgives.
inline constexpr int kFloatPoison = 0xff;
template <class T>
inline constexpr int kPoisonOf = std::is_floating_point_v<T> ? kFloatPoison : kPoison;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

/// Poisons one part of an answer, and keeps its size.
template <class Part>
void poison(Part& part) {
  if constexpr (kIsVector<Part>) {
    static_assert(std::is_trivially_copyable_v<typename Part::value_type>);
    if (part.empty()) return;
    constexpr int kByte = kPoisonOf<typename Part::value_type>;
    std::memset(part.data(), kByte, part.size() * sizeof(part[0]));
  } else if constexpr (std::is_arithmetic_v<Part>) {
    std::memset(&part, kPoisonOf<Part>, sizeof part);
  } else {
    part = {};
  }
}

template <class Part>
std::uint64_t bytes_of(const Part& part) {
  if constexpr (kIsVector<Part>) {
    return part.size() * sizeof(typename Part::value_type);
  } else {
    return sizeof part;
  }
}

/// References to the parts of an answer that extract() must write: Problem::parts, or the whole.
template <class P>
auto parts_of(typename P::Answer& answer) {
  if constexpr (requires { P::parts(answer); }) {
    return P::parts(answer);
  } else {
    return std::tie(answer);
  }
}

template <class P>
void poison_answer(typename P::Answer& answer) {
  std::apply([](auto&... part) { (poison(part), ...); }, parts_of<P>(answer));
}

template <class P>
std::uint64_t answer_bytes(typename P::Answer& answer) {
  return std::apply([](auto&... part) { return (bytes_of(part) + ...); }, parts_of<P>(answer));
}

}  // namespace bellmark::detail
