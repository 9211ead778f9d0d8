// The registry: names, keys, globs, aliases, and its errors when it can't serve.
#include "algorithms/contract/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/boost_dijkstra/boost_dijkstra.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/query_parallel.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/test_folder.hpp"
#include "tests/variants/algorithms/matrix.hpp"

namespace bellmark {
namespace {

const Registry& registry() { return Registry::global(); }

std::string one_name(const std::string& pattern) {
  const auto selections = registry().select(pattern);
  EXPECT_EQ(selections.size(), 1u) << pattern;
  return selections.empty() ? "" : selections[0].name();
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string selection_error(const std::string& pattern) {
  return error_of([&] { registry().select(pattern); });
}

const Family& family(const std::string& name) {
  const auto found = std::ranges::find(registry().families(), name, &Family::name);
  EXPECT_NE(found, registry().families().end()) << name;
  return *found;
}

/// The number of dijkstra instances that the library was compiled with: one of the three modes.
std::size_t built_count() { return family("sssp/dijkstra").instances.size(); }

bool built_for_paper() { return built_count() >= dijkstra::built_count(Instances::paper); }

/// Would be a variant, but its extract() may change it.
struct ChangesInExtract {
  using Problem = Sssp;
  static Description describe();
  explicit ChangesInExtract(const Settings&);
  void prepare(const Graph&, RunContext&);
  void run(std::span<const Sssp::Query>, RunContext&);
  void extract(Sssp::Answer&);
};
struct ChangesNothing : ChangesInExtract {
  using ChangesInExtract::ChangesInExtract;
  void extract(Sssp::Answer&) const;
};
static_assert(!Variant<ChangesInExtract> && Variant<ChangesNothing>);

TEST(Registry, KnowsProblemsThatHaveOneQueryByNature) {
  for (const char* problem :
       {"distance-matrix", "set-migration", "set-convenience", "read-bandwidth", "read-graph"}) {
    EXPECT_TRUE(registry().asks_whole_input(problem)) << problem;
  }
  for (const char* problem : {"sssp", "p2p", "bfs", "distributed-bfs", "no-such"}) {
    EXPECT_FALSE(registry().asks_whole_input(problem)) << problem;
  }
}

TEST(Registry, HoldsEveryInstanceThatWasCompiled) {
  EXPECT_NO_THROW(registry().check());
  const std::set<std::size_t> modes = {dijkstra::built_count(Instances::smoke),
                                       dijkstra::built_count(Instances::paper),
                                       dijkstra::built_count(Instances::full)};
  EXPECT_TRUE(modes.contains(built_count())) << built_count();
  EXPECT_EQ(family("p2p/dijkstra").instances.size(), built_count());
  for (const char* name : {"sssp/dijkstra-queries", "p2p/dijkstra-queries"}) {
    EXPECT_EQ(family(name).instances.size(), dijkstra::kBuiltForQueries.size());
  }
  const std::map<std::string, std::size_t> others = {
      {"sssp/boost-dijkstra", 4},      {"p2p/boost-dijkstra", 4},    {"sssp/test-near-far", 1},
      {"sssp/test-batch", 1},          {"row-minimum/test-scan", 1}, {"sssp/lazy-dijkstra", 1},
      {"sssp/test-wrong-too-large", 1}};
  for (const auto& [name, count] : others) EXPECT_EQ(family(name).instances.size(), count) << name;
}

TEST(Registry, KeepsTheNumberOfInstancesSmall) {
  EXPECT_LE(dijkstra::built_count(Instances::smoke), 15u);
  EXPECT_LE(dijkstra::built_count(Instances::paper), 99u);
  std::size_t heap_count = 0;
  dijkstra::for_each_options([&](const dijkstra::Options& options) {
    heap_count += dijkstra::is_heap(options.queue) ? 1 : 0;
  });
  EXPECT_EQ(heap_count, 3u * (31 * 16 + 2)) << "and arity 2 in two other storages of the graph";
  dijkstra::for_each_options([](const dijkstra::Options& options) {
    if (dijkstra::is_built(options, Instances::smoke)) {
      EXPECT_TRUE(dijkstra::is_built(options, Instances::paper));
    }
  });
}

TEST(Registry, FamiliesAreSortedAndAliasesUnique) {
  EXPECT_TRUE(std::ranges::is_sorted(registry().families(), {}, &Family::name));
  std::set<std::pair<std::string, std::string>> aliases;
  for (const Family& one : registry().families()) {
    for (const auto& [alias, settings] : one.description().aliases) {
      EXPECT_TRUE(aliases.emplace(one.problem(), alias).second) << alias;
    }
  }
}

TEST(Registry, NamesAreCanonical) {
  const std::string name =
      "sssp/dijkstra:queue=heap,arity=4,extract=bottom-up,vertices=aos,arcs=aos,width=auto,"
      "distance=auto";
  EXPECT_EQ(one_name("sssp/dijkstra"), name);
  EXPECT_EQ(one_name("sssp/dijkstra:arity=4"), name);
  EXPECT_EQ(one_name("sssp/dijkstra:arcs=aos,extract=bottom-up,arity=4"), name);
  EXPECT_EQ(one_name(name), name);
  EXPECT_EQ(one_name("sssp/dijkstra:distance=64,arity=2,width=32"),
            "sssp/dijkstra:queue=heap,arity=2,extract=bottom-up,vertices=aos,arcs=aos,width=32,"
            "distance=64");
  EXPECT_EQ(one_name("sssp/test-near-far:order=last"),
            "sssp/test-near-far:threshold=100,order=last");
}

TEST(Registry, SelectionsSayWhatTheyLeaveOutsideTheTime) {
  const auto untimed = [](const char* pattern) {
    return Registry::global().select(pattern).front().untimed();
  };
  EXPECT_EQ(untimed("sssp/dijkstra"), "nothing");
  EXPECT_EQ(untimed("bfs/hybrid"), "nothing");
  EXPECT_EQ(untimed("bfs/direction-optimizing:untimed=levels-and-ids"), "levels-and-ids");
  EXPECT_EQ(untimed("hiragushi2013:cpu-only"), "levels") << "as Graph500 has it";
}

TEST(Registry, GlobsTakeWhatWasBuilt) {
  EXPECT_EQ(registry().select("sssp/boost-dijkstra:color-map=*").size(), 2u);
  EXPECT_EQ(registry().select("sssp/boost-dijkstra:*").size(), 4u);
  EXPECT_EQ(registry().select("*/boost-dijkstra").size(), 2u);
  EXPECT_EQ(registry().select("sssp/dijkstra:*").size(), built_count());
  // Families without the key are left out.
  for (const Selection& selection : registry().select("sssp/*:extract=top-down")) {
    EXPECT_EQ(selection.family->name, "sssp/dijkstra");
  }
  if (built_for_paper()) {
    EXPECT_EQ(registry().select("sssp/dijkstra:arity=*").size(), 31u);
    EXPECT_EQ(registry().select("sssp/dijkstra:arity=2,vertices=*,arcs=*").size(), 4u);
  }
}

TEST(Registry, AliasesAreLiteral) {
  const std::string as_paper = ",extract=bottom-up,vertices=aos,arcs=aos,width=32,distance=64";
  EXPECT_EQ(one_name("sssp/yasui2011:2-heap"), "sssp/dijkstra:queue=heap,arity=2" + as_paper);
  EXPECT_EQ(one_name("p2p/yasui2011:2-heap*"),
            "p2p/dijkstra:queue=heap-dynamic,arity=2" + as_paper);
  EXPECT_EQ(one_name("sssp/yasui2011:2-heap,extract=top-down"),
            one_name("sssp/dijkstra:arity=2,extract=top-down,width=32,distance=64"));
  EXPECT_NE(selection_error("sssp/yasui2011:2-heap,aritty=3").find("'arity'"), std::string::npos);
  EXPECT_NE(selection_error("sssp/yasui2011:2-heap,arity").find('='), std::string::npos);
  const auto both = registry().select("yasui2011:2-heap*");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].name(), "p2p/dijkstra:queue=heap-dynamic,arity=2" + as_paper);
  EXPECT_EQ(both[1].name(), "sssp/dijkstra:queue=heap-dynamic,arity=2" + as_paper);
  const std::string program = "vertices=aos,arcs=aos,width=64,distance=64";
  EXPECT_EQ(one_name("sssp/yasui2011:mbp"), "sssp/dijkstra:queue=mbp," + program);
  EXPECT_EQ(one_name("sssp/yasui2011:DIKH"), "sssp/dijkstra:queue=indirect-heap," + program);
  EXPECT_EQ(one_name("p2p/yasui2011:DIKB"), "p2p/dijkstra:queue=dial,records=program," + program);
  const Selection narrow = registry().select("sssp/yasui2011:mbp,width=32")[0];
  EXPECT_EQ(narrow.family->instance(narrow.settings), nullptr) << "64 bits for all";
  EXPECT_EQ(one_name("sssp/test:wide"), "sssp/test-near-far:threshold=1000000,order=first");
  if (built_for_paper()) {
    EXPECT_EQ(registry().select("sssp/yasui2011:k-heap").size(), 31u);
  }
}

TEST(Registry, ErrorsNameTheNearest) {
  EXPECT_NE(selection_error("sssp/dijkstre").find("did you mean 'sssp/dijkstra'"),
            std::string::npos);
  EXPECT_NE(selection_error("yasui2011:3-heap").find("did you mean 'yasui2011:2-heap'"),
            std::string::npos)
      << selection_error("yasui2011:3-heap");
  EXPECT_NE(selection_error("sssp/dijkstra:aritty=2").find("did you mean 'arity'"),
            std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:queue=haep").find("did you mean 'heap'"),
            std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:arity=33").find("2..32"), std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:arity=two").find("2..32"), std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:arity").find("no key=value"), std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:arity=2,arity=3").find("twice"), std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:arity=99*").find("no built variant"), std::string::npos);
  EXPECT_NE(selection_error("sssp/test-near-far:threshold=*").find("takes no glob"),
            std::string::npos);
}

