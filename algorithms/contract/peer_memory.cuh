// Memory of each rank's GPU that the kernels of all ranks reach, over NVLink or PCIe: one kernel
// reads, writes and adds to what is another's. Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/communicator.hpp"
#include "algorithms/contract/gpu.cuh"
#include "base/error.hpp"

namespace bellmark::gpu {

/// As many bytes at each rank. Ranks are processes of one host, or threads of one process. Made and
/// destroyed by all ranks together; the communicator must outlive it.
class PeerMemory {
 public:
  PeerMemory() = default;
  /// Collective. Throws UnmetError where ranks are on several hosts, or where a GPU doesn't reach
  /// another's memory. `family`: who asks.
  PeerMemory(std::size_t bytes, Communicator& ranks, std::string_view family)
      : ranks_(&ranks), own_(rounded(bytes)) {
    Card own{};
    gethostname(own.host.data(), own.host.size() - 1);
    own.process = getpid();
    check(cudaGetDevice(&own.device), "cudaGetDevice");
    const cudaDeviceProp device = properties();
    std::memcpy(own.uuid.data(), device.uuid.bytes, own.uuid.size());
    own.address = own_.data();
    check(cudaIpcGetMemHandle(&own.handle, own_.data()), "cudaIpcGetMemHandle");
    const std::vector<Card> cards = ranks.all_gather(own);
    for (const Card& card : cards) {
      if (card.host != own.host) {
        throw UnmetError(family,
                         "its ranks are on several hosts, " + std::string(cards[0].host.data()) +
                             " and others, whose GPUs share no memory",
                         "use distributed-bfs/hybrid-gpu there");
      }
    }
    for (std::size_t rank = 0; rank < cards.size(); ++rank) {
      const Card& card = cards[rank];
      if (card.uuid == own.uuid && card.process == own.process) ++sharing_count_;
      peers_.push_back(rank == ranks.rank() ? own_.data() : reach(card, own, rank, family));
    }
  }
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  ~PeerMemory() {
    for (void* const memory : opened_) cudaIpcCloseMemHandle(memory);
    if (ranks_ == nullptr || std::uncaught_exceptions() > 0) return;
    try {
      ranks_->barrier();  // nobody's memory goes while another has it open
    } catch (...) {
      // The group is ending: another rank's error is the one to tell.
    }
  }

  std::byte* own() const { return own_.data(); }
  std::size_t size() const { return own_.size(); }
  /// By rank, this rank's too.
  const std::vector<std::byte*>& peers() const { return peers_; }
  /// Ranks of this process on this rank's GPU, itself too: their kernels have to fit beside each
  /// other where one waits for another.
  unsigned sharing_count() const { return sharing_count_; }

 private:
  /// What a rank tells of its memory.
  struct Card {
    std::array<char, 256> host;
    std::array<char, 16> uuid;
    std::int64_t process;
    int device;
    std::byte* address;
    cudaIpcMemHandle_t handle;
  };

  /// An allocation that shares its pages with no other.
  static std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    return (bytes + kPage - 1) / kPage * kPage;
  }

  std::byte* reach(const Card& card, const Card& own, std::size_t rank, std::string_view family) {
    if (card.process == own.process) {
      if (card.uuid == own.uuid) return card.address;
      const cudaError_t status = cudaDeviceEnablePeerAccess(card.device, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();  // or the next check sees it
      } else if (status != cudaSuccess) {
        refuse(rank, status, family);
      }
      return card.address;
    }
    void* memory = nullptr;
    const cudaError_t status =
        cudaIpcOpenMemHandle(&memory, card.handle, cudaIpcMemLazyEnablePeerAccess);
    if (status != cudaSuccess) refuse(rank, status, family);
    opened_.push_back(memory);
    return static_cast<std::byte*>(memory);
  }

  [[noreturn]] void refuse(std::size_t rank, cudaError_t status, std::string_view family) const {
    cudaGetLastError();
    throw UnmetError(family,
                     "the GPU of rank " + std::to_string(ranks_->rank()) +
                         " does not reach the memory of rank " + std::to_string(rank) +
                         "'s: " + cudaGetErrorString(status),
                     "use distributed-bfs/hybrid-gpu there");
  }

  Communicator* ranks_ = nullptr;
  DeviceArray<std::byte> own_;
  std::vector<std::byte*> peers_;
  std::vector<void*> opened_;
  unsigned sharing_count_ = 0;
};

}  // namespace bellmark::gpu
