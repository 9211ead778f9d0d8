// A file descriptor with an owner.
#pragma once

#include <utility>

namespace bellmark {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  void reset(int number = -1);
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace bellmark
