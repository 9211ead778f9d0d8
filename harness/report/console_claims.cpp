#include "harness/report/console_claims.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/effect.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::report {
namespace {

/// `Y3` of `yasui2011/Y3`.
std::string id_of(const std::string& claim) { return claim.substr(claim.rfind('/') + 1); }

/// The paper's key if all claims are of one paper, else "".
std::string common_paper(const std::vector<ClaimRow>& claims) {
  std::set<std::string> papers;
  for (const ClaimRow& claim : claims) {
    const std::size_t slash = claim.claim.rfind('/');
    papers.insert(slash == std::string::npos ? "" : claim.claim.substr(0, slash));
  }
  return papers.size() == 1 ? *papers.begin() : "";
}

/// The headline after the verdict's word, without the stand-in: `: weaker`.
std::string rest_of_headline(const ClaimRow& claim) {
  std::string_view rest = claim.headline;
  if (!rest.starts_with(claim.verdict)) return {};
  rest.remove_prefix(claim.verdict.size());
  if (!claim.stand_in.is_null()) {
    const std::string stand_in = " on a stand-in: " + claim.stand_in.get<std::string>();
    if (rest.ends_with(stand_in)) rest.remove_suffix(stand_in.size());
  }
  return std::string(rest);
}

/// ` (stand-in, quick)`: the qualifications of the verdict; "" if there are none.
std::string additions_of(const ClaimRow& claim) {
  std::vector<std::string> parts;
  if (!claim.stand_in.is_null()) parts.emplace_back("stand-in");
  if (is_quick(claim)) parts.emplace_back("quick");
  if (!claim.build.empty()) {
    parts.push_back("build " + claim.build.substr(0, claim.build.find(',')));
  }
  return parts.empty() ? "" : " (" + join(parts, ", ") + ")";
}

/// Why nothing was measured or judged, of several parts the first one's cause. The verdict already
/// says that nothing was.
std::string cause_of(const ClaimRow& claim) {
  const std::string& said = verdict::kNotJudged;
  const std::size_t at = claim.reason.find(said);
  if (at == std::string::npos) return claim.reason;
  const std::size_t cause = at + said.size();
  return claim.reason.substr(cause, claim.reason.find("; ", cause) - cause);
}

/// The verdict, and the measured values or the reason why there are none.
std::string verdict_line(const ClaimRow& claim, std::size_t columns) {
  const std::string rest = rest_of_headline(claim);
  const std::string additions = additions_of(claim);
  if (claim.verdict == verdict::to_string(verdict::Outcome::not_testable)) {
    return claim.verdict + additions + (rest.empty() ? ": " + claim.reason : rest);
  }
  const std::string head = claim.verdict + rest + additions + "  ";
  const std::size_t width = display_width(head);
  const std::string effect = effect_of(claim, columns > width ? columns - width : 0);
  return head + (effect.empty() ? cause_of(claim) : effect);
}

const std::string& sentence_of(const ClaimRow& claim, const Sentences& sentences) {
  const auto found = sentences.find(claim.claim);
  return found == sentences.end() ? claim.text : found->second;
}

/// Two lines, with the id at their left.
std::string claim_lines(const ClaimRow& claim, const std::string& id, std::size_t id_width,
                        const Sentences& sentences, std::size_t columns) {
  const std::size_t indent = 2 + id_width + 2;
  const std::size_t left = columns > indent ? columns - indent : 1;
  const std::string padding(id_width - display_width(id) + 2, ' ');
  return "  " + id + padding + cut_end(escaped(verdict_line(claim, left)), left) + "\n" +
         std::string(indent, ' ') + cut_end(escaped(sentence_of(claim, sentences)), left) + "\n";
}

/// `14 claims: 3 reproduced, 2 direction only`: the number of claims with each verdict. A claim
/// that several machines or builds judged has a verdict from each.
std::string summary(const std::vector<ClaimRow>& claims) {
  using verdict::Outcome;
  const std::array<std::string, 7> order = {to_string(Outcome::reproduced),
                                            to_string(Outcome::direction_only),
                                            to_string(Outcome::not_reproduced),
                                            to_string(Outcome::inconclusive),
                                            to_string(Outcome::not_testable),
                                            verdict::kCheck,
                                            verdict::kShown};
  std::vector<std::string> parts;
  for (const std::string& word : order) {
    const auto count = std::ranges::count(claims, word, &ClaimRow::verdict);
    if (count == 0) continue;
    const bool are_checks = word == verdict::kCheck && count > 1;
    parts.push_back(std::to_string(count) + " " + (are_checks ? "checks of the stand-in" : word));
  }
  std::set<std::string> ids;
  for (const ClaimRow& claim : claims) ids.insert(claim.claim);
  const std::string of_claims =
      std::to_string(ids.size()) + (ids.size() == 1 ? " claim" : " claims");
  return (ids.size() == claims.size()
              ? of_claims
              : std::to_string(claims.size()) + " verdicts on " + of_claims) +
         ": " + join(parts, ", ");
}

/// The claim that a reader would ask about first: one that does not simply hold.
const ClaimRow& most_doubtful(const std::vector<ClaimRow>& claims) {
  const std::string holds = verdict::to_string(verdict::Outcome::reproduced);
  const auto found =
      std::ranges::find_if(claims, [&](const ClaimRow& claim) { return claim.verdict != holds; });
  return found == claims.end() ? claims.front() : *found;
}

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c);
  });
  return text;
}

