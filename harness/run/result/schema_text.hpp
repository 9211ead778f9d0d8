// The text of harness/schema/result.schema.json, which the build puts in.
#pragma once

namespace bellmark::run {

extern const char* const kResultSchema;

}  // namespace bellmark::run
