#include "base/descriptor.hpp"

#include <unistd.h>

namespace bellmark {

void Descriptor::reset(int number) {
  if (number_ >= 0) ::close(number_);
  number_ = number;
}

}  // namespace bellmark
