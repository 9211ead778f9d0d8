// The threads that touch the pages of large arrays first, which decide the pages' NUMA nodes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace bellmark {

/// During its lifetime, `touch` gets each PagedArray that the calling thread makes, before anyone
/// writes it. A page lies on the node of the thread that touches it first, unless the process has
/// another memory policy.
class FirstTouch {
 public:
  using Touch = std::function<void(std::span<std::byte> memory)>;

  explicit FirstTouch(Touch touch)
      : touch_(std::move(touch)), outer_(std::exchange(current(), &touch_)) {}
  FirstTouch(const FirstTouch&) = delete;
  FirstTouch& operator=(const FirstTouch&) = delete;
  ~FirstTouch() { current() = outer_; }

  static void apply(std::span<std::byte> memory) {
    if (current() != nullptr && *current() && !memory.empty()) (*current())(memory);
  }

 private:
  static const Touch*& current() {
    thread_local const Touch* touch = nullptr;
    return touch;
  }

  Touch touch_;
  const Touch* outer_;
};

/// Writes a byte of each page of the `index`-th of `count` equal parts.
inline void touch_part(std::span<std::byte> memory, std::size_t index, std::size_t count) {
  constexpr std::size_t kPage = 4096;
  const std::size_t page_count = (memory.size() + kPage - 1) / kPage;
  const std::size_t end = page_count * (index + 1) / count;
  for (std::size_t page = page_count * index / count; page < end; ++page) {
    // Volatile: the array is written whole later, and the compiler might delay this write until
    // then.
    *static_cast<volatile std::byte*>(&memory[page * kPage]) = std::byte{0};
  }
}

}  // namespace bellmark