TEST(Registry, SaysWhatWasNotBuilt) {
  if (built_count() == dijkstra::built_count(Instances::full)) GTEST_SKIP() << "all are built";
  const Graph graph = testing::zoo().front().graph;
  detail::WorkloadOf<Sssp> workload(graph, testing::all_sources(graph));
  const auto selections =
      registry().select("sssp/dijkstra:arity=31,queue=heap-dynamic,extract=top-down,arcs=soa");
  ASSERT_EQ(selections.size(), 1u);
  Settings resolved;
  const std::string error = error_of([&] { find_instance(selections[0], workload, resolved); });
  EXPECT_NE(error.find("was not built"), std::string::npos) << error;
  EXPECT_NE(error.find("arity=31"), std::string::npos) << error;
  EXPECT_NE(error.find("BELLMARK_INSTANCES=full"), std::string::npos) << error;
}

TEST(Registry, FaultyInstancesAreReported) {
  Registry faulty;
  Instance instance;
  instance.description.name = "sssp/faulty";
  instance.description.keys = {integer_key("arity", 2, 2, 4, "")};
  faulty.add(instance);  // the key is fixed by no instance
  EXPECT_THROW(faulty.check(), Error);

  Registry twice;
  instance.description.instance = {{"arity", "2"}};
  twice.add(instance);
  EXPECT_NO_THROW(twice.check());
  twice.add(instance);
  EXPECT_THROW(twice.check(), Error);
}

