// The properties of every communicator, whatever its ranks are. Each property is a body that all
// ranks run together: in threads (communicator_test.cpp) and under mpirun (harness/mpi/).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark {

struct CommunicatorProperty {
  const char* name;
  void (*holds_for)(Communicator& ranks);
};

inline std::ostream& operator<<(std::ostream& out, const CommunicatorProperty& property) {
  return out << property.name;
}

namespace communicator_properties {

using Words = std::vector<std::uint64_t>;
using Offsets = std::vector<std::size_t>;

/// A word that names its sender, its receiver and its index between them.
inline std::uint64_t word(std::size_t from, std::size_t to, std::size_t index) {
  return from * 1'000'000'000 + to * 1'000'000 + index;
}

/// The number of words that rank `from` sends to rank `to`: none, a few, or some hundred.
inline std::size_t uneven(std::size_t from, std::size_t to) {
  return (from * 7 + to * 3) % 4 == 0 ? 0 : (from * 31 + to * 17) % 300;
}

inline Offsets offsets_of(std::size_t size, auto size_of) {
  Offsets offsets(size + 1, 0);
  for (std::size_t rank = 0; rank < size; ++rank) offsets[rank + 1] = offsets[rank] + size_of(rank);
  return offsets;
}

inline void ranks_are_numbered(Communicator& ranks) {
  ASSERT_LT(ranks.rank(), ranks.size());
  const Words all = ranks.all_gather<std::uint64_t>(ranks.rank());
  ASSERT_EQ(all.size(), ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) EXPECT_EQ(all[rank], rank);
}

inline void broadcast_reaches_all(Communicator& ranks) {
  for (std::size_t root = 0; root < ranks.size(); ++root) {
    for (const std::size_t count : {0, 1, 1000}) {
      Words data(count, ranks.rank() == root ? root + 5 : 0);
      ranks.broadcast(data, root);
      EXPECT_EQ(data, Words(count, root + 5));
    }
  }
}

inline void all_gather_keeps_the_order_of_ranks(Communicator& ranks) {
  for (int round = 0; round < 20; ++round) {
    const auto size_of = [&](std::size_t rank) { return uneven(rank, round); };
    const Offsets offsets = offsets_of(ranks.size(), size_of);
    Words own;
    for (std::size_t i = 0; i < size_of(ranks.rank()); ++i) own.push_back(word(ranks.rank(), 0, i));
    Words all(offsets.back() + 1, 77);
    ranks.all_gather(own, all, offsets);
    for (std::size_t from = 0; from < ranks.size(); ++from) {
      for (std::size_t i = 0; i < size_of(from); ++i) {
        ASSERT_EQ(all[offsets[from] + i], word(from, 0, i));
      }
    }
    EXPECT_EQ(all.back(), 77u) << "nothing is written after the last offset";
  }
}

inline void all_gather_leaves_gaps_before_the_first_offset(Communicator& ranks) {
  Offsets offsets = offsets_of(ranks.size(), [](std::size_t) { return 2; });
  for (std::size_t& offset : offsets) offset += 3;
  const std::array<std::uint16_t, 2> own = {static_cast<std::uint16_t>(ranks.rank()), 9};
  std::vector<std::uint16_t> all(offsets.back(), 5);
  ranks.all_gather(own, all, offsets);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all[i], 5);
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    EXPECT_EQ(all[offsets[from]], from);
    EXPECT_EQ(all[offsets[from] + 1], 9);
  }
}

inline void all_gather_takes_its_own_place(Communicator& ranks) {
  const auto size_of = [](std::size_t rank) { return 3 + rank; };
  const Offsets offsets = offsets_of(ranks.size(), size_of);
  Words expected;
  for (std::size_t from = 0; from < ranks.size(); ++from) expected.resize(offsets[from + 1], from);
  for (const bool overlaps : {false, true}) {
    Words all(offsets.back(), 77);
    const std::span<std::uint64_t> own =
        std::span(all).subspan(offsets[ranks.rank()], size_of(ranks.rank()));
    std::fill(own.begin(), own.end(), ranks.rank());
    if (overlaps) {
      ranks.start_all_gather(own, all, offsets).wait();
    } else {
      ranks.all_gather(own, all, offsets);
    }
    EXPECT_EQ(all, expected);
  }
}

