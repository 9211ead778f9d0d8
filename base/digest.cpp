#include "base/digest.hpp"

#include <xxhash.h>

#include <array>
#include <new>

namespace bellmark {
namespace {

XXH3_state_t* as_state(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

Digest::Digest() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(as_state(state_));
}

Digest::~Digest() { XXH3_freeState(as_state(state_)); }

Digest& Digest::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_128bits_update(as_state(state_), bytes.data(), bytes.size());
  return *this;
}

Digest& Digest::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

Digest& Digest::add(std::uint64_t value) { return add(std::as_bytes(std::span(&value, 1))); }

std::string Digest::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(as_state(state_));
  return hex64(hash.high64) + hex64(hash.low64);
}

std::uint64_t Digest::low64() const { return XXH3_128bits_digest(as_state(state_)).low64; }

std::uint64_t digest64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string hex64(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<char, 16> text;
  for (auto it = text.rbegin(); it != text.rend(); ++it, value >>= 4) *it = kDigits[value & 15];
  return {text.begin(), text.end()};
}

}  // namespace bellmark