TEST(Registry, AbsentFamiliesAreSelectedButNeverFound) {
  Registry own;
  own.add_absent("sssp/on-gpu", Need::cuda, "this build has no CUDA: a test");
  own.add_absent("sssp/also-on-gpu", Need::cuda, "a test");
  Instance instance;
  instance.description.name = "sssp/here";
  instance.description.keys = {integer_key("arity", 2, 2, 4, "")};
  instance.description.instance = {{"arity", "2"}};
  own.add(instance);
  EXPECT_NO_THROW(own.check());
  ASSERT_EQ(own.families().size(), 1u);
  ASSERT_EQ(own.absent_families().size(), 2u);
  EXPECT_EQ(own.absent_families()[1].absence, "needs cuda: this build has no CUDA: a test");

  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found;
    for (const Selection& selection : own.select(pattern)) found.push_back(selection.name());
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("sssp/on-gpu"), Names{"sssp/on-gpu"});
  EXPECT_EQ(names("sssp/on-gpu:*"), Names{"sssp/on-gpu"});
  EXPECT_EQ(names("sssp/on-gpu:threads=256,flags=global"),
            Names{"sssp/on-gpu:threads=256,flags=global"})
      << "keys pass as written: their values are not known";
  EXPECT_EQ(names("sssp/*"), (Names{"sssp/here:arity=2", "sssp/also-on-gpu", "sssp/on-gpu"}));
  EXPECT_EQ(names("sssp/*:arity=2"), Names{"sssp/here:arity=2"});
  EXPECT_NE(error_of([&] { own.select("sssp/on-gpo"); }).find("did you mean 'sssp/on-gpu'"),
            std::string::npos);

  EXPECT_TRUE(own.select("sssp/on-gpu").front().needs(Need::cuda));
  EXPECT_FALSE(own.select("sssp/here").front().needs(Need::cuda));
  const Graph graph = testing::zoo().front().graph;
  detail::WorkloadOf<Sssp> workload(graph, testing::all_sources(graph));
  Settings resolved;
  try {
    find_instance(own.select("sssp/on-gpu:threads=256").front(), workload, resolved);
    ADD_FAILURE() << "an absent family was found";
  } catch (const UnmetError& error) {
    EXPECT_STREQ(error.what(),
                 "sssp/on-gpu:threads=256: needs cuda: this build has no CUDA: a test");
  }
}

