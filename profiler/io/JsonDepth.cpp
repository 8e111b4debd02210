//===- JsonDepth.cpp ------------------------------------------------------===//

#include "profiler/io/JsonDepth.h"

namespace warpwise::io {

bool isNestedDeeperThan(std::string_view Json, size_t Most) {
  size_t Level = 0;
  bool InString = false;
  for (size_t I = 0; I < Json.size(); ++I) {
    const char C = Json[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else
        InString = C != '"';
      continue;
    }
    InString = C == '"';
    if ((C == '[' || C == '{') && ++Level > Most)
      return true;
    if ((C == ']' || C == '}') && Level > 0)
      --Level;
  }
  return false;
}

} // namespace warpwise::io
