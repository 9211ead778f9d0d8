// The declaration of commands: the table decides the command line.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <memory>
#include <set>

#include "harness/cli/commands.hpp"

namespace bellmark::cli {
namespace {

Command count_command(std::vector<std::string>& heard) {
  return {"count", "Count", "Rules.\n\n  bellmark count --to 3", [&heard](CLI::App& app) -> Action {
            const auto to = std::make_shared<int>(1);
            app.add_option("--to", *to, "how far")->required();
            return [to, &heard](const Argv& argv) {
              heard = argv;
              heard.push_back(std::to_string(*to));
              return ExitCode::regression;
            };
          }};
}

class Commands : public testing::Test {
 protected:
  void parse(const std::string& line) { app_.parse(line); }

  CLI::App app_;
  std::vector<std::string> heard_;
  Argv argv_ = {"bellmark", "count"};
  ExitCode code_ = ExitCode::ok;
};

TEST_F(Commands, RunTheirActionWithTheirOptions) {
  add_command(app_, count_command(heard_), argv_, code_);
  parse("count --to 3");
  EXPECT_EQ(code_, ExitCode::regression);
  EXPECT_EQ(heard_, (std::vector<std::string>{"bellmark", "count", "3"}));
  const CLI::App& count = *app_.get_subcommand("count");
  EXPECT_EQ(count.get_description(), "Count");
  EXPECT_EQ(count.get_footer(), "Rules.");
  EXPECT_FALSE(count.get_group().empty());
  EXPECT_THROW(parse("count"), CLI::RequiredError);
}

TEST_F(Commands, ShowExamplesBeforeOptions) {
  Command command = count_command(heard_);
  command.footer =
      "Rules.\n\n  bellmark count\n  bellmark count --to 3\n      --on\n  bellmark count -h";
  add_command(app_, command, argv_, code_);
  EXPECT_EQ(app_.get_subcommand("count")->help(),
            "Count\n\nUsage: count [OPTIONS]\n"
            "\nExamples:\n  bellmark count\n  bellmark count --to 3\n      --on\n"
            "\nOptions:\n"
            "  -h,--help                   Print this help message and exit\n"
            "  --to NUMBER (needed)        how far\n"
            "\nRules.\n"
            "\nMore examples:\n  bellmark count -h\n"
            "\nExit codes: 0 ok, 2 bad input, 7 the machine failed; others: bellmark --help\n");
}

TEST_F(Commands, AreFoundBelowOthersWhichNeedOne) {
  add_command(app_, {"all", "All", "", {}, {count_command(heard_)}}, argv_, code_);
  EXPECT_THROW(parse("all"), CLI::RequiredError);
  EXPECT_TRUE(heard_.empty());
  parse("all count --to 4");
  EXPECT_EQ(heard_.back(), "4");
}

TEST_F(Commands, WithoutHelpAreHidden) {
  add_command(app_, {"worker", "", "", {}, {}}, argv_, code_);
  EXPECT_TRUE(app_.get_subcommand("worker")->get_group().empty());
}

TEST_F(Commands, NearMissesAreNamed) {
  add_command(app_, {"all", "All", "", {}, {count_command(heard_)}}, argv_, code_);
  const auto said = [&](const Argv& words) { return unknown_command(app_, words); };
  EXPECT_EQ(said({"bellmark", "all", "count", "--to"}), "");
  EXPECT_EQ(said({"bellmark", "--help"}), "");
  EXPECT_EQ(said({"bellmark", "ALL"}), "unknown command 'ALL'; did you mean 'all'?");
  EXPECT_EQ(said({"bellmark", "all", "cuont"}),
            "unknown command 'all cuont'; did you mean 'count'?");
  EXPECT_THROW(parse("all count --tp=3"), CLI::ParseError);
  EXPECT_EQ(unknown_option(app_), "unknown option '--tp'; did you mean '--to'?");
  EXPECT_EQ(parsed_command(app_), "bellmark all count");
}

/// Every command that does something has help and an example, and names are unique.
void check(const std::vector<Command>& commands, const std::string& above) {
  std::set<std::string> names;
  for (const Command& command : commands) {
    const std::string name = above + command.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(static_cast<bool>(command.declare), !command.commands.empty()) << name;
    if (name != "worker") {
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(command.help.front())) != 0) << name;
      EXPECT_FALSE(command.help.ends_with('.')) << name;
      EXPECT_NE(command.footer.find("bellmark " + name.substr(0, name.find(' '))),
                std::string::npos)
          << name;
    }
    check(command.commands, name + " ");
  }
}

TEST_F(Commands, OfBellmarkAreDeclaredWhole) {
  const std::vector<Command> all = all_commands();
  EXPECT_GE(all.size(), 14U);
  check(all, "");
  for (const Command& command : all) add_command(app_, command, argv_, code_);
}

}  // namespace
}  // namespace bellmark::cli
