// The tunings of a user that found better settings, in one file for all machines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algorithms/contract/tuned.hpp"

namespace bellmark::machine {

/// A tuning whose winner was FASTER on held-out queries.
struct Tuning {
  std::string machine;  ///< tuning_machine() there
  std::string variant;  ///< canonical name of the variant that was tuned
  std::string better;   ///< the same with the settings that won
  std::string graph;    ///< reference
  std::string graph_digest;
  std::string placement;
  double ratio = 1;  ///< held-out time over that of the variant's own settings
  double ratio_low = 1;
  double ratio_high = 1;
  std::string date;      ///< UTC, of the held-out run
  std::string software;  ///< version and commit

  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// Processor and number of PUs: tuned settings hold for machines that are alike.
std::string tuning_machine(const std::string& cpu_model, int pu_count);
std::string this_tuning_machine();

/// `tunings.json` in the user's cache folder.
std::filesystem::path tunings_file();

/// All tunings in the order of their dates of entry; none where there is no file. Throws InputError
/// where the file is not sound: its place, its key and what to do.
std::vector<Tuning> read_tunings(const std::filesystem::path& file);

/// The whole file or none. Throws InputError for a bad path, MachineError when the machine fails.
void write_tunings(const std::filesystem::path& file, const std::vector<Tuning>& tunings);

/// The winners of this machine's tunings, for variants. Throws what read_tunings() throws.
std::vector<tuned::Winner> winners_of_this_machine();

/// Adds a tuning, in place of an older one of the same machine, variant, graph and placement. Of
/// two processes that add at once, one may be lost.
void add_tuning(const std::filesystem::path& file, const Tuning& tuning);

}  // namespace bellmark::machine