/// Words from this rank to all, with offsets, and the words that must arrive.
struct Letters {
  explicit Letters(const Communicator& ranks, std::size_t shift = 0) {
    const std::size_t self = ranks.rank();
    const auto size_to = [&](std::size_t to) { return uneven(self + shift, to); };
    const auto size_from = [&](std::size_t from) { return uneven(from + shift, self); };
    send_offsets = offsets_of(ranks.size(), size_to);
    received_offsets = offsets_of(ranks.size(), size_from);
    for (std::size_t other = 0; other < ranks.size(); ++other) {
      for (std::size_t i = 0; i < size_to(other); ++i) sent.push_back(word(self, other, i));
      for (std::size_t i = 0; i < size_from(other); ++i) expected.push_back(word(other, self, i));
    }
    received.resize(expected.size());
  }

  Words sent, received, expected;
  Offsets send_offsets, received_offsets;
};

inline void all_to_all_delivers(Communicator& ranks) {
  for (std::size_t shift = 0; shift < 20; ++shift) {
    Letters letters(ranks, shift);
    ranks.all_to_all(letters.sent, letters.send_offsets, letters.received,
                     letters.received_offsets);
    EXPECT_EQ(letters.received, letters.expected);
  }
}

inline void all_to_all_of_one_size(Communicator& ranks) {
  struct Pair {
    std::size_t from = 77;
    std::size_t index = 77;
  };
  std::vector<Pair> sent(2 * ranks.size());
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = {ranks.rank(), i};
  std::vector<Pair> received(sent.size());
  ranks.all_to_all(sent, received);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(received[i].from, i / 2);
    EXPECT_EQ(received[i].index, 2 * ranks.rank() + i % 2);
  }
}

inline void all_to_all_tells_sizes(Communicator& ranks) {
  Words received = {1, 2, 3};
  for (std::size_t shift = 0; shift < 5; ++shift) {
    const Letters letters(ranks, shift);
    EXPECT_EQ(ranks.all_to_all(letters.sent, letters.send_offsets, received),
              letters.received_offsets);
    EXPECT_EQ(received, letters.expected);
  }
}

inline void exchange_permutes(Communicator& ranks) {
  const std::size_t size = ranks.size();
  for (std::size_t step = 0; step < size; ++step) {
    const std::size_t to = (ranks.rank() + step) % size;
    const std::size_t from = (ranks.rank() + size - step) % size;
    const Words sent(uneven(ranks.rank(), step), ranks.rank());
    Words received(uneven(from, step), 77);
    ranks.exchange(sent, to, received, from);
    EXPECT_EQ(received, Words(received.size(), from));
  }
  // The transpose of a matrix of ranks: some keep theirs.
  std::size_t columns = 1;
  while ((columns + 1) * (columns + 1) <= size) ++columns;
  std::size_t other = ranks.rank();
  if (other < columns * columns) other = other % columns * columns + other / columns;
  std::array<std::uint32_t, 1> received = {77};
  ranks.exchange(std::array<std::uint32_t, 1>{static_cast<std::uint32_t>(ranks.rank())}, other,
                 received, other);
  EXPECT_EQ(received[0], other);
}

inline void all_reduce_reduces(Communicator& ranks) {
  const std::uint64_t size = ranks.size();
  for (const std::size_t count : {0, 1, 1000}) {
    Words own(count);
    for (std::size_t i = 0; i < count; ++i) own[i] = (ranks.rank() + 1) * 10 + i;
    const auto reduced = [&](Reduction reduction) {
      Words values = own;
      ranks.all_reduce(values, reduction);
      return values;
    };
    const Words sum = reduced(Reduction::sum);
    const Words least = reduced(Reduction::least);
    const Words largest = reduced(Reduction::largest);
    const Words bits = reduced(Reduction::any_bit);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t any = 0;
      for (std::uint64_t rank = 0; rank < size; ++rank) any |= (rank + 1) * 10 + i;
      EXPECT_EQ(sum[i], size * (size + 1) / 2 * 10 + size * i);
      EXPECT_EQ(least[i], 10 + i);
      EXPECT_EQ(largest[i], size * 10 + i);
      EXPECT_EQ(bits[i], any);
    }
  }
  const std::uint64_t high = std::uint64_t{1} << 63;
  EXPECT_EQ(ranks.all_reduce(ranks.rank() == 0 ? high : 1, Reduction::largest), high)
      << "values have no sign";
  EXPECT_EQ(ranks.all_reduce(ranks.rank() == 0 ? 0 : high, Reduction::least), 0u);
}