/// Throws InputError if there is no such claim.
void refuse_unknown(const std::string& name, const std::vector<ClaimRow>& claims) {
  std::vector<std::string> known;
  for (const ClaimRow& claim : claims) {
    if (lowered(name) == lowered(claim.claim) || lowered(name) == lowered(id_of(claim.claim))) {
      return;
    }
    if (known.empty() || known.back() != claim.claim) known.push_back(claim.claim);
  }
  throw InputError("claim '" + name + "'", "is not judged in these results",
                   known.empty() ? "" : suggestion(name, known));
}

/// The parts that the deciding results judged, each with its rows.
std::string parts_text(const ClaimRow& claim, std::size_t columns) {
  constexpr std::size_t kMeasured = 2;  // names and values
  std::string text;
  for (const Judgement& judgement : claim.judged) {
    if (!judgement.decides) continue;
    for (const Json& part : judgement.verdict->value("parts", Json::array())) {
      if (part.at("verdict") == verdict::kShown) continue;
      const std::string head =
          part.at("text").get<std::string>() + ": " + part.at("verdict").get<std::string>();
      text += wrapped(escaped(head), "  ", columns);
      if (!part.at("measured").empty()) text += fitted(rows_of(part), "    ", columns, kMeasured);
    }
  }
  return text;
}

/// All facts about one claim.
std::string explained(const ClaimRow& claim, const Sentences& sentences, std::size_t columns) {
  const auto block = [&](const std::string& text, const std::string& head) {
    return wrapped(escaped(text), head, columns);
  };
  const auto sentence = sentences.find(claim.claim);
  return block(headline_of(claim), escaped(claim.claim) + ": ") +
         (sentence == sentences.end() ? "" : block(sentence->second, "  paper:  ")) +
         block(claim.text, "  claim:  ") + block(coverage_of(claim), "  extent: ") +
         block(effect_of(claim, std::string::npos), "  here:   ") +
         block(claim.reason, "  why:    ") + parts_text(claim, columns);
}

}  // namespace

std::string console_claims(const std::vector<Json>& results, const Sentences& sentences,
                           std::optional<std::size_t> terminal) {
  const std::size_t columns = terminal.value_or(kLogColumns);
  const auto claims = merge_claims(results);
  if (claims.empty()) return {};
  const std::string paper = common_paper(claims);
  const auto shown_id = [&](const ClaimRow& claim) {
    return escaped(paper.empty() ? claim.claim : id_of(claim.claim));
  };
  std::size_t id_width = 0;
  std::vector<std::string> machines;
  for (const ClaimRow& claim : claims) {
    id_width = std::max(id_width, display_width(shown_id(claim)));
    if (std::ranges::find(machines, claim.machine) == machines.end()) {
      machines.push_back(claim.machine);
    }
  }
  std::string text = "Claims" + (paper.empty() ? "" : " of " + escaped(paper)) + "\n";
  for (const std::string& machine : machines) {
    if (!machine.empty()) text += cut_end(escaped("on " + machine), columns) + "\n";
    for (const ClaimRow& claim : claims) {
      if (claim.machine != machine) continue;
      text += claim_lines(claim, shown_id(claim), id_width, sentences, columns);
    }
  }
  return text + wrapped(summary(claims), "", columns) +
         wrapped("bellmark verdict --explain " + shell_word(id_of(most_doubtful(claims).claim)) +
                     " RESULT...",
                 "more of a claim: ", columns);
}

std::string console_verdicts(const Json& result, std::optional<std::size_t> terminal) {
  std::vector<std::string> verdicts;
  const std::vector<Json> results(1, result);
  for (const ClaimRow& claim : merge_claims(results)) {
    verdicts.push_back(escaped(id_of(claim.claim) + " " + claim.verdict + additions_of(claim)));
  }
  if (verdicts.empty()) return {};
  return wrapped(join(verdicts, ", "), verdicts.size() == 1 ? "  verdict: " : "  verdicts: ",
                 terminal.value_or(kLogColumns));
}

std::string explained_claims(const std::vector<Json>& results, const Sentences& sentences,
                             const std::vector<std::string>& names,
                             std::optional<std::size_t> terminal) {
  const std::size_t columns = terminal.value_or(kLogColumns);
  const auto claims = merge_claims(results);
  std::set<std::string> asked;
  for (const std::string& name : names) {
    if (name != "all") refuse_unknown(name, claims);
    asked.insert(lowered(name));
  }
  std::string text;
  for (const ClaimRow& claim : claims) {
    if (!asked.contains("all") && !asked.contains(lowered(claim.claim)) &&
        !asked.contains(lowered(id_of(claim.claim)))) {
      continue;
    }
    text += (text.empty() ? "" : "\n") + explained(claim, sentences, columns);
  }
  return text;
}

}  // namespace bellmark::report
