// main() of a lab: bellmark_add_lab() of the CMake package writes the file that calls it.
#pragma once

#include "base/installation.hpp"

namespace bellmark {

/// The command line of Bellmark over the linked problems and variants. Returns the exit code.
int lab_main(int argc, char** argv, Installation lab);

}  // namespace bellmark