inline void barrier_orders(Communicator& ranks) {
  const std::uint64_t before = ranks.progress().entered_count;
  for (int i = 0; i < 100; ++i) ranks.barrier();
  EXPECT_EQ(ranks.progress().entered_count, before + 100);
  EXPECT_EQ(ranks.progress().left_count, before + 100);
}

inline void transfers_overlap(Communicator& ranks) {
  // Two all-to-alls and an all-gather under way, other calls between them, waits in another order.
  Letters first(ranks, 1);
  Letters second(ranks, 2);
  const Offsets offsets = offsets_of(ranks.size(), [](std::size_t) { return 500; });
  const Words own(500, ranks.rank());
  Words all(offsets.back(), 77);
  Pending pending = ranks.start_all_to_all(first.sent, first.send_offsets, first.received,
                                           first.received_offsets);
  Pending gathering = ranks.start_all_gather(own, all, Offsets(offsets));
  EXPECT_EQ(ranks.all_reduce(1, Reduction::sum), ranks.size());
  {
    const Pending scoped = ranks.start_all_to_all(second.sent, second.send_offsets, second.received,
                                                  second.received_offsets);
  }
  EXPECT_EQ(second.received, second.expected) << "the end of the scope waited";
  while (!gathering.done()) continue;
  gathering.wait();
  EXPECT_TRUE(gathering.done());
  gathering.wait();
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i / 500);

  // The transfer under way ends before another takes its place.
  pending = ranks.start_all_to_all(second.sent, second.send_offsets, second.received,
                                   second.received_offsets);
  EXPECT_EQ(first.received, first.expected);
  pending.wait();
  EXPECT_EQ(second.received, second.expected);
}

inline void nothing_is_sent(Communicator& ranks) {
  const Words none;
  Words nothing;
  const Offsets offsets(ranks.size() + 1, 0);
  ranks.broadcast(nothing, 0);
  ranks.all_gather(none, nothing, offsets);
  ranks.all_to_all(none, offsets, nothing, offsets);
  ranks.exchange(none, (ranks.rank() + 1) % ranks.size(), nothing,
                 (ranks.rank() + ranks.size() - 1) % ranks.size());
  ranks.all_reduce(nothing, Reduction::sum);
  ranks.start_all_gather(none, nothing, offsets).wait();
  ranks.start_all_to_all(none, offsets, nothing, offsets).wait();
  EXPECT_TRUE(nothing.empty());
  EXPECT_EQ(ranks.traffic().sent_bytes, 0u);
}

inline void split_groups_by_color(Communicator& ranks) {
  const std::size_t columns = ranks.size() % 2 == 0 ? 2 : 3;
  const std::size_t row = ranks.rank() / columns;
  const std::size_t column = ranks.rank() % columns;
  const std::unique_ptr<Communicator> in_row = ranks.split(row);
  const std::unique_ptr<Communicator> in_column = ranks.split(column + 1000);
  EXPECT_EQ(in_row->rank(), column);
  EXPECT_EQ(in_row->size(), std::min(columns, ranks.size() - row * columns));
  EXPECT_EQ(in_column->rank(), row);
  EXPECT_EQ(in_row->traffic().call_count, 0u);

  const Words of_row = in_row->all_gather<std::uint64_t>(ranks.rank());
  const Words of_column = in_column->all_gather<std::uint64_t>(ranks.rank());
  for (std::size_t i = 0; i < of_row.size(); ++i) EXPECT_EQ(of_row[i], row * columns + i);
  for (std::size_t i = 0; i < of_column.size(); ++i) EXPECT_EQ(of_column[i], i * columns + column);
  EXPECT_EQ(in_row->traffic().call_count, 1u);
  EXPECT_EQ(&in_row->progress(), &ranks.progress());

  // Transfers of both and of the whole under way together.
  Letters whole(ranks);
  Letters part(*in_row, 3);
  Pending first = ranks.start_all_to_all(whole.sent, whole.send_offsets, whole.received,
                                         whole.received_offsets);
  Pending second =
      in_row->start_all_to_all(part.sent, part.send_offsets, part.received, part.received_offsets);
  in_column->barrier();
  second.wait();
  first.wait();
  EXPECT_EQ(whole.received, whole.expected);
  EXPECT_EQ(part.received, part.expected);
}

