#include "harness/external/family.hpp"

#include <memory>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "harness/external/answer_file.hpp"
#include "harness/external/runner.hpp"
#include "harness/external/wire_runner.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

template <Problem P>
std::optional<std::uint64_t> target_of(const typename P::Query& query) {
  if constexpr (requires { query.target; }) {
    return query.target;
  } else {
    return std::nullopt;
  }
}

/// Its answers go through the problem's certificate. `Asked` asks the program: Runner starts a
/// process for each query, WireRunner one for each cell.
template <Problem P, class Asked>
class CertifiedProgram final : public detail::BoundProblem<P> {
 public:
  using Read = typename P::Answer (*)(const Program&, const Graph&, const typename P::Query&,
                                      const fs::path&);

  CertifiedProgram(detail::WorkloadOf<P>& workload, const Program& program,
                   const Settings& settings, Read read)
      : detail::BoundProblem<P>(workload), runner_(program, settings), read_(read) {}

  void prepare(RunContext& /*context*/) override { runner_.prepare(this->workload_.input); }

  void run(std::size_t first, std::size_t /*count*/, RunContext& context) override {
    this->forget_answer();
    const typename P::Query& query = this->workload_.queries[first];
    runner_.run(query.source, target_of<P>(query), context);
  }

  PhaseLog phase_log() const override { return {}; }

 protected:
  void take(std::size_t query, typename P::Answer& answer) const override {
    answer = read_(runner_.program(), this->workload_.input, this->workload_.queries[query],
                   runner_.answer());
  }

 private:
  Asked runner_;
  Read read_;
};

/// Only its exit code, or a check of its own, judges its answers.
template <Problem P>
class UncheckedProgram final : public BoundVariant {
 public:
  UncheckedProgram(detail::WorkloadOf<P>& workload, const Program& program,
                   const Settings& settings)
      : workload_(workload), runner_(program, settings) {}

  void prepare(RunContext& /*context*/) override { runner_.prepare(workload_.input); }
  void run(std::size_t first, std::size_t /*count*/, RunContext& context) override {
    const typename P::Query& query = workload_.queries[first];
    runner_.run(query.source, target_of<P>(query), context);
  }
  std::optional<std::string> certify(std::size_t /*query*/) override { return runner_.refuse(); }
  void write_answer(std::size_t /*query*/, const TextSink& /*out*/) override {
    throw InputError(runner_.program().name, "its answer is not read, and so has no text",
                     "say how it writes its answer: check = \"distances\"");
  }
  void poison() override {}
  void extract(std::size_t /*query*/) override {}
  std::uint64_t answer_bytes() override { return 0; }
  std::uint64_t digest(std::size_t /*query*/) override { return 0; }
  bool certified_on_gpu() const override { return false; }
  Facts answer_facts(std::size_t /*query*/) override { return {}; }
  PhaseLog phase_log() const override { return {}; }

 private:
  detail::WorkloadOf<P>& workload_;
  Runner runner_;
};

template <Problem P>
std::unique_ptr<BoundVariant> bind(const Program& program, Workload& workload,
                                   const Settings& settings,
                                   typename CertifiedProgram<P, Runner>::Read read) {
  auto& of_problem = dynamic_cast<detail::WorkloadOf<P>&>(workload);
  if (speaks_wire(program)) {
    return std::make_unique<CertifiedProgram<P, WireRunner>>(of_problem, program, settings, read);
  }
  if (is_certified(program)) {
    return std::make_unique<CertifiedProgram<P, Runner>>(of_problem, program, settings, read);
  }
  return std::make_unique<UncheckedProgram<P>>(of_problem, program, settings);
}

std::unique_ptr<BoundVariant> bind_any(const Program& program, Workload& workload,
                                       const Settings& settings) {
  if (program.problem == Bfs::kName) return bind<Bfs>(program, workload, settings, read_bfs);
  if (program.problem == P2p::kName) return bind<P2p>(program, workload, settings, read_p2p);
  return bind<Sssp>(program, workload, settings, read_sssp);
}

Instance instance_of(const Program& program) {
  Instance instance;
  Description& description = instance.description;
  description.name = family_name(program);
  description.summary = "Another program: " + command_text(program);
  description.source = program.origin.empty() ? "the command line" : program.origin;
  if (!program.version.empty()) description.source += ", version " + program.version;
  description.keys = program.settings;
  description.needs = program.needs;
  description.program = command_text(program);
  // On the wire each answer may have a time, or none.
  description.times_itself = program.reported.has_value() || speaks_wire(program);
  description.unchecked = check_text(program);
  instance.bind = [program](Workload& workload, const Settings& settings) {
    return bind_any(program, workload, settings);
  };
  instance.resolve = [](const Settings& settings, const Workload&) { return settings; };
  return instance;
}

}  // namespace

void define(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    Family family{family_name(program), {instance_of(program)}, absence_of(program)};
    Registry::global().define(std::move(family));
  }
}

}  // namespace bellmark::external
