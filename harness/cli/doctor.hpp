// `bellmark doctor`: what on this machine disturbs a measurement, and how to fix it.
#pragma once

namespace CLI {
class App;
}

namespace bellmark::cli {

/// Adds the sub-command to `parent`; its callback sets `exit_code` (0: findings are no failure).
void add_doctor(CLI::App& parent, int& exit_code);

}  // namespace bellmark::cli
