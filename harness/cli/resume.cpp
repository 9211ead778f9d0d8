// `bellmark resume`: goes on with a run, or ends it with the cells measured so far.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/output_options.hpp"

namespace bellmark::cli {
namespace {

struct ResumeFlags {
  std::string folder;
  std::string budget;
  bool end = false;
  bool allow_commands = false;
  run::Output output;
};

}  // namespace

Command resume_command() {
  return {"resume", "Go on with a run that was interrupted or killed",
          "What is in the journal isn't measured again: at most the block in flight was lost.\n\n"
          "  bellmark resume\n"
          "  bellmark resume --end\n"
          "  bellmark resume runs/yasui2011/T4/20261121T054000Z-1a2b3c4d",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ResumeFlags>();
            app.add_option("run", flags->folder,
                           "folder of the run; without it, the newest unfinished run");
            CLI::Option* const after = app.add_option(
                "--budget", flags->budget,
                "end the run after this time (90s, 8m) with the cells that were measured by then");
            app.add_flag("--end", flags->end,
                         "end the run with the cells that were measured; opens no input")
                ->excludes(after);
            app.add_flag("--allow-commands", flags->allow_commands,
                         "start programs of the run that this user did not start before");
            add_output_options(app, flags->output);
            return [flags](const Argv&) {
              run::Ending ending{
                  .now = flags->end, .budget_s = {}, .allow_commands = flags->allow_commands};
              if (!flags->budget.empty()) ending.budget_s = plan::parse_duration(flags->budget);
              return run::resume(flags->folder, ending, flags->output);
            };
          }};
}

}  // namespace bellmark::cli