inline void parts_outlive_the_whole(Communicator& ranks) {
  std::unique_ptr<Communicator> all = ranks.split(0);
  const std::unique_ptr<Communicator> part = all->split(ranks.rank() % 2);
  const std::unique_ptr<Communicator> alone = part->split(ranks.rank());
  all.reset();
  EXPECT_EQ(part->all_reduce(1, Reduction::sum), (ranks.size() + 1 - ranks.rank() % 2) / 2);
  EXPECT_EQ(alone->size(), 1u);
  EXPECT_EQ(alone->all_reduce(3, Reduction::sum), 3u);
}

inline void traffic_is_counted(Communicator& ranks) {
  // `ranks` is new: nothing has been sent.
  const std::size_t self = ranks.rank();
  const std::size_t others = ranks.size() - 1;
  EXPECT_EQ(ranks.traffic().call_count, 0u);
  const std::size_t rounds = std::bit_width(others);
  std::uint64_t expected = 0;
  std::uint64_t message_count = 0;
  std::uint64_t call_count = 0;
  const auto expect = [&](std::uint64_t messages, std::uint64_t added) {
    expected += added;
    message_count += messages;
    EXPECT_EQ(ranks.traffic().sent_bytes, expected);
    EXPECT_EQ(ranks.traffic().message_count, message_count);
    EXPECT_EQ(ranks.traffic().call_count, ++call_count);
  };
  ranks.barrier();
  expect(rounds, 0);
  Words data(10);
  ranks.broadcast(data, ranks.size() - 1);
  expect(self == others ? others : 0, self == others ? 80 * others : 0);
  const Offsets offsets = offsets_of(ranks.size(), [](std::size_t rank) { return rank + 1; });
  Words all(offsets.back());
  ranks.all_gather(Words(self + 1), all, offsets);
  expect(others, 8 * (self + 1) * others);
  Letters letters(ranks);
  ranks
      .start_all_to_all(letters.sent, letters.send_offsets, letters.received,
                        letters.received_offsets)
      .wait();
  std::size_t receiver_count = 0;  // that get anything
  for (std::size_t to = 0; to <= others; ++to) {
    if (to != self && uneven(self, to) > 0) ++receiver_count;
  }
  expect(receiver_count, 8 * (letters.sent.size() - uneven(self, self)));
  ranks.exchange(data, (self + 1) % ranks.size(), all = Words(10),
                 (self + ranks.size() - 1) % ranks.size());
  expect(others == 0 ? 0 : 1, others == 0 ? 0 : 80);
  ranks.split(0)->barrier();
  expect(0, 0);
  EXPECT_EQ(ranks.all_reduce(1, Reduction::sum), ranks.size());
  expect(rounds, others == 0 ? 0 : self == 0 ? 8 * others : 8);
  // All together: each value to where it is reduced and back.
  const std::uint64_t before = expected;
  Words values(12345);
  ranks.all_reduce(values, Reduction::any_bit);
  const std::uint64_t own = ranks.traffic().sent_bytes - before;
  EXPECT_EQ(ranks.all_reduce(own, Reduction::sum), 8 * 12345 * 2 * others);
}

