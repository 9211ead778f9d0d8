// Metrics by name: known names, and the report of a misspelt one.
#include "harness/plan/metric.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark::plan {
namespace {

std::string metric_fault(const std::string& name) {
  try {
    parse_metric(name, "e.toml:3");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Metrics, OfTheReferenceAreUnderstood) {
  EXPECT_GE(metric_meanings().size(), 20U);
  for (const MetricMeaning& metric : metric_meanings()) {
    std::string name = metric.name;
    const bool is_degree = name.find("degrees_above") != std::string::npos;
    const std::pair<std::string, std::string> words[] = {{"<part>", "arcs"},
                                                         {"<fact>", "vertex_count"},
                                                         {"<count>", "round_count"},
                                                         {"<column>", "host"},
                                                         {"<bound>", is_degree ? "32" : "1000"}};
    for (const auto& [word, value] : words) {
      const std::size_t at = name.find(word);
      if (at != std::string::npos) name.replace(at, word.size(), value);
    }
    EXPECT_EQ(parse_metric(name).name, name);
    EXPECT_FALSE(metric.meaning.empty()) << name;
  }
}

TEST(Metrics, TakenApart) {
  using Source = Metric::Source;
  EXPECT_EQ(parse_metric("wall_ns").source, Source::wall);
  EXPECT_EQ(parse_metric("wall_ns.p99").source, Source::wall);
  EXPECT_EQ(parse_metric("wall_ns.p99").aggregate, "p99");
  EXPECT_EQ(parse_metric("wall_ns.p99").unit(), "ns");
  EXPECT_FALSE(is_drawable(parse_metric("wall_ns.p99")));
  EXPECT_TRUE(is_drawable(parse_metric("wall_ns")));
  EXPECT_EQ(parse_metric("teps.harmonic_mean").source, Source::teps);
  EXPECT_EQ(parse_metric("teps.median").subject, "median");
  EXPECT_EQ(parse_metric("rates.items_per_second").source, Source::rates);
  EXPECT_EQ(parse_metric("rates.items_per_second").subject, "items_per_second");
  EXPECT_TRUE(is_drawable(parse_metric("rates.bytes_per_second")));
  EXPECT_EQ(parse_metric("memory.resident_bytes").subject, "resident_bytes");
  EXPECT_EQ(parse_metric("graph.mean_degree").subject, "mean_degree");
  EXPECT_EQ(parse_metric("graph.lengths_at_most_1000_ratio").source, Source::graph);
  EXPECT_EQ(parse_metric("graph.degrees_above_512_ratio").source, Source::graph);
  EXPECT_EQ(parse_metric("answer.objective").source, Source::answer);
  EXPECT_EQ(parse_metric("counted.looked_at_arc_count").source, Source::counted);
  EXPECT_EQ(parse_metric("counted.looked_at_arc_count").title(), "looked at arc count");
  EXPECT_THROW(parse_metric("counted.looked_at"), InputError);
  EXPECT_EQ(parse_metric("phase_log.phase_count").subject, "");
  const Metric share = parse_metric("phase_log.updated_count.share_at_most_10000");
  EXPECT_EQ(share.source, Source::phase_log);
  EXPECT_EQ(share.subject, "updated_count");
  EXPECT_EQ(share.aggregate, "share_at_most");
  EXPECT_EQ(share.bound, 10'000U);
  EXPECT_EQ(parse_metric("phase_log.host_ns.sum_above_1").bound, 1U);
  EXPECT_EQ(parse_metric("phase_log.all_vertices.sum").aggregate, "sum");
}

TEST(Metrics, Units) {
  EXPECT_EQ(parse_metric("wall_ns").unit(), "ns");
  EXPECT_EQ(parse_metric("teps.median").unit(), "TEPS");
  EXPECT_EQ(parse_metric("rates.bytes_per_second").unit(), "bytes/s");
  EXPECT_EQ(parse_metric("rates.operations_per_second").unit(), "operations/s");
  EXPECT_EQ(parse_metric("rates.items_per_second").unit(), "items/s");
  EXPECT_EQ(parse_metric("memory.accounted_bytes").unit(), "bytes");
  EXPECT_EQ(parse_metric("phase_log.host_ns.sum_above_100000").unit(), "ns");
  EXPECT_EQ(parse_metric("memory.accounted_bytes.arcs").unit(), "bytes");
  EXPECT_EQ(parse_metric("phase_log.host_ns.mean").unit(), "ns");
  EXPECT_EQ(parse_metric("phase_log.host_ns.late_over_largest").unit(), "");
  EXPECT_EQ(parse_metric("phase_log.updated_count.largest").unit(), "");
  EXPECT_EQ(parse_metric("phase_log.sent_bytes.sum").unit(), "bytes");
  EXPECT_EQ(parse_metric("graph.mean_length").unit(), "");
}

TEST(Metrics, Titles) {
  EXPECT_EQ(parse_metric("wall_ns").title(), "time");
  EXPECT_EQ(parse_metric("teps.harmonic_mean").title(), "harmonic mean over queries");
  EXPECT_EQ(parse_metric("rates.bytes_per_second").title(), "bytes per second");
  EXPECT_EQ(parse_metric("memory.resident_bytes").title(), "resident memory");
  EXPECT_EQ(parse_metric("memory.accounted_bytes.arcs").title(), "accounted memory of arcs");
  EXPECT_EQ(parse_metric("phase_log.phase_count").title(), "phase count");
  EXPECT_EQ(parse_metric("phase_log.closed_count.mean").title(), "closed count, mean over phases");
  EXPECT_EQ(parse_metric("phase_log.sent_bytes.sum").title(), "sent, sum over phases");
  EXPECT_EQ(parse_metric("phase_log.fold_median_ns.sum").title(),
            "fold time, median rank, sum over phases");
  EXPECT_EQ(parse_metric("phase_log.fold_least_ns.largest").title(),
            "fold time, fastest rank, largest over phases");
  EXPECT_EQ(parse_metric("phase_log.fold_largest_ns.sum").title(),
            "fold time, slowest rank, sum over phases");
  EXPECT_EQ(parse_metric("phase_log.host_ns.sum").title(), "host time, sum over phases");
}

TEST(Metrics, UnknownOnesSuggestTheNearest) {
  const auto says = [](const std::string& name, const std::string& wanted) {
    const std::string message = metric_fault(name);
    EXPECT_TRUE(message.starts_with("e.toml:3: '" + name + "' is no metric; ")) << message;
    EXPECT_NE(message.find("did you mean '" + wanted + "'?"), std::string::npos) << message;
  };
  says("wall_s", "wall_ns");
  says("memory.resident_byte", "memory.resident_bytes");
  says("graph.mean_lenght", "graph.mean_length");
  says("graph.lengths_at_most_5000_ratio", "graph.lengths_at_most_10000_ratio");
  says("graph.degrees_above_33_ratio", "graph.degrees_above_32_ratio");
  says("teps.mean", "teps.median");
  says("rates.byte_per_second", "rates.bytes_per_second");
  says("phase_log.phase_cuont", "phase_log.phase_count");
  says("phase_log.host_ns.summ", "phase_log.host_ns.sum");
  says("phase_log.updated_count.share_at_most_9999", "phase_log.updated_count.share_at_most_10000");
  // Shares are of counts, split sums of times.
  says("phase_log.host_ns.share_above_10000", "phase_log.host_ns.sum_above_10000");
}

TEST(Metrics, Nonsense) {
  for (const char* name :
       {"", ".", "graph", "graph.", "phase_log", "phase_log.", "phase_log..sum", "phase_log.a.b.c",
        "phase_log.updated_count.share_at_most_", "phase_log.updated_count._10",
        "phase_log.UPDATED.sum", "graph.lengths_at_most_ratio", "graph.degrees_above_ratio", "teps",
        "rates", "rates.", "memory.accounted_bytes.", "memory.resident_bytes.arcs",
        "phase_log.host_ns.sum_above_100000000000000000000"}) {
    EXPECT_NE(metric_fault(name), "no error") << name;
  }
}

}  // namespace
}  // namespace bellmark::plan