TEST(Registry, FormerNamesStillPickFamiliesAndKeys) {
  Registry own;
  Instance instance;
  instance.description.name = "sssp/rounds";
  instance.description.keys = {
      formerly("form", formerly("shape", word_key("storage", "csr", {"csr", "matrix"}, ""))),
      at_run_time(integer_key("limit", 5, 1, 9, ""))};
  instance.description.aliases = {{"paper:matrix", "storage=matrix"}};
  for (const char* storage : {"csr", "matrix"}) {
    instance.description.instance = {{"storage", storage}};
    own.add(instance);
  }
  EXPECT_TRUE(own.rename("sssp/batch", "sssp/rounds"));
  own.add_absent("sssp/rounds-gpu", Need::cuda, "a test");
  own.rename("sssp/batch-gpu", "sssp/rounds-gpu");

  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found;
    for (const Selection& selection : own.select(pattern)) found.push_back(selection.name());
    return found;
  };
  using Names = std::vector<std::string>;
  const Names csr = {"sssp/rounds:storage=csr,limit=5"};
  const Names matrix = {"sssp/rounds:storage=matrix,limit=5"};
  EXPECT_EQ(names("sssp/batch"), csr);
  for (const char* key : {"storage", "form", "shape"}) {
    const std::string asked = std::string(key) + "=matrix";
    EXPECT_EQ(names("sssp/batch:" + asked), matrix);
    EXPECT_EQ(names("sssp/rounds:" + asked), matrix);
    EXPECT_EQ(names("sssp/*:" + asked), matrix);
    EXPECT_EQ(names(std::string("paper:matrix,") + key + "=csr"), csr);
    EXPECT_EQ(names("sssp/rounds:" + std::string(key) + "=*").size(), 2u);
  }
  EXPECT_EQ(names("sssp/batch:*").size(), 2u);
  EXPECT_EQ(names("sssp/batch-gpu"), Names{"sssp/rounds-gpu"});
  EXPECT_EQ(names("sssp/*").size(), 2u) << "a family is listed once, by its name";

  EXPECT_NE(error_of([&] { own.select("sssp/rounds:form=csr,storage=csr"); }).find("given twice"),
            std::string::npos);
  EXPECT_NE(error_of([&] { own.select("sssp/rounds:form=grid"); }).find("key 'storage'"),
            std::string::npos);
  EXPECT_NE(error_of([&] { own.select("sssp/batch:fork=csr"); }).find("no key 'fork'"),
            std::string::npos);

  EXPECT_EQ(own.first_name(own.select("sssp/rounds:storage=matrix").front()),
            "sssp/batch:shape=matrix,limit=5")
      << "ids of cells are made of it";
  EXPECT_EQ(own.first_name(own.select("sssp/rounds-gpu:loop=host").front()),
            "sssp/batch-gpu:loop=host");
}

