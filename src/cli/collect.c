/* See collect.h. */
#include "cli/collect.h"

#include "base/map.h"
#include "report/read.h"
#include "verdict/key.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".json";

char *collect_name(const char *folder, const char *program, Err *err) {
  const char *slash = strrchr(program, '/');
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    err_input(err, folder, "check the folder", "%s", strerror(errno));
    return NULL;
  }
  for (unsigned i = 0;; i++) {
    char *name = str_printf("%s/%s.%d.%u%s", folder, slash ? slash + 1 : program,
                            (int)getpid(), i, ending);
    if (access(name, F_OK) != 0) return name;
    mem_free(name);
  }
}

/* ---- reading ---------------------------------------------------------------------- */

static int is_result(const struct dirent *e) {
  size_t length = strlen(e->d_name), tail = sizeof ending - 1;
  return e->d_name[0] != '.' && length > tail &&
         str_eq(e->d_name + length - tail, ending);
}

/* A finding of the whole, and who shows it. */
typedef struct {
  VEC(const char *) tests;
} Shown;

typedef struct {
  Collection *ret;
  StrMap seen; /* key → index + 1 */
  VEC(Shown) shown;
} Merge;

static bool is_better(const Finding *a, const Finding *b) {
  if (a->verdict != b->verdict) return a->verdict == VERDICT_UNSAFE;
  return a->evidence > b->evidence;
}

static void merge_finding(Merge *m, const Finding *f, const char *test) {
  Str key = {0};
  finding_add_key(f, true, &key);
  uint64_t *at = strmap_at(&m->seen, str_text(&key), key.len);
  str_free(&key);
  if (!*at) {
    vec_push(&m->ret->result.findings, *f);
    vec_push(&m->shown, (Shown){0});
    *at = m->shown.len;
  }
  Finding *known = &m->ret->result.findings.data[*at - 1];
  Shown *shown = &m->shown.data[*at - 1];
  if (is_better(f, known)) *known = *f;
  for (uint32_t i = 0; i < shown->tests.len; i++)
    if (str_eq(shown->tests.data[i], test)) return;
  vec_push(&shown->tests, test);
}

static bool merge_file(Merge *m, const char *path, Err *err) {
  CheckResult part;
  ReadOrigin origin;
  Collection *c = m->ret;
  bool ok = report_read(path, &part, &origin, err);
  vec_push(&c->parts, part);
  if (!ok) return false;
  c->runs++;
  if (origin.ended)
    vec_push(&c->failed, arena_printf(part.arena, "%s: %s", origin.inputs, origin.ended));
  for (int p = 0; p < PROPERTY_COUNT; p++) c->result.asked[p] |= part.asked[p];
  for (uint32_t i = 0; i < part.findings.len; i++)
    merge_finding(m, &part.findings.data[i], origin.inputs);
  return true;
}

/* Now that all are known: the tests of each, and an id for each. */
static void name_shown(Merge *m) {
  Arena *arena = m->ret->result.arena;
  uint32_t numbers[PROPERTY_COUNT] = {0};
  for (uint32_t i = 0; i < m->shown.len; i++) {
    Finding *f = &m->ret->result.findings.data[i];
    RecordedFinding *r = arena_dup(arena, f->recorded, sizeof *r);
    r->tests = arena_dup(arena, m->shown.data[i].tests.data,
                         m->shown.data[i].tests.len * sizeof *r->tests);
    r->test_count = m->shown.data[i].tests.len;
    f->recorded = r;
    f->id = arena_printf(arena, "%c%u", property_table[f->property].letter,
                         ++numbers[f->property]);
    vec_free(&m->shown.data[i].tests);
  }
}

bool collection_read(const char *folder, Collection *ret, Err *err) {
  *ret = (Collection){0};
  result_init(&ret->result, NULL);
  struct dirent **names = NULL;
  int count = scandir(folder, &names, is_result, alphasort);
  if (count < 0)
    return err_input(err, folder, "name the folder of `heddle run --collect`", "%s",
                     strerror(errno));
  Merge m = {.ret = ret};
  bool ok = count > 0 || err_input(err, folder, "fill it with `heddle run --collect`",
                                   "there is no result in the folder");
  for (int i = 0; i < count; i++) {
    char *path = str_printf("%s/%s", folder, names[i]->d_name);
    ok = ok && merge_file(&m, path, err);
    mem_free(path);
    free(names[i]);
  }
  free(names);
  name_shown(&m);
  strmap_free(&m.seen);
  vec_free(&m.shown);
  return ok;
}

void collection_free(Collection *c) {
  result_free(&c->result);
  for (uint32_t i = 0; i < c->parts.len; i++) result_free(&c->parts.data[i]);
  vec_free(&c->parts);
  vec_free(&c->failed);
}
