// Every key of an experiment's file, by its table. experiments/README.md describes the keys, and
// harness/schema/experiment.schema.json gives their types.
#pragma once

#include <string>
#include <vector>

namespace bellmark::plan {

using Keys = std::vector<std::string>;

inline const Keys kRootKeys = {"id",     "title",   "paper",   "variants", "workload",
                               "axes",   "exclude", "run",     "quick",    "stand_in",
                               "figure", "claim",   "program", "programs"};
inline const Keys kProgramKeys = {
    "name",          "problem",     "needs",     "command", "format", "first_vertex",
    "input",         "environment", "version",   "time",    "check",  "check_command",
    "check_pattern", "form",        "unreached", "home",    "speaks", "setting"};
inline const Keys kProgramTimeKeys = {"pattern", "unit"};
inline const Keys kProgramSettingKeys = {"name",    "values",  "least", "largest",
                                         "default", "tunable", "unit",  "help"};
inline const Keys kPaperKeys = {"key", "item", "queries"};
inline const Keys kWorkloadKeys = {"problem", "queries"};
inline const Keys kQueryKeys = {"kind", "count", "seed", "file", "list"};
inline const Keys kExcludeKeys = {"where", "why"};
inline const Keys kRunKeys = {"placement",   "processes",    "ranks",
                              "launcher",    "frequency",    "diagnose",
                              "block_count", "sample_count", "seconds_per_process",
                              "timeout_s",   "memory",       "counters",
                              "baseline",    "pages",        "profiles",
                              "energy"};
inline const Keys kQuickKeys = {"query_count", "sample_count", "seconds_per_process", "axes",
                                "stand_in"};
inline const Keys kStandInKeys = {"class", "text", "graphs", "variants"};
inline const Keys kFigureKeys = {"kind",          "x",       "series",  "relative_to", "metric",
                                 "title",         "caption", "x_scale", "y_scale",     "column",
                                 "second_column", "where",   "paper"};
inline const Keys kClaimKeys = {
    "id",    "kind",       "text",  "metric", "along", "order", "numerator", "denominator",
    "where", "statements", "cells", "paper",  "rival", "about", "sentence",  "checks"};
inline const Keys kStatementKeys = {"text",   "metric", "numerator", "denominator",
                                    "over",   "mean",   "at_least",  "at_most",
                                    "reason", "paper",  "rival"};
inline const Keys kOverKeys = {"numerator", "denominator"};
inline const Keys kMeanKeys = {"over", "count"};
inline const Keys kShownCellKeys = {"where", "denominator", "paper", "text"};
inline const Keys kPaperValueKeys = {"value",  "low",       "high",   "unit",
                                     "quoted", "read_from", "machine"};

/// The right heading of a known key in a wrong place; "" for an unknown key.
std::string table_of_key(const std::string& key);

}  // namespace bellmark::plan