TEST(Registry, StoredResultsNameTheirVariantsStill) {
  EXPECT_EQ(one_name("sssp/dijkstra-batch:criterion=in"),
            one_name("sssp/dijkstra-rounds:criterion=in"));
  EXPECT_EQ(registry().select("sssp/dijkstra-batch-gpu").front().family->name,
            "sssp/dijkstra-rounds-gpu");
  EXPECT_EQ(one_name("sssp/dijkstra:queue=heap,arity=2,form=matrix"),
            one_name("sssp/dijkstra:queue=heap,arity=2,storage=matrix"));
  EXPECT_EQ(one_name("distributed-bfs/hybrid:form=pairs"),
            one_name("distributed-bfs/hybrid:partition=pairs"));
}

/// A family of which one instance has an arity and the other levels; both have a width.
Registry with_two_kinds() {
  Registry own;
  Instance instance;
  instance.description.name = "sssp/kinds";
  instance.description.keys = {
      word_key("queue", "heap", {"heap", "buckets", "more-buckets"}, ""),
      integer_key("arity", 2, 2, 9, ""),
      word_key("levels", "auto", {"auto", "1", "2"}, ""),
      implied(word_key("storage", "rows", {"rows", "matrix"}, "")),
      word_key("width", "auto", {"auto", "32"}, ""),
      at_run_time(integer_key("limit", 5, 1, 9, "")),
  };
  for (const char* storage : {"rows", "matrix"}) {
    instance.description.instance = {
        {"queue", "heap"}, {"arity", "2"}, {"storage", storage}, {"width", "32"}};
    own.add(instance);
  }
  for (const char* levels : {"1", "2"}) {
    instance.description.instance = {
        {"queue", "buckets"}, {"levels", levels}, {"storage", "rows"}, {"width", "32"}};
    own.add(instance);
  }
  return own;
}

TEST(Registry, KeysThatDoNotApplyAreAbsent) {
  const Registry own = with_two_kinds();
  EXPECT_NO_THROW(own.check());
  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found;
    for (const Selection& selection : own.select("sssp/kinds:" + pattern)) {
      found.push_back(selection.name().substr(11));
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("queue=heap"), Names{"queue=heap,arity=2,width=auto,limit=5"});
  EXPECT_EQ(names("queue=buckets"), Names{"queue=buckets,levels=auto,width=auto,limit=5"});
  EXPECT_EQ(names("queue=buckets,arity=*,limit=6"),
            (Names{"queue=buckets,levels=auto,width=auto,limit=6"}))
      << "any value, so none is fine too";
  EXPECT_EQ(names("queue=*").size(), 2u);
  EXPECT_EQ(names("queue=*,arity=2"), Names{"queue=heap,arity=2,width=auto,limit=5"});
  EXPECT_EQ(names("*").size(), 4u);
  // An implied default may be written.
  EXPECT_EQ(names("storage=rows"), Names{"queue=heap,arity=2,width=auto,limit=5"});
  EXPECT_EQ(names("storage=matrix"), Names{"queue=heap,arity=2,storage=matrix,width=auto,limit=5"});
  // Another build may have another default.
  EXPECT_EQ(own.name_for_builds(own.select("sssp/kinds:storage=rows").front()),
            "sssp/kinds:queue=heap,arity=2,storage=rows,width=auto,limit=5");
  EXPECT_EQ(own.name_for_builds(own.select("sssp/kinds").front()),
            "sssp/kinds:queue=heap,arity=2,width=auto,limit=5");

  const auto refusal = [&](const std::string& pattern) {
    return error_of([&] { names(pattern); });
  };
  EXPECT_EQ(refusal("queue=buckets,arity=2"),
            "sssp/kinds:queue=buckets,arity=2: key 'arity' does not apply to queue=buckets; leave "
            "it out");
  EXPECT_NE(refusal("levels=2").find("'levels' does not apply to queue=heap"), std::string::npos);

  // Settings that no instance serves keep all their keys, and are not found.
  const Selection unbuilt = own.select("sssp/kinds:queue=more-buckets").front();
  EXPECT_EQ(unbuilt.family->instance(unbuilt.settings), nullptr);
  const Family& kinds = *unbuilt.family;
  EXPECT_EQ(kinds.instance({{"queue", "buckets"}, {"storage", "rows"}, {"width", "32"}}), nullptr)
      << "an instance is found by exactly its keys";
  EXPECT_NE(
      kinds.instance({{"queue", "buckets"}, {"levels", "2"}, {"storage", "rows"}, {"width", "32"}}),
      nullptr);
}

