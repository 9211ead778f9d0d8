// Files that can't be read, and pipes.
#include "base/input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& path) {
  try {
    read_whole(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Input, WhatIsNoFileIsRefusedWithItsReason) {
  const TestFolder folder;
  const fs::path none = folder / "none";
  EXPECT_EQ(refusal(none), none.string() + ": no such file; check the path");
  EXPECT_EQ(refusal(folder / ""), (folder / "").string() + ": is a folder; name a file in it");
  const fs::path circle = folder / "circle";
  fs::create_symlink(circle, circle);
  EXPECT_EQ(refusal(circle),
            circle.string() + ": its links lead round in a circle; let them end at a file");
  EXPECT_NE(refusal(folder / std::string(300, 'n')).find("is longer than a file's name can be"),
            std::string::npos);
}

TEST(Input, APipeThatNobodyWritesIntoIsRefused) {
  const TestFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal(pipe).find("nothing was written into it"), std::string::npos);
  std::jthread writer([&] { std::ofstream(pipe) << "text"; });
  EXPECT_EQ(read_whole(pipe), "text");
}

}  // namespace
}  // namespace bellmark
