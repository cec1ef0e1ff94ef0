/* Fuzz target: the reader of harness files, as `--harness FILE` uses it.
 *
 * The input is the text of a harness file. What must hold: no crash; a refused text gives one
 * error with its place inside the text; an accepted one has callers, calls that they own, and
 * objects for all names that calls use. For a program without functions it is refused at a place,
 * too. */
#include "harness/harness.h"
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
  if (!condition) abort();
}

static void check_error(Err *err, size_t size) {
  check(err->kind == ERR_INPUT && err->file && err->line > 0 && err->column > 0 &&
        err->remedy);
  check((size_t)err->line <= size + 1 && (size_t)err->column <= size + 1);
  Str line = {0};
  err_format(err, &line);
  check(!memchr(line.data, '\n', line.len));
  str_free(&line);
  err_free(err);
}

static bool has_object(const Harness *h, const char *name) {
  for (uint32_t i = 0; i < h->objects.len; i++)
    if (strcmp(h->objects.data[i].name, name) == 0) return true;
  return false;
}

static void check_harness(const Harness *h) {
  check(h->callers.len > 0 && h->calls.len > 0 && h->calls.len <= HARNESS_CALLS_MAX);
  for (uint32_t i = 0; i < h->callers.len; i++) {
    const HarnessCallers *c = &h->callers.data[i];
    check(c->number <= HARNESS_CALLERS_MAX && c->call_count > 0);
    check(c->first_call + c->call_count <= h->calls.len);
    check(c->event <= h->events.len && (!c->event || (c->repeat && !c->number)));
  }
  for (uint32_t i = 0; i < h->events.len; i++) {
    const HarnessEvent *e = &h->events.data[i];
    check(e->call < h->calls.len && !(e->task && e->atomic));
    check(!e->queued || e->post.len);
  }
  for (uint32_t i = 0; i < h->first.len; i++) check(h->first.data[i] < h->calls.len);
  for (uint32_t i = 0; i < h->last.len; i++) check(h->last.data[i] < h->calls.len);
  for (uint32_t i = 0; i < h->calls.len; i++)
    for (uint32_t k = 0; k < h->calls.data[i].arg_count; k++) {
      const HarnessValue *v = &h->calls.data[i].args[k];
      check(v->kind != VALUE_OBJECT || has_object(h, v->object));
      check(v->kind != VALUE_RANGE || v->low <= v->high);
      check(v->kind != VALUE_CHOICE || v->choice_count > 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Program empty;
  if (!empty.types.len) {
    Builder *b = builder_new();
    builder_finish(b, &empty);
    builder_free(b);
  }
  Err err = {0};
  Harness harness;
  if (!harness_read("fuzz.harness", (const char *)data, size, &harness, &err)) {
    check_error(&err, size);
    return 0;
  }
  check(err.kind == ERR_NONE);
  check_harness(&harness);
  HarnessText text;
  check(!harness_write(&harness, &empty, true, &text, &err));
  check_error(&err, size);
  harness_text_free(&text);
  harness_free(&harness);
  return 0;
}