TEST(Registry, DijkstraQueuesHaveTheirOwnKeys) {
  const std::string rest = "vertices=aos,arcs=aos,width=auto,distance=auto";
  EXPECT_EQ(one_name("sssp/dijkstra:queue=dial"), "sssp/dijkstra:queue=dial," + rest);
  EXPECT_EQ(one_name("sssp/dijkstra:queue=hot"), "sssp/dijkstra:queue=hot,levels=auto," + rest);
  EXPECT_EQ(one_name("sssp/dijkstra:queue=multi-level,levels=2"),
            "sssp/dijkstra:queue=multi-level,levels=2,caliber=no," + rest);
  for (const char* key : {"arity=4", "extract=bottom-up", "levels=2", "caliber=no"}) {
    const std::string pattern = "sssp/dijkstra:queue=dial," + std::string(key);
    const std::string name(key, std::string_view(key).find('='));
    EXPECT_EQ(selection_error(pattern),
              pattern + ": key '" + name + "' does not apply to queue=dial; leave it out");
  }
  EXPECT_NE(selection_error("sssp/dijkstra:levels=2").find("does not apply to queue=heap"),
            std::string::npos);
  EXPECT_NE(selection_error("sssp/dijkstra:queue=hot,caliber=no").find("to queue=hot"),
            std::string::npos);
  EXPECT_EQ(registry().select("p2p/dijkstra:queue=dial,arity=*").size(), 1u);
  if (built_for_paper()) {
    EXPECT_EQ(registry().select("p2p/dijkstra:queue=multi-level,levels=*,caliber=*").size(), 6u);
    EXPECT_EQ(
        one_name("sssp/dijkstra:queue=heap,arity=2,storage=matrix"),
        "sssp/dijkstra:queue=heap,arity=2,extract=bottom-up,vertices=aos,arcs=aos,storage=matrix,"
        "width=auto,distance=auto");
  }
}

/// Every system of the paper's tables has an alias, and a type that was built.
TEST(Registry, PapersSystemsAreAllThere) {
  if (!built_for_paper()) GTEST_SKIP() << "not all are built";
  for (const char* problem : {"sssp", "p2p"}) {
    for (const char* system : {"2-heap", "2-heap*", "buckets", "DIKQ", "DIKH", "DIKR", "DIKF",
                               "DIKB", "DIKBD", "b1", "b2", "b3", "h1", "h2", "h3", "mbp"}) {
      const std::string alias = std::string(problem) + "/yasui2011:" + system;
      const auto selections = registry().select(alias);
      ASSERT_EQ(selections.size(), 1u) << alias;
      const std::string_view word = system;
      const bool own = word.starts_with("2-heap") || word == "buckets";
      EXPECT_EQ(selections[0].settings.get("width"), own ? "32" : "64") << alias;
      EXPECT_EQ(selections[0].settings.get("distance"), "64") << alias;
      EXPECT_TRUE(std::ranges::any_of(selections[0].family->instances, [&](const Instance& one) {
        return one.may_serve(selections[0].settings);
      })) << alias;
    }
  }
  // Table 17 compares these in both widths.
  for (const char* keys : {"queue=heap,arity=2", "queue=heap-dynamic,arity=2", "queue=dial",
                           "queue=multi-level,levels=2,caliber=no"}) {
    for (const char* width : {"32", "64"}) {
      const Selection one = registry().select("p2p/dijkstra:" + std::string(keys) +
                                              ",width=" + width + ",distance=64")[0];
      EXPECT_NE(one.family->instance(one.settings), nullptr) << one.name();
    }
  }
}

