// The file of tunings: what is written is read again, and a file that is not sound is named.
#include "harness/machine/tunings.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark::machine {
namespace {

Tuning tuning_of(const std::string& machine, const std::string& graph_digest) {
  return {machine, "sssp/a:k=1", "sssp/a:k=2", "my.gr",      graph_digest, "core:0",
          0.5,     0.4,          0.6,          "2026-01-01", "1, git 0"};
}

std::string fault_of(const std::filesystem::path& file) {
  try {
    read_tunings(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Tunings, AreReadAsTheyWereWritten) {
  const TestFolder folder;
  const auto file = folder / "deep/tunings.json";
  EXPECT_TRUE(read_tunings(file).empty());
  const Tuning first = tuning_of("one", "d1");
  const Tuning second = tuning_of("two", "d1");
  add_tuning(file, first);
  add_tuning(file, second);
  EXPECT_EQ(read_tunings(file), (std::vector{first, second}));
  Tuning again = first;
  again.better = "sssp/a:k=3";
  add_tuning(file, again);
  EXPECT_EQ(read_tunings(file), (std::vector{second, again}));
}

TEST(Tunings, AFileThatIsNotSoundIsNamed) {
  const TestFolder folder;
  const auto fault = [&](const std::string& text) {
    return fault_of(folder.write("tunings.json", text));
  };
  EXPECT_NE(fault("{").find("is no JSON"), std::string::npos);
  EXPECT_NE(fault("[]").find("is no file of tunings"), std::string::npos);
  const std::string head = R"({"schema": "bellmark-tunings/1", "tunings": [)";
  EXPECT_NE(fault(head + "7]}").find("/tunings/0: is no object"), std::string::npos);
  EXPECT_NE(fault(head + R"({"machine": 7}]})").find("/tunings/0/machine: is no text"),
            std::string::npos);
  add_tuning(folder / "sound.json", tuning_of("one", "d"));
  std::string text = TestFolder::read(folder / "sound.json");
  text.replace(text.find("0.5"), 3, "-1");
  EXPECT_NE(fault(text).find("/tunings/0/ratio: is no number above 0"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::machine
