// Buckets of entries in blocks that are used again while they are warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/searches/label_correcting/rows.hpp"

namespace bellmark::label_correcting {

/// A ring of buckets. A pushed entry goes to the end of a bucket; a bucket is taken whole. An entry
/// stays when its vertex gets a smaller label: the search that takes it sees that.
///
/// Entries lie in blocks of 512 bytes. A push writes one entry, in sequence, and looks whether its
/// block is full. Freed blocks are used first. So the queue of a road graph, a few thousand
/// entries, stays in the first two levels of cache.
template <class QueueEntry>
class Buckets {
 public:
  using Entry = QueueEntry;
  static constexpr std::size_t kBlockBytes = 512;

  Buckets() = default;
  /// 2^ring_log2 buckets.
  explicit Buckets(int ring_log2) : ends_(std::size_t{1} << ring_log2) {
    for (Entry*& end : ends_) end = new_block(nullptr)->entries;
  }
  Buckets(Buckets&&) noexcept = default;
  Buckets& operator=(Buckets&&) noexcept = default;

  std::size_t mask() const { return ends_.size() - 1; }
  std::uint64_t bytes() const {
    return slabs_.size() * kSlabBlocks * kBlockBytes + ends_.size() * sizeof(Entry*);
  }

  void push(std::size_t bucket, Entry entry) {
    Entry* end = ends_[bucket];
    *end++ = entry;
    if (reinterpret_cast<std::uintptr_t>(end) % kBlockBytes == 0) [[unlikely]] {
      end = new_block(block_of(end - 1))->entries;
    }
    ends_[bucket] = end;
  }

  bool empty(std::size_t bucket) const {
    const Block* block = block_of(ends_[bucket]);
    return ends_[bucket] == block->entries && block->before == nullptr;
  }

  /// Calls visit(first, last) for the runs of entries in the bucket, in the order of their pushes.
  /// Entries that visit() pushes into the same bucket wait for the next take().
  template <class Visit>
  void take(std::size_t bucket, Visit visit) {
    Entry* const end = ends_[bucket];
    ends_[bucket] = new_block(nullptr)->entries;
    taken_.clear();
    for (Block* block = block_of(end); block != nullptr; block = block->before) {
      taken_.push_back(block);
    }
    for (std::size_t i = taken_.size(); i-- > 0;) {
      Block* block = taken_[i];
      visit(block->entries, i == 0 ? end : block->entries + kCapacity);
      free_block(block);
    }
  }

  /// Drops all entries.
  void clear() {
    for (Entry*& end : ends_) {
      Block* block = block_of(end);
      while (block->before != nullptr) free_block(std::exchange(block, block->before));
      end = block->entries;
    }
  }

 private:
  static constexpr std::size_t kCapacity = (kBlockBytes - sizeof(void*)) / sizeof(Entry);
  static constexpr std::size_t kSlabBlocks = 4096;
  struct alignas(kBlockBytes) Block {
    Block* before;
    alignas(sizeof(Entry)) Entry entries[kCapacity];
  };
  // push() sees that a block is full by the address after its last entry.
  static_assert(sizeof(Block) == kBlockBytes &&
                offsetof(Block, entries) + kCapacity * sizeof(Entry) == kBlockBytes);

  static Block* block_of(Entry* entry) {
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(entry) % kBlockBytes;
    return reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(entry) - past);
  }

  Block* new_block(Block* before) {
    if (free_ == nullptr) [[unlikely]] {
      add_slab();
    }
    Block* block = std::exchange(free_, free_->before);
    block->before = before;
    return block;
  }
  void free_block(Block* block) { block->before = std::exchange(free_, block); }

  [[gnu::noinline]] void add_slab() {
    slabs_.emplace_back(kSlabBlocks);
    for (std::size_t i = kSlabBlocks; i-- > 0;) free_block(slabs_.back().data() + i);
  }

  std::vector<PagedArray<Block>> slabs_;
  Block* free_ = nullptr;
  std::vector<Entry*> ends_;
  std::vector<Block*> taken_;
};

}  // namespace bellmark::label_correcting