TEST(Registry, NeedsAreThoseOfInstancesThatASelectionMayBecome) {
  Registry own;
  Instance instance;
  instance.description.name = "sssp/both";
  instance.description.keys = {word_key("device", "cpu", {"auto", "cpu", "gpu"}, "")};
  instance.description.instance = {{"device", "cpu"}};
  own.add(instance);
  instance.description.instance = {{"device", "gpu"}};
  instance.description.needs = {Need::cuda};
  own.add(instance);
  EXPECT_FALSE(own.select("sssp/both").front().needs(Need::cuda));
  EXPECT_TRUE(own.select("sssp/both:device=gpu").front().needs(Need::cuda));
  EXPECT_TRUE(own.select("sssp/both:device=auto").front().needs(Need::cuda));
  EXPECT_FALSE(own.select("sssp/both:device=gpu").front().needs(Need::mpi));
}

TEST(Registry, OpensWorkloads) {
  const TestFolder folder;
  const auto path = folder.write("small.gr", "p sp 3 2\na 1 2 5\na 2 3 6\n");
  QueryRule rule{.kind = "list", .list = {1, 3}};
  const auto workload = registry().open_workload("sssp", path, rule);
  EXPECT_EQ(workload->query_count(), 2u);
  EXPECT_EQ(workload->query_text(1), "source 3");
  EXPECT_EQ(registry()
                .open_workload("sssp", path, {.kind = "list", .count = 1, .list = {1, 3}})
                ->query_count(),
            1u)
      << "the first of the list";
  EXPECT_EQ(workload->query_digest().size(), 32u);
  EXPECT_NO_THROW(workload->verify());
  EXPECT_NE(workload->unmet(Need::symmetric), "");
  EXPECT_EQ(workload->unmet(Need::non_negative), "");

  rule.list = {1};
  EXPECT_NE(registry().open_workload("sssp", path, rule)->query_digest(), workload->query_digest());
  const QueryRule by_default{.kind = "default", .count = 3};
  EXPECT_EQ(registry().open_workload("p2p", path, by_default)->query_count(), 3u);

  EXPECT_NE(error_of([&] { registry().open_workload("ssp", path, rule); }).find("did you mean"),
            std::string::npos);
  const auto empty = folder.write("empty.gr", "p sp 0 0\n");
  EXPECT_NE(
      error_of([&] { registry().open_workload("sssp", empty, by_default); }).find("no queries"),
      std::string::npos);
}

TEST(Registry, TakesInputsThatAreNoGraphs) {
  const TestFolder folder;
  const auto path = folder.write("m.matrix", "matrix 2 3\n4 1 9\n7 7 -2\n");
  const auto workload =
      registry().open_workload("row-minimum", path, {.kind = "list", .list = {2, 1}});
  const auto selections = registry().select("row-minimum/*");
  ASSERT_EQ(selections.size(), 1u);
  Settings resolved;
  const Instance& instance = find_instance(selections[0], *workload, resolved);
  const auto variant = instance.bind(*workload, resolved);
  RunContext context;
  variant->prepare(context);
  variant->run(0, 1, context);
  EXPECT_EQ(variant->digest(0), 2u);
  EXPECT_EQ(variant->certify(0), std::nullopt);
  EXPECT_NE(variant->certify(1), std::nullopt) << "the answer to another row";
  variant->run(1, 1, context);
  EXPECT_EQ(variant->digest(1), 1u);
  EXPECT_THROW(registry().open_workload("row-minimum", folder.write("bad", "matrix 2 2\n1"), {}),
               InputError);
}

}  // namespace
}  // namespace bellmark
