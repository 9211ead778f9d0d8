// What a worker that a signal kills says last: the query that it was at.
#pragma once

#include <string>

namespace bellmark::run {

/// From here on a signal that ends the process (a bad access, an abort, a stack that is full) first
/// writes the last words to `event_fd`. Handlers that others installed stay.
void install_last_words(int event_fd);

/// The line to write; null for none. It must stay as it is until the next call. Costs one store, so
/// that it may be called within what is timed.
void set_last_words(const std::string* line);

}  // namespace bellmark::run
