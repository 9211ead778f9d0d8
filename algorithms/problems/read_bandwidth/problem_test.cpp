#include "algorithms/problems/read_bandwidth/problem.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

double sum_of(const ReadBandwidth::Input& input) {
  double sum = 0;
  for (const double value : input.region.values()) sum += value;
  return sum;
}

TEST(ReadBandwidth, EverySizeIsSummedAndCertified) {
  for (const char* bytes : {"64", "128", "192", "4096", "65600"}) {
    const auto workload = Registry::global().open_workload(
        "read-bandwidth", std::string("region:bytes=") + bytes, {.kind = "default", .count = 2});
    EXPECT_EQ(workload->query_count(), 2U);
    const Selection selection = Registry::global().select("read-bandwidth/sum").front();
    Settings resolved;
    const auto variant = find_instance(selection, *workload, resolved).bind(*workload, resolved);
    RunContext context;
    variant->prepare(context);
    variant->run(1, 1, context);
    EXPECT_EQ(variant->certify(1), std::nullopt) << bytes;
  }
}

TEST(ReadBandwidth, CertificateRefusesOtherSums) {
  const ReadBandwidth::Input input = ReadBandwidth::open("region:bytes=192");
  const double once = sum_of(input);
  EXPECT_EQ(once, 3 * 28);
  const ReadBandwidth::Certificate certificate(input);
  EXPECT_EQ(certificate.check({5}, {5 * once}), std::nullopt);
  EXPECT_NE(certificate.check({5}, {4 * once}), std::nullopt);
  EXPECT_NE(certificate.check({1}, {0}), std::nullopt);
}

/// The inode behind this process's mapping of a region, 0 when there is none.
unsigned long mapped_inode() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("bellmark-region") == std::string::npos) continue;
    std::istringstream words(line);
    std::string skipped;
    unsigned long inode = 0;
    words >> skipped >> skipped >> skipped >> skipped >> inode;
    return inode;
  }
  return 0;
}

TEST(ReadBandwidth, ProcessesOfOneStarterReadTheSameMemory) {
  int found[2];
  int hold[2];
  ASSERT_EQ(pipe(found), 0);
  ASSERT_EQ(pipe(hold), 0);
  for (int i = 0; i < 2; ++i) {
    if (fork() != 0) continue;
    close(hold[1]);
    int code = 1;
    {
      const ReadBandwidth::Input input = ReadBandwidth::open("region:bytes=8192");
      const unsigned long inode = mapped_inode();
      char byte;
      // Keeps its mapping until the parent has heard of both.
      if (write(found[1], &inode, sizeof inode) == sizeof inode && read(hold[0], &byte, 1) == 0) {
        code = sum_of(input) == 128 * 28 ? 0 : 1;
      }
    }
    _exit(code);
  }
  unsigned long inodes[2] = {};
  for (unsigned long& inode : inodes) {
    ASSERT_EQ(read(found[0], &inode, sizeof inode), static_cast<ssize_t>(sizeof inode));
  }
  EXPECT_NE(inodes[0], 0U);
  EXPECT_EQ(inodes[0], inodes[1]);
  close(hold[1]);
  for (int i = 0; i < 2; ++i) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(ReadBandwidth, RefusesWhatIsNoRegion) {
  for (const char* reference :
       {"", "region", "region:bytes=", "region:bytes=0", "region:bytes=100", "region:bytes=-64",
        "region:bytes=99999999999999999999", "region:bytes=2147483648", "dimacs:USA-road-d.NY"}) {
    EXPECT_THROW(ReadBandwidth::open(reference), InputError) << reference;
  }
}

}  // namespace
}  // namespace bellmark
