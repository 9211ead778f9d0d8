// Memory of each rank's GPU that the kernels of all ranks reach. One kernel reads and writes
// another rank's memory. It also adds to it where the link has atomics of its own, as NVLink has.
// Included by `.cu` files only.
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

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/parallel/communicator.hpp"
#include "base/error.hpp"

namespace bellmark::gpu {

/// The same number of bytes at each rank. Ranks are processes of one host, or threads of one
/// process. All ranks make and destroy it together; the communicator must outlive it.
class PeerMemory {
 public:
  /// Collective. Throws UnmetError at all ranks where they are on several hosts, or where a GPU
  /// doesn't reach another's memory. Throws it too where atomics don't reach it, which ranks of
  /// several processes can't ask. `family`: the one that asks; `hint`: the remedy.
  PeerMemory(std::size_t bytes, Communicator& ranks, std::string_view family, std::string_view hint)
      : ranks_(&ranks), own_(rounded(bytes)) {
    Card own{};
    gethostname(own.host.data(), own.host.size() - 1);
    own.process = getpid();
    check(cudaGetDevice(&own.device), "cudaGetDevice");
    const cudaDeviceProp device = properties();
    std::memcpy(own.uuid.data(), device.uuid.bytes, own.uuid.size());
    own.address = own_.data();
    // Only other processes ask for the handle, if there are any.
    own.handle_status = cudaIpcGetMemHandle(&own.handle, own_.data());
    cudaGetLastError();
    const std::vector<Card> cards = ranks.all_gather(own);
    for (const Card& card : cards) {
      if (card.host != own.host) {
        throw UnmetError(family,
                         "its ranks are on several hosts, " + std::string(cards[0].host.data()) +
                             " and others, whose GPUs share no memory",
                         std::string(hint));
      }
    }
    std::string refusal;
    for (std::size_t rank = 0; rank < cards.size(); ++rank) {
      const Card& card = cards[rank];
      peers_.push_back(rank == ranks.rank() ? own_.data() : reach(card, own));
      if (card.uuid == own.uuid) {
        ++sharing_count_;
      } else {
        elsewhere_.push_back(peers_.back());
      }
      if (peers_.back() == nullptr && refusal.empty()) {
        refusal = "the GPU of rank " + std::to_string(ranks.rank()) +
                  " does not reach the memory of rank " + std::to_string(rank) + "'s: " + reason_;
      }
    }
    if (ranks.all_reduce(refusal.empty() ? 0 : 1, Reduction::sum) == 0) return;
    throw UnmetError(
        family,
        refusal.empty() ? "the GPU of another rank does not reach all others' memory" : refusal,
        std::string(hint));
  }
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  ~PeerMemory() {
    opened_.close();
    if (std::uncaught_exceptions() > 0) return;
    try {
      ranks_->barrier();  // nobody's memory goes while another has it open
    } catch (...) {
      // The group is ending: the user should see another rank's error.
    }
  }

  static constexpr std::size_t kPage = std::size_t{2} << 20;

  std::byte* own() const { return own_.data(); }
  std::size_t size() const { return own_.size(); }
  /// The memory of each rank, this rank's too.
  const std::vector<std::byte*>& peers() const { return peers_; }
  /// The memory of the ranks on other GPUs.
  const std::vector<std::byte*>& elsewhere() const { return elsewhere_; }
  /// The number of ranks on this rank's GPU, itself too. Their kernels have to fit beside each
  /// other where one waits for another.
  unsigned sharing_count() const { return sharing_count_; }

 private:
  /// A rank's message about its memory.
  struct Card {
    std::array<char, 256> host;
    std::array<char, 16> uuid;
    std::int64_t process;
    int device;
    std::byte* address;
    cudaIpcMemHandle_t handle;
    cudaError_t handle_status;
  };

  /// Other processes' memory.
  struct Opened {
    ~Opened() { close(); }
    void close() {
      for (void* const memory : addresses) cudaIpcCloseMemHandle(memory);
      addresses.clear();
    }
    std::vector<void*> addresses;
  };

  /// An allocation that shares its pages with no other.
  static std::size_t rounded(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

  /// Null where it can't be had; `reason_` then says why.
  std::byte* reach(const Card& card, const Card& own) {
    if (card.process != own.process) {
      void* memory = nullptr;
      const bool opened =
          succeeds(card.handle_status) &&
          succeeds(cudaIpcOpenMemHandle(&memory, card.handle, cudaIpcMemLazyEnablePeerAccess));
      if (!opened) return nullptr;
      opened_.addresses.push_back(memory);
      return static_cast<std::byte*>(memory);
    }
    if (card.uuid == own.uuid) return card.address;
    int has_atomics = 0;
    if (!succeeds(cudaDeviceGetP2PAttribute(&has_atomics, cudaDevP2PAttrNativeAtomicSupported,
                                            own.device, card.device))) {
      return nullptr;
    }
    if (has_atomics == 0) {
      reason_ = "the link between them has no atomics";
      return nullptr;
    }
    const cudaError_t status = cudaDeviceEnablePeerAccess(card.device, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();  // or the next check sees it
      return card.address;
    }
    return succeeds(status) ? card.address : nullptr;
  }

  bool succeeds(cudaError_t status) {
    if (status == cudaSuccess) return true;
    cudaGetLastError();
    reason_ = cudaGetErrorString(status);
    return false;
  }

  Communicator* ranks_;
  DeviceArray<std::byte> own_;
  std::vector<std::byte*> peers_;
  std::vector<std::byte*> elsewhere_;
  Opened opened_;
  std::string reason_;
  unsigned sharing_count_ = 0;
};

}  // namespace bellmark::gpu
