// Collectives on arrays in the memory of GPUs, through NVIDIA's NCCL. The library is opened at run
// time, so that one program runs everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algorithms/parallel/communicator.hpp"

struct CUstream_st;  // a cudaStream_t points to one: host code needs no more of CUDA

namespace bellmark::distributed_bfs {

/// The reason why this build can't use NCCL on this machine, GPUs left aside; "" when it can.
std::string nccl_absence();

/// The version of the library that was opened: `2.27.3`; "" where there is none.
std::string nccl_version();

/// A group of ranks, each with a GPU of its own: calls on arrays in the GPUs' memory. Everything
/// but the observers is collective, in the same order and with fitting sizes. A call returns when
/// its work is in the stream, not when it is done. Only later work of the stream may change the
/// data sent and touch the data received. A rank's data for itself stay where they are, and a group
/// of one rank calls nothing.
///
/// Every call throws MachineError with NCCL's words. A rank that died is not noticed: the others
/// wait in the stream until the launcher of the ranks ends the group.
class NcclGroup {
 public:
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  virtual ~NcclGroup() = default;

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  Traffic traffic() const { return traffic_; }

  /// Rank r's elements are at offsets[r]..offsets[r + 1] of `all`, at itself before the call and at
  /// all ranks after it. All ranks give the same size() + 1 offsets.
  void all_gather(std::span<std::uint32_t> all, std::span<const std::size_t> offsets,
                  CUstream_st* stream);

  /// Rank r gets sent[send_offsets[r]..send_offsets[r + 1]]. Its data for this rank go to
  /// received[received_offsets[r]..received_offsets[r + 1]].
  void all_to_all(std::span<const std::uint32_t> sent, std::span<const std::size_t> send_offsets,
                  std::span<std::uint32_t> received, std::span<const std::size_t> received_offsets,
                  CUstream_st* stream);

  /// A permutation: every rank sends all of `sent` to rank `to` and fills `received` from rank
  /// `from`, which names this one as its `to`. Where both are this rank it is a copy.
  void exchange(std::span<const std::uint32_t> sent, std::size_t to,
                std::span<std::uint32_t> received, std::size_t from, CUstream_st* stream);

 protected:
  NcclGroup(std::size_t rank, std::size_t size) : rank_(rank), size_(size) {}

 private:
  virtual void do_all_gather(std::span<std::uint32_t> all, std::span<const std::size_t> offsets,
                             CUstream_st* stream) = 0;
  virtual void do_all_to_all(std::span<const std::uint32_t> sent,
                             std::span<const std::size_t> send_offsets,
                             std::span<std::uint32_t> received,
                             std::span<const std::size_t> received_offsets,
                             CUstream_st* stream) = 0;
  virtual void do_exchange(std::span<const std::uint32_t> sent, std::size_t to,
                           std::span<std::uint32_t> received, std::size_t from,
                           CUstream_st* stream) = 0;

  void count(std::uint64_t message_count, std::uint64_t sent_element_count);

  std::size_t rank_;
  std::size_t size_;
  Traffic traffic_;
};

/// Collective: the ranks of a communicator, with the devices that their threads use now. Throws
/// UnmetError where NCCL is absent, and where two ranks use the same GPU, which NCCL doesn't allow.
/// A group of several ranks takes device memory of its own, some of it in the first call of a kind.
std::unique_ptr<NcclGroup> make_nccl_group(Communicator& ranks);

}  // namespace bellmark::distributed_bfs
