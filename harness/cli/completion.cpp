// `bellmark completion`: scripts for shells, which ask the program for completions.
#include <CLI/CLI.hpp>
#include <cctype>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "base/installation.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/help.hpp"

namespace bellmark::cli {
namespace {

// NAME is the executable's. The function's name has only letters, digits and `_`.

// Bash splits words at `:` and `=`. The program takes whole words, and Bash gets only the rest
// back.
constexpr const char* kBash =
    R"(# Completion of NAME for bash. Load it with: source <(NAME completion bash)
_FUNCTION_complete() {
  local line=${COMP_LINE:0:COMP_POINT} part=${COMP_WORDS[COMP_CWORD]} words reply
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local begun=${words[-1]}
  [[ $part == [:=]* ]] && part=
  [[ $begun == *"$part" ]] || part=$begun
  mapfile -t reply < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null | cut -f 1)
  COMPREPLY=("${reply[@]#"${begun%"$part"}"}")
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[:=/] ]]; then compopt -o nospace; fi
}
complete -o default -F _FUNCTION_complete NAME
)";

constexpr const char* kZsh = R"(#compdef NAME
# Completion of NAME for zsh. Load it with: source <(NAME completion zsh)
_FUNCTION() {
  local -a found open texts open_texts
  local line word text
  for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    word=${line%%$'\t'*}
    text=${line#*$'\t'}
    [[ $line == *$'\t'* ]] && text="$word -- $text" || text=$word
    if [[ $word == *[:=] ]]; then
      open+=("$word")
      open_texts+=("$text")
    else
      found+=("$word")
      texts+=("$text")
    fi
  done
  if ((${#found} + ${#open} == 0)); then
    _files
    return
  fi
  ((${#found})) && compadd -l -d texts -- "${found[@]}"
  ((${#open})) && compadd -S '' -l -d open_texts -- "${open[@]}"
}
if [[ ${funcstack[1]} == _FUNCTION ]]; then
  _FUNCTION "$@"
else
  compdef _FUNCTION NAME
fi
)";

constexpr const char* kFish =
    R"(# Completion of NAME for fish. Load it with: NAME completion fish | source
function __FUNCTION_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $found
    end
end
complete -c NAME -f -a '(__FUNCTION_complete)'
)";

const std::map<std::string, const char*>& scripts() {
  static const std::map<std::string, const char*> all = {
      {"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string script_of(const std::string& shell) {
  const std::string& name = installation().name;
  std::string function = name;
  for (char& sign : function) {
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0) sign = '_';
  }
  return replaced(replaced(scripts().at(shell), "FUNCTION", function), "NAME", name);
}

}  // namespace

Command completion_command() {
  return {"completion", "Print a script by which bash, zsh or fish completes command lines",
          "The script asks the program: commands, options, variants with their keys and values,\n"
          "graphs and experiments are those of the executable that is typed.\n\n"
          "  bellmark completion bash > ~/.local/share/bash-completion/completions/bellmark\n"
          "  bellmark completion fish > ~/.config/fish/completions/bellmark.fish\n"
          "  bellmark completion zsh > ~/.zfunc/_bellmark",
          [](CLI::App& app) -> Action {
            const auto shell = std::make_shared<std::string>();
            app.add_option("shell", *shell, "bash, zsh or fish")
                ->required()
                ->check(one_of({"bash", "zsh", "fish"}));
            return [shell](const Argv&) {
              std::cout << script_of(*shell);
              return ExitCode::ok;
            };
          }};
}

}  // namespace bellmark::cli
