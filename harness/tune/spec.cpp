#include "harness/tune/spec.hpp"

#include <cstdio>
#include <string_view>

#include "algorithms/contract/registry.hpp"

namespace bellmark::tune {
namespace {

/// A TOML basic string.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// One line of a comment: a line break in a file's name must not end it.
std::string comment(std::string_view what, std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return "# " + std::string(what) + text + "\n";
}

}  // namespace

std::string experiment_text(const Spec& spec) {
  std::string files;
  for (const std::string& file : spec.program_files) files += toml_string(file) + ", ";
  if (!files.empty()) files = "programs = [" + files + "]\n";
  std::string variants;
  for (const std::string& variant : spec.variants) variants += "  " + toml_string(variant) + ",\n";
  return "id = " + toml_string(spec.id) + "\ntitle = " + toml_string(spec.title) +
         "\nvariants = [\n" + variants + "]\n" + files +
         "\n[workload]\nproblem = " + toml_string(spec.problem) +
         "\nqueries = { kind = \"default\", count = " + std::to_string(spec.effort.query_count) +
         ", seed = " + std::to_string(spec.seed) + " }\n\n[axes]\n" +
         Registry::global().input_axis(spec.problem) + " = [" + toml_string(spec.graph) +
         "]\n\n[run]\nplacement = " + toml_string(spec.placement) +
         "\nsample_count = " + std::to_string(spec.effort.sample_count) +
         "\nseconds_per_process = " + number(spec.effort.seconds_per_process) +
         "\ntimeout_s = " + number(spec.timeout_s) +
         "\npages = " + toml_string(machine::to_string(spec.pages)) +
         (spec.objective == Objective::time ? "" : "\n" + to_string(spec.objective) + " = true") +
         "\n\n[figure]\nkind = \"bars\"\ntitle = \"Time of one query\"\n";
}

std::string tuned_text(const Spec& spec, const Origin& origin) {
  return comment(kTunedBeginning.substr(std::string_view("# ").size()), spec.title + ".") +
         comment("Held-out queries (those below): ", origin.verdict) +
         comment("Training: ", origin.training) + comment("Machine: ", origin.machine) +
         comment("Input: ", origin.graph) + comment("Bellmark: ", origin.software) +
         comment("Command: ", origin.command) + comment("Date: ", origin.date) +
         comment("Another machine or input may want other settings: run this there.", "") + "\n" +
         experiment_text(spec);
}

}  // namespace bellmark::tune