inline void progress_is_told(Communicator& ranks) {
  const Progress& progress = ranks.progress();
  const std::uint64_t before = progress.entered_count;
  EXPECT_EQ(progress.left_count, before);
  Letters letters(ranks);
  Pending pending = ranks.start_all_to_all(letters.sent, letters.send_offsets, letters.received,
                                           letters.received_offsets);
  EXPECT_EQ(progress.entered_count, before + 1);
  EXPECT_EQ(progress.left_count, before + 1);
  EXPECT_EQ(progress.latest, Collective::all_to_all);
  ranks.barrier();
  EXPECT_EQ(progress.latest, Collective::barrier);
  pending.wait();
  EXPECT_EQ(progress.entered_count, before + 3);
  EXPECT_EQ(progress.left_count, before + 3);
}

/// Faults that a rank sees by itself, before it speaks to others: the group goes on.
inline void unfitting_arguments_are_refused(Communicator& ranks) {
  const std::size_t size = ranks.size();
  Words some(size + 3);
  const Offsets short_offsets(size, 0);
  Offsets descending = offsets_of(size, [](std::size_t) { return 1; });
  std::swap(descending.front(), descending.back());
  const Offsets beyond = offsets_of(size, [](std::size_t) { return 5; });
  EXPECT_THROW(ranks.broadcast(some, size), std::logic_error);
  EXPECT_THROW(ranks.all_gather(some, some, short_offsets), std::logic_error);
  EXPECT_THROW(ranks.all_gather(some, some, descending), std::logic_error);
  EXPECT_THROW(ranks.all_gather(Words(5), some, beyond), std::logic_error);
  EXPECT_THROW(ranks.all_gather(Words(2), some, Offsets(size + 1, 1)), std::logic_error);
  EXPECT_THROW(ranks.all_to_all(some, short_offsets, some, short_offsets), std::logic_error);
  EXPECT_THROW(ranks.all_to_all(some, Offsets(size, 0), some), std::logic_error);
  EXPECT_THROW(ranks.all_to_all(some, Offsets(size + 1, 0), some, beyond), std::logic_error);
  EXPECT_THROW(ranks.exchange(some, size, some, 0), std::logic_error);
  EXPECT_THROW(ranks.exchange(some, 0, some, size), std::logic_error);
  EXPECT_THROW(ranks.exchange(some, ranks.rank(), std::span(some).first(1), ranks.rank()),
               std::logic_error);
  EXPECT_THROW(static_cast<void>(ranks.split(std::size_t{1} << 31)), std::logic_error);
  if (size > 1) {
    EXPECT_THROW(ranks.exchange(some, ranks.rank(), some, (ranks.rank() + 1) % size),
                 std::logic_error);
    EXPECT_THROW(ranks.all_to_all(Words(size + 1), some), std::logic_error);
  }
  EXPECT_EQ(ranks.all_reduce(1, Reduction::sum), size);
}

}  // namespace communicator_properties

#define BELLMARK_PROPERTY(name) \
  CommunicatorProperty { #name, communicator_properties::name }
inline const CommunicatorProperty kCommunicatorProperties[] = {
    BELLMARK_PROPERTY(ranks_are_numbered),
    BELLMARK_PROPERTY(broadcast_reaches_all),
    BELLMARK_PROPERTY(all_gather_keeps_the_order_of_ranks),
    BELLMARK_PROPERTY(all_gather_leaves_gaps_before_the_first_offset),
    BELLMARK_PROPERTY(all_gather_takes_its_own_place),
    BELLMARK_PROPERTY(all_to_all_delivers),
    BELLMARK_PROPERTY(all_to_all_of_one_size),
    BELLMARK_PROPERTY(all_to_all_tells_sizes),
    BELLMARK_PROPERTY(exchange_permutes),
    BELLMARK_PROPERTY(all_reduce_reduces),
    BELLMARK_PROPERTY(barrier_orders),
    BELLMARK_PROPERTY(transfers_overlap),
    BELLMARK_PROPERTY(nothing_is_sent),
    BELLMARK_PROPERTY(split_groups_by_color),
    BELLMARK_PROPERTY(parts_outlive_the_whole),
    BELLMARK_PROPERTY(traffic_is_counted),
    BELLMARK_PROPERTY(progress_is_told),
    BELLMARK_PROPERTY(unfitting_arguments_are_refused),
};
#undef BELLMARK_PROPERTY

}  // namespace bellmark
