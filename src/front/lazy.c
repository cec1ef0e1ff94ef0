/* Stands in for front/llvm in the tool: each function loads the real one and goes on
 * there. LLVM takes 25 ms to load, more than most commands need for all that they do, so
 * it is in a part of its own. All of these run in child processes, and so does the
 * loading: the tool itself never has LLVM in its memory. */
#include "base/part.h"
#include "front/llvm/translate.h"
#include "front/llvm/twin.h"
#include "front/llvm/weave.h"

#define PART "libheddle-llvm.so"

bool translate_bitcode(const TranslateRequest *request, Program *ret_program, Err *err) {
  typeof(translate_bitcode) *real =
      (typeof(real))part_function(PART, "translate_bitcode", err);
  return real && real(request, ret_program, err);
}

bool weave_bitcode(const char *name, const void *bytes, size_t size, const Events *events,
                   int fd, Str *warnings, Err *err) {
  typeof(weave_bitcode) *real = (typeof(real))part_function(PART, "weave_bitcode", err);
  return real && real(name, bytes, size, events, fd, warnings, err);
}

bool twin_bitcode(const char *name, const void *bytes, size_t size, int fd, Err *err) {
  typeof(twin_bitcode) *real = (typeof(real))part_function(PART, "twin_bitcode", err);
  return real && real(name, bytes, size, fd, err);
}
