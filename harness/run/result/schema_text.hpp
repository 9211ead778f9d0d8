// The text of harness/schema/result.schema.json, which the build embeds.
#pragma once

namespace bellmark::run {

extern const char* const kResultSchema;

}  // namespace bellmark::run
