// `bellmark answer` and `bellmark certify`: writes answers as text, and checks answers of others.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/problems/graph_input/answer_text.hpp"
#include "base/atomic_file.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/help.hpp"
#include "harness/run/session/export_check.hpp"
#include "harness/run/worker/probe.hpp"

namespace bellmark::cli {
namespace {

struct Question {
  std::string graph = kDefaultGraph;
  std::uint64_t source = 0;  ///< ids count from 1; 0: none named
  std::uint64_t target = 0;

  void add_to(CLI::App& app) {
    app.add_option("-g,--graph", graph, "graph: an id, a file, or grid:/random: settings")
        ->capture_default_str();
    app.add_option("--source", source, "the vertex to search from; ids count from 1")
        ->check(whole_number_from(1));
    app.add_option("--target", target, "the vertex to search for (p2p)")
        ->check(whole_number_from(1));
  }

  std::unique_ptr<Workload> open(const std::string& problem) const {
    const bool is_pair = problem == "p2p";
    if (source == 0) {
      throw InputError("--source", "no vertex named", "name the vertex to search from");
    }
    if (is_pair != (target > 0)) {
      throw InputError("--target",
                       is_pair ? "p2p needs a target" : "the problem " + problem + " has none",
                       is_pair ? "name the vertex to search for" : "leave it out");
    }
    QueryRule rule;
    rule.kind = "list";
    rule.list = {source};
    if (is_pair) rule.list.push_back(target);
    auto workload = Registry::global().open_workload(problem, graph, rule);
    workload->verify();
    return workload;
  }
};

struct AnswerFlags {
  std::string variant;
  Question question;
  std::string output;
  std::string prepared;
};

struct CertifyFlags {
  std::string problem;
  Question question;
  std::string file;
};

const std::vector<std::string>& text_problems() {
  static const std::vector<std::string> names(kTextProblems.begin(), kTextProblems.end());
  return names;
}

Selection one_variant(const std::string& pattern) {
  const auto selections = Registry::global().select(pattern);
  if (selections.size() != 1) {
    throw InputError("variant '" + pattern + "'",
                     "names " + std::to_string(selections.size()) + " variants; one answers",
                     "name one (see: bellmark list -v '" + pattern + "')");
  }
  const std::string problem = selections.front().family->problem();
  if (std::ranges::find(kTextProblems, problem) == kTextProblems.end()) {
    throw InputError(pattern, "answers of " + problem + " have no text form",
                     "those of " + join(text_problems(), ", ") + " have one");
  }
  return selections.front();
}

/// Throws with the exit code of an unmeasured cell.
void refuse_obstacle(const Selection& selection, const Workload& workload) {
  std::string name;
  const auto [code, reason] = run::find_obstacle(selection, workload, false, name);
  if (code == "unmet-need") throw UnmetError(name, reason);
  if (!code.empty()) throw InputError(name, reason);
}

/// True of a file that begins with the comment of an answer: its graph, and the variant.
bool is_answer(const std::filesystem::path& file) {
  constexpr std::size_t kEnough = 4096;
  const std::string text = read_beginning(file, kEnough);
  return text.starts_with("# ") && text.find("\n# by ") != std::string::npos;
}

ExitCode answer(const AnswerFlags& flags) {
  const Selection selection = one_variant(flags.variant);
  run::check_export(flags.output, is_answer);
  if (!flags.prepared.empty()) prepared::use_folder(prepared::made_folder(flags.prepared));
  const auto workload = flags.question.open(selection.family->problem());
  refuse_obstacle(selection, *workload);
  Settings resolved;
  const Instance& instance = find_instance(selection, *workload, resolved);
  const std::string name = selection.family->canonical(resolved);
  RunContext context;
  const auto variant = instance.bind(*workload, resolved);
  variant->prepare(context);
  variant->run(0, 1, context);
  if (const auto fault = variant->certify(0)) {
    throw Error(ExitCode::wrong_answer, name, "a wrong answer: " + *fault, "nothing was written");
  }
  const std::string comment = "# " + escaped(flags.question.graph) + "\n# by " + name + "\n";
  if (flags.output.empty()) {
    std::cout << comment;
    variant->write_answer(0, [](std::string_view text) { std::cout << text; });
    return ExitCode::ok;
  }
  AtomicFile file(flags.output);
  file.write(comment);
  variant->write_answer(0, [&](std::string_view text) { file.write(text); });
  file.commit();
  std::cerr << "wrote " << flags.output << ": " << workload->query_text(0) << ", certified\n";
  return ExitCode::ok;
}

/// The file's value counts if the command line gives none.
template <class T>
void take_over(T& asked, const T& nothing, const T& said, const std::string& name,
               const std::string& file) {
  if (asked == nothing) asked = said;
  if (said == nothing || asked == said) return;
  std::ostringstream text;
  text << "it answers another " << name << ", " << said << " and not " << asked;
  throw InputError(file, text.str(), "name the file's " + name + ", or none");
}

ExitCode certify(CertifyFlags flags) {
  const AnswerHead head = read_answer_head(flags.file);
  Question& question = flags.question;
  take_over(flags.problem, std::string(), head.problem, "problem", flags.file);
  take_over(question.source, std::uint64_t{0}, head.source.value_or(0), "source", flags.file);
  take_over(question.target, std::uint64_t{0}, head.target.value_or(0), "target", flags.file);
  if (flags.problem.empty()) flags.problem = question.target > 0 ? "p2p" : "sssp";
  if (std::ranges::find(kTextProblems, flags.problem) == kTextProblems.end()) {
    throw InputError(flags.file, "problem '" + escaped(flags.problem) + "' has no text form",
                     suggestion(flags.problem, text_problems()));
  }
  const auto workload = question.open(flags.problem);
  if (const auto fault = workload->certify_file(0, flags.file)) {
    throw Error(ExitCode::wrong_answer, flags.file,
                "a wrong answer to " + workload->query_text(0) + ": " + *fault);
  }
  std::cout << flags.file << ": certified, " << flags.problem << " from " << workload->query_text(0)
            << "\n";
  return ExitCode::ok;
}

}  // namespace

Command answer_command() {
  return {
      "answer", "Answer one query and write it as text: distances, levels or a route",
      "The answer is certified before it is written; docs/reference/answers.md has the format.\n\n"
      "  bellmark answer -v sssp/auto -g my.gr.gz --source 1 -o distances.txt\n"
      "  bellmark answer -v p2p/auto --source 1 --target 9\n"
      "  bellmark answer -v bfs/direction-optimizing --source 1 -o levels.txt",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<AnswerFlags>();
        app.add_option("-v,--variant", flags->variant, "one variant (see: bellmark list)")
            ->required();
        flags->question.add_to(app);
        app.add_option("-o,--output", flags->output, "file to write; without it, standard output");
        app.add_option("--prepared", flags->prepared,
                       "folder of prepared data: variants read theirs from it, or write it there");
        return [flags](const Argv&) { return answer(*flags); };
      }};
}

Command certify_command() {
  return {"certify", "Check the answer of another program by the certificate of its problem",
          "Exit code 3 and the first wrong vertex where it is wrong. Lines are ID DISTANCE or\n"
          "ID DISTANCE PREDECESSOR; docs/reference/answers.md has the format.\n\n"
          "  bellmark certify -g my.gr.gz --source 1 --answer distances.txt\n"
          "  bellmark certify --problem bfs -g my.el,arcs=both --source 1 --answer levels.txt",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<CertifyFlags>();
            app.add_option("--answer", flags->file, "file of the answer, plain or .gz")->required();
            app.add_option("--problem", flags->problem,
                           "sssp, p2p or bfs; without it, the problem that the file names, else "
                           "sssp\n(p2p with a target)")
                ->check(one_of(text_problems()));
            flags->question.add_to(app);
            return [flags](const Argv&) { return certify(*flags); };
          }};
}

}  // namespace bellmark::cli
