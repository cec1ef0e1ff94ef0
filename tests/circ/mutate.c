/* Changes certificates of contexts in one place at a time, and looks whether the checker notices.
 *
 *   circ_mutate [-n COUNT] [-s SEED] [-v] [-f] [-t NAME] EVIDENCE PROGRAM.c
 *
 * EVIDENCE was written by heddle check --evidence for PROGRAM.c. Each certificate must be accepted as it
 * is. A changed one must not be, unless the change is one that leaves a valid proof: see is_harmless.
 * -t: EVIDENCE is about a twin of PROGRAM.c, where NAME does race: that it does not must not be accepted,
 * even if the certificate is made out to this program. -f: bytes are changed at random instead: nothing may crash. The last line has counts. */
#include "analysis/sharing.h"
#include "analysis/touch.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "front/load.h"
#include "proof/context.h"
#include "possible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *at;
  uint32_t length;
} Line;

typedef struct {
  VEC(Line) lines;
  VEC(uint32_t) chosen; /* lines that a change can be made in */
} Text;

typedef VEC(Says) SaysList;

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const Sharing *sharing;
  uint64_t random;
  bool verbose;
  uint32_t accepted, rejected, open, harmless, wrong;
} Run;

static uint32_t pick(Run *r, uint32_t below) {
  r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return below ? (uint32_t)((r->random >> 33) % below) : 0;
}

static ContextVerdict verdict_of(Run *r, const char *text, size_t length,
                                 char **ret_why) {
  ContextQuestion q = {.program = r->program,
                       .pointsto = r->pointsto,
                       .text = text,
                       .length = length,
                       .deadline = clock_now() + 60};
  ContextResult result;
  context_check(&q, &result);
  ContextVerdict verdict = result.verdict;
  *ret_why = result.why;
  result.why = NULL;
  context_result_free(&result);
  return verdict;
}

/* ---- lines ---- */

static void split(const char *text, size_t length, Text *ret) {
  const char *end = text + length;
  while (text < end) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    if (!stop) stop = end;
    vec_push(&ret->lines, ((Line){text, (uint32_t)(stop - text)}));
    text = stop + 1;
  }
}

static bool begins(Line l, const char *word) {
  size_t n = strlen(word);
  return l.length > n && !memcmp(l.at, word, n) && l.at[n] == ' ';
}

static void choose(Text *t, const char *word) {
  vec_clear(&t->chosen);
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (begins(t->lines.data[i], word)) vec_push(&t->chosen, i);
}

static void join(const Text *t, uint32_t changed, const char *with, Str *out) {
  str_clear(out);
  for (uint32_t i = 0; i < t->lines.len; i++) {
    if (i != changed)
      str_add_bytes(out, t->lines.data[i].at, t->lines.data[i].length);
    else if (with)
      str_add(out, with);
    else
      continue;
    str_add_char(out, '\n');
  }
}

/* The words of a line, each from and to. */
typedef struct {
  uint32_t from, to;
} Word;

typedef VEC(Word) Words;

static void words_of(Line l, Words *ret) {
  vec_clear(ret);
  for (uint32_t i = 0; i < l.length;) {
    while (i < l.length && l.at[i] == ' ') i++;
    uint32_t from = i;
    while (i < l.length && l.at[i] != ' ') i++;
    if (i > from) vec_push(ret, ((Word){from, i}));
  }
}

/* The line without a word, or with another one in its place. */
static void replace_word(Line l, Word w, const char *with, Str *out) {
  str_clear(out);
  str_add_bytes(out, l.at, w.from - (with || !w.from ? 0 : 1));
  if (with) str_add(out, with);
  str_add_bytes(out, l.at + w.to, l.length - w.to);
}

/* ---- changes ---- */

typedef struct {
  const char *name;
  const char *word; /* of the lines that it changes */
  /* Makes another line of it: `out`, or removes it (NULL); false: not here. */
  bool (*change)(Run *r, const Text *t, Line l, Str *out, const char **ret_line);
} Change;

static bool drop(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  (void)r, (void)t, (void)l, (void)out;
  *ret_line = NULL;
  return true;
}

static bool drop_word(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  Words words = {0};
  (void)t;
  words_of(l, &words);
  bool ok = words.len > 1;
  if (ok) replace_word(l, words.data[1 + pick(r, words.len - 1)], NULL, out);
  vec_free(&words);
  *ret_line = str_text(out);
  return ok;
}

/* Another number for one number: one more, one less, or some other. */
static bool renumber(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  VEC(Word) numbers = {0};
  (void)t;
  for (uint32_t i = 0; i < l.length; i++) {
    uint32_t from = i;
    while (i < l.length && l.at[i] >= '0' && l.at[i] <= '9') i++;
    if (i > from) vec_push(&numbers, ((Word){from, i}));
  }
  bool ok = numbers.len;
  if (ok) {
    Word w = numbers.data[pick(r, numbers.len)];
    uint64_t old = strtoull(l.at + w.from, NULL, 10), new;
    switch (pick(r, 3)) {
    case 0: new = old + 1; break;
    case 1: new = old ? old - 1 : 1; break;
    default: new = pick(r, 12); break;
    }
    ok = new != old;
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, new);
    str_clear(out);
    str_add_bytes(out, l.at, w.from);
    str_add(out, text);
    str_add_bytes(out, l.at + w.to, l.length - w.to);
  }
  vec_free(&numbers);
  *ret_line = str_text(out);
  return ok;
}

/* The opposite of one digit or sign. */
static bool flip(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  VEC(uint32_t) places = {0};
  (void)t;
  bool value = begins(l, "value");
  for (uint32_t i = 6; i < l.length; i++)
    if (value ? l.at[i] == '0' || l.at[i] == '1' : l.at[i] == '+' || l.at[i] == '-')
      vec_push(&places, i);
  bool ok = places.len;
  str_clear(out);
  str_add_bytes(out, l.at, l.length);
  if (ok) {
    char *c = &out->data[places.data[pick(r, places.len)]];
    *c = *c == '0' ? '1' : *c == '1' ? '0' : *c == '+' ? '-' : '+';
  }
  vec_free(&places);
  *ret_line = str_text(out);
  return ok;
}

/* The location of another local state of the same kind. */
static bool merge(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  Words words = {0}, others = {0};
  bool ok = false;
  words_of(l, &words);
  for (uint32_t n = 0; n < 20 && !ok && t->chosen.len; n++) {
    Line other = t->lines.data[t->chosen.data[pick(r, t->chosen.len)]];
    words_of(other, &others);
    Word a = words.data[1], b = others.data[1], x = words.data[2], y = others.data[2];
    bool kind = a.to - a.from == b.to - b.from &&
                !memcmp(l.at + a.from, other.at + b.from, a.to - a.from);
    bool place = x.to - x.from == y.to - y.from &&
                 !memcmp(l.at + x.from, other.at + y.from, x.to - x.from);
    if (!kind || place) continue;
    char *with = str_ndup(other.at + y.from, y.to - y.from);
    replace_word(l, x, with, out);
    mem_free(with);
    ok = true;
  }
  vec_free(&words);
  vec_free(&others);
  *ret_line = str_text(out);
  return ok;
}

static bool once(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  (void)r, (void)t;
  str_clear(out);
  str_add_bytes(out, l.at, l.length);
  bool ok = str_ends(str_text(out), " many");
  if (ok) memcpy(out->data + out->len - 4, "once", 4);
  *ret_line = str_text(out);
  return ok;
}

/* The whole value counts, where it is something in it. */
static bool review(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  enum { VIEW = 5 };
  Words words = {0};
  (void)r, (void)t;
  words_of(l, &words);
  bool ok = words.len > VIEW && memcmp(l.at + words.data[VIEW].from, "all", 3) != 0;
  str_clear(out);
  if (ok) {
    str_add_bytes(out, l.at, words.data[VIEW].from);
    str_add(out, "all");
  }
  vec_free(&words);
  *ret_line = str_text(out);
  return ok;
}

/* The step does not say what becomes of threads in some state. */
static bool reshake(Run *r, const Text *t, Line l, Str *out, const char **ret_line) {
  Words words = {0};
  VEC(uint32_t) shakes = {0};
  (void)t;
  words_of(l, &words);
  for (uint32_t i = 0; i < words.len; i++)
    if (memchr(l.at + words.data[i].from, '~', words.data[i].to - words.data[i].from))
      vec_push(&shakes, i);
  bool ok = shakes.len;
  if (ok) replace_word(l, words.data[shakes.data[pick(r, shakes.len)]], NULL, out);
  vec_free(&words);
  vec_free(&shakes);
  *ret_line = str_text(out);
  return ok;
}

static const Change changes[] = {
    {"a step removed", "step", drop},
    {"a step changed", "step", renumber},
    {"what a step touches removed", "step", drop_word},
    {"what becomes of others changed", "step", reshake},
    {"a state for one of fewer", "either", drop_word},
    {"a state for one of others", "either", renumber},
    {"an access of a state removed", "next", drop},
    {"an access of a state changed", "next", renumber},
    {"a share that is another's", "counts", renumber},
    {"a share of something else", "counts", review},
    {"a place where it would count wrongly removed", "breaks", drop},
    {"a local state with another location", "state", merge},
    {"a literal of a local state removed", "state", drop_word},
    {"a literal of a local state turned round", "state", flip},
    {"a value of a group removed", "value", drop},
    {"a value of a group turned round", "value", flip},
    {"a group that begins otherwise", "begins", renumber},
    {"a predicate removed from its group", "group", drop_word},
    {"a predicate changed", "predicate", renumber},
    {"a condition removed", "relies", drop_word},
    {"an access left out of the slice", "asked", drop_word},
    {"a kind of threads removed", "kind", drop},
    {"one thread where there are many", "kind", once},
    {"another place in memory", "memory", renumber},
    {"memory removed", "memory", drop},
    {"another cell", "cell", renumber},
    {"a cell removed", "cell", drop},
    {"elements elsewhere", "element", renumber},
    {"the element removed", "element", drop},
    {"another place of allocation", "made", renumber},
    {"an allocation that is not followed", "made", drop},
    {"another local variable", "local", renumber},
    {"main begins elsewhere", "main", renumber},
    {"another question", "about", renumber},
    {"an invariant changed", "invariant", renumber},
    {"an invariant removed", "invariant", drop},
    {"a trap changed", "trap", renumber},
    {"a siphon changed", "siphon", renumber},
    {"a basis changed", "basis", renumber},
    {"a part of a basis removed", "basis", drop},
    {"a fused place changed", "fuse", renumber},
    {"a cover changed", "cover", renumber},
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* ---- what a change leaves valid ---- */

static bool is_there(const Text *t, uint32_t without, Line l) {
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (i != without && t->lines.data[i].length == l.length &&
        !memcmp(t->lines.data[i].at, l.at, l.length))
      return true;
  return false;
}

static bool is_main_state(const Text *t, uint32_t state) {
  for (uint32_t i = 0, n = 0; i < t->lines.len; i++)
    if (begins(t->lines.data[i], "state") && n++ == state)
      return !memcmp(t->lines.data[i].at, "state 0 ", 8);
  return false;
}

/* A word of the line is this number. */
static bool has_number(const char *line, uint32_t number) {
  for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' '))
    if (strtoul(at + 1, NULL, 10) == number) return true;
  return false;
}

/* The number of the variable in this line, or behind it. */
static uint32_t number_of(const Text *t, uint32_t line) {
  static const char *const variables[] = {"memory", "ghost",   "ended", "id",
                                          "local",  "own",     "half",  "counts",
                                          "cell",   "element", "made"};
  uint32_t number = 0;
  for (uint32_t i = 0; i < line; i++)
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
      number += begins(t->lines.data[i], variables[k]);
  return number;
}

/* How many variables the predicate is about are this one, or (`from`) have this number or a higher one. */
static uint32_t mentions(Line l, uint32_t number, bool from) {
  uint32_t n = 0;
  for (uint32_t k = 1; begins(l, "predicate") && k + 1 < l.length; k++) {
    if (l.at[k - 1] != ' ' || l.at[k] != 'v') continue;
    uint32_t v = (uint32_t)strtoul(l.at + k + 1, NULL, 10);
    n += from ? v >= number : v == number;
  }
  return n;
}

/* Some predicate is about this variable; or (`removed`) about one behind it, whose number changes. */
static bool is_used(const Text *t, uint32_t line, bool removed) {
  uint32_t number = number_of(t, line);
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (mentions(t->lines.data[i], number, removed)) return true;
  return false;
}

/* Elements of the same size begin elsewhere: if no byte in question is left out, and none is cut, these are as good. */
static bool is_same_behind(Line l, const char *with) {
  const char *last = memrchr(l.at, ' ', l.length),
             *other = with ? strrchr(with, ' ') : NULL;
  size_t length = last ? (size_t)(l.at + l.length - last) : 0;
  return last && other && strlen(other) == length && !memcmp(last, other, length);
}

/* All that is said of the local is that it is another one, or so much more. */
static bool is_told(const Text *t, uint32_t line) {
  uint32_t number = number_of(t, line);
  for (uint32_t i = 0; i < t->lines.len; i++) {
    Line l = t->lines.data[i];
    if (!mentions(l, number, false)) continue;
    if (memcmp(l.at, "predicate eq v", 14) != 0 || mentions(l, 0, true) != 2)
      return false;
  }
  return true;
}

/* By predicate, and by group of predicates → 1: it is about the ids of threads. */
static void find_about_ids(const Text *t, Map *predicates, Map *groups) {
  for (uint32_t line = 0; line < t->lines.len; line++) {
    if (!begins(t->lines.data[line], "id")) continue;
    uint32_t id = number_of(t, line);
    for (uint32_t i = 0, n = 0; i < t->lines.len; i++) {
      if (!begins(t->lines.data[i], "predicate")) continue;
      if (mentions(t->lines.data[i], id, false)) map_put(predicates, n, 1);
      n++;
    }
  }
  for (uint32_t i = 0, g = 0; i < t->lines.len; i++) {
    if (!begins(t->lines.data[i], "group")) continue;
    Words words = {0};
    words_of(t->lines.data[i], &words);
    for (uint32_t k = 1; k < words.len; k++)
      if (map_get(predicates,
                  strtoul(t->lines.data[i].at + words.data[k].from, NULL, 10)))
        map_put(groups, g, 1);
    vec_free(&words);
    g++;
  }
}

/* The step has to do with values that are about the ids of threads, or the local state is. */
static bool is_about_ids(const Text *t, Line l) {
  Words words = {0};
  Map predicates = {0}, groups = {0};
  bool found = false, step = begins(l, "step");
  find_about_ids(t, &predicates, &groups);
  words_of(l, &words);
  for (uint32_t k = 3; k < words.len && !found; k++) {
    char *at = (char *)l.at + words.data[k].from;
    unsigned long number = strtoul(at, &at, 10);
    found = step ? *at == ':' && map_get(&groups, number)
                 : (*at == '+' || *at == '-') && map_get(&predicates, number);
  }
  vec_free(&words);
  map_free(&predicates);
  map_free(&groups);
  return found;
}

/* The local state stands for one of several. */
static bool is_either(const Text *t, uint32_t state) {
  for (uint32_t i = 0, n = 0; i < t->lines.len; i++) {
    bool either = begins(t->lines.data[i], "either");
    if ((either || begins(t->lines.data[i], "state")) && n++ == state) return either;
  }
  return false;
}

/* The step needs one value less, and leaves all as it is: it allows more. Or it does not say which of several a
 * thread is then in. */
static bool needs_less(const Text *t, Line l, const char *with) {
  Words words = {0};
  bool found = false;
  words_of(l, &words);
  for (uint32_t i = 3; i < words.len && !found; i++) {
    Word w = words.data[i];
    Str without = {0};
    replace_word(l, w, NULL, &without);
    const char *colon = memchr(l.at + w.from, ':', w.to - w.from);
    const char *arrow = memchr(l.at + w.from, '>', w.to - w.from);
    bool same =
        colon && arrow && strtoul(colon + 1, NULL, 10) == strtoul(arrow + 1, NULL, 10);
    bool nobody = w.to - w.from > 2 && !memcmp(l.at + w.to - 2, "~-", 2);
    const char *wave = memchr(l.at + w.from, '~', w.to - w.from);
    bool either = wave && is_either(t, (uint32_t)strtoul(l.at + w.from, NULL, 10));
    found = (same || nobody || either) && str_eq(str_text(&without), with);
    str_free(&without);
  }
  vec_free(&words);
  return found;
}

typedef struct {
  uint32_t object;
  bool written, touched;
} Written;

static void note_written(void *user, const Touch *touch) {
  Written *w = user;
  if (touch->key != w->object && touch->key) return;
  w->touched = true;
  if (touch->kind & TOUCH_WRITE) w->written = true;
}

/* Of the same variable there is no race on other bytes, either; on what nobody writes there is none; and what is proved
 * of edges through pointers is proved of all that they touch, if nobody else does. */
static bool is_true_anyway(const Run *r, const Text *t, Line l, const char *with) {
  const char *about = "about race ";
  if (!begins(l, "about race") || !str_starts(with, about)) return false;
  Written w = {.object = (uint32_t)strtoul(with + strlen(about), NULL, 10)};
  if (strtoul(l.at + strlen(about), NULL, 10) == w.object) return true;
  char *asked = NULL;
  bool all = true;
  for (uint32_t i = 0; i < t->lines.len && !asked; i++)
    if (begins(t->lines.data[i], "asked"))
      asked = str_ndup(t->lines.data[i].at, t->lines.data[i].length);
  for (EdgeId e = 1; e < r->program->edges.len; e++) {
    w.touched = false;
    touch_visit(r->program, r->pointsto, e, note_written, &w);
    all = all && (!w.touched || (asked && has_number(asked, e)));
  }
  mem_free(asked);
  return !w.written || all;
}

/* The object that is no condition any more is known to one thread only. */
static bool needs_no_condition(const Run *r, Line l, const char *with) {
  char *line = str_ndup(l.at, l.length);
  bool own = true;
  for (ObjectId o = 1; o < r->program->objects.len; o++)
    if (has_number(line, o) && !has_number(with, o))
      own = own && sharing_is_private(r->sharing, o);
  mem_free(line);
  return own;
}

/* The certificate lists that a thread would count wrongly there. */
static bool is_excluded(const Text *t, uint32_t state) {
  const char *word = "breaks ";
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (begins(t->lines.data[i], "breaks") &&
        strtoul(t->lines.data[i].at + strlen(word), NULL, 10) == state)
      return true;
  return false;
}

/* Values of the group that steps lead to, from one that was reached; true: some are new. Where a thread would count
 * wrongly it never is. */
static bool reach_values(const Text *t, uint32_t group, Map *reached) {
  bool found = false;
  for (uint32_t i = 0; i < t->lines.len; i++) {
    Line l = t->lines.data[i];
    Words words = {0};
    if (begins(l, "step") && !is_excluded(t, (uint32_t)strtoul(l.at + 5, NULL, 10)))
      words_of(l, &words);
    for (uint32_t k = 3; k < words.len; k++) {
      char *at = (char *)l.at + words.data[k].from;
      unsigned long g = strtoul(at, &at, 10), from, to;
      if (*at != ':' || g != group) continue;
      from = strtoul(at + 1, &at, 10);
      to = strtoul(at + 1, &at, 10);
      if (!map_get(reached, from) || map_get(reached, to)) continue;
      map_put(reached, to, 1);
      found = true;
    }
    vec_free(&words);
  }
  return found;
}

/* The value of a group is none that the steps lead to. */
static bool is_nowhere(const Text *t, uint32_t line) {
  uint32_t group = 0, value = 0;
  Map reached = {0};
  for (uint32_t i = 0; i < line; i++) {
    if (begins(t->lines.data[i], "group")) group++, value = 0;
    value += begins(t->lines.data[i], "value");
  }
  for (uint32_t i = 0, n = 0; i < t->lines.len; i++) {
    Line l = t->lines.data[i];
    n += begins(l, "group");
    if (!begins(l, "begins") || n != group) continue;
    Words words = {0};
    words_of(l, &words);
    for (uint32_t k = 1; k < words.len; k++)
      map_put(&reached, strtoul(l.at + words.data[k].from, NULL, 10), 1);
    vec_free(&words);
  }
  while (reach_values(t, group - 1, &reached)) {
  }
  bool nowhere = !map_get(&reached, value);
  map_free(&reached);
  return nowhere;
}

/* The line of this word with that number, or the last one behind all. */
static uint32_t numbered(const Text *t, const char *word, uint32_t number) {
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (begins(t->lines.data[i], word) && !number--) return i;
  return t->lines.len;
}

/* How many elements the array in question has; 0: it is about none. The element is v0. */
static uint32_t elements_of(const Run *r, const Text *t) {
  uint32_t at = numbered(t, "element", 0), about = numbered(t, "about", 0);
  unsigned long offset, stride, object;
  if (at == t->lines.len || about == t->lines.len) return 0;
  if (sscanf(t->lines.data[at].at, "element %lu %lu", &offset, &stride) != 2 ||
      sscanf(t->lines.data[about].at, "about race %lu", &object) != 1 || !stride)
    return 0;
  const Object *o = &r->program->objects.data[object];
  return o->kind == OBJECT_GLOBAL ? (uint32_t)((o->size - offset) / stride) : 0;
}

/* The predicate of that number holds, or does not. */
static void add_says(const Text *t, unsigned long predicate, bool holds, SaysList *out) {
  uint32_t at = numbered(t, "predicate", (uint32_t)predicate);
  if (at == t->lines.len) return;
  Line l = t->lines.data[at];
  uint32_t skip = (uint32_t)strlen("predicate ");
  vec_push(out, ((Says){l.at + skip, l.at + l.length, holds}));
}

static void add_state(const Text *t, uint32_t state, SaysList *out) {
  uint32_t at = numbered(t, "state", state);
  if (at == t->lines.len) return;
  Words words = {0};
  words_of(t->lines.data[at], &words);
  for (uint32_t k = 3; k < words.len; k++) {
    char *sign;
    unsigned long predicate =
        strtoul(t->lines.data[at].at + words.data[k].from, &sign, 10);
    add_says(t, predicate, *sign == '+', out);
  }
  vec_free(&words);
}

static void add_value(const Text *t, uint32_t group, uint32_t value, SaysList *out) {
  uint32_t at = numbered(t, "group", group);
  if (at + 1 + value >= t->lines.len || !begins(t->lines.data[at + 1 + value], "value"))
    return;
  const char *digits = t->lines.data[at + 1 + value].at + strlen("value ");
  Words words = {0};
  words_of(t->lines.data[at], &words);
  for (uint32_t k = 1; k < words.len; k++)
    add_says(t, strtoul(t->lines.data[at].at + words.data[k].from, NULL, 10),
             digits[k - 1] == '1', out);
  vec_free(&words);
}

/* A step or an access from where no thread ever is: what the local state and the values of groups say contradicts
 * itself, if the element is one that the array has. */
static bool is_no_element(const Run *r, const Text *t, Line l) {
  uint32_t elements = elements_of(r, t);
  if (!elements || !(begins(l, "step") || begins(l, "next"))) return false;
  SaysList says = {0};
  Words words = {0};
  words_of(l, &words);
  add_state(t, (uint32_t)strtoul(l.at + 5, NULL, 10), &says);
  for (uint32_t k = 3; k < words.len; k++) {
    char *at = (char *)l.at + words.data[k].from;
    unsigned long group = strtoul(at, &at, 10);
    if (*at == ':')
      add_value(t, (uint32_t)group, (uint32_t)strtoul(at + 1, NULL, 10), &says);
  }
  bool possible = is_possible(says.data, says.len, elements);
  vec_free(&words);
  vec_free(&says);
  return !possible;
}

/* The proof is still one:
 *   a line was there twice; what a changed one allows beside it, the evidence excludes;
 *   a step needs less, or does not say that no thread is in some state: the evidence excludes more than is
 *     needed;
 *   a step from where no thread ever is, because it would count wrongly there;
 *   a step or an access from where no thread ever is, because the array has no such element;
 *   a step or a local state with values about ids of threads, of which the checker knows from the beginning what others learn;
 *   a local that is told by another one, where there are several such;
 *   a value of a group that the steps do not lead to;
 *   no condition is needed for what is one thread's own;
 *   main's last step is missing, which ends the program, or that of a thread that changes nothing by it: it may as
 *     well stay;
 *   memory is not followed, or other memory is, that no predicate is about;
 *   it is about other bytes of the same variable, or another one, to which there are the same accesses, or
 *     about what nobody writes;
 *   a local state stands for one of fewer, because a thread is never in the one that is missing;
 *   a local state says less, and has the steps for it: what is missing follows from the rest, or is no
 *     matter;
 *   another predicate is as good: the values that it tells apart do not matter;
 *   something of the evidence is another one that holds as well (net/check.h has its own tests). */
static bool is_harmless(const Run *r, const Text *t, const Change *c, uint32_t line,
                        const char *with) {
  Line l = t->lines.data[line];
  if (with && begins(l, "step") && needs_less(t, l, with)) return true;
  if (with && is_true_anyway(r, t, l, with)) return true;
  if (with && begins(l, "relies") && needs_no_condition(r, l, with)) return true;
  if (c->change == drop_word && (begins(l, "either") || begins(l, "state"))) return true;
  if (c->change == renumber && begins(l, "predicate")) return true;
  bool listed = begins(l, "step") || begins(l, "next");
  if ((listed || c->change == drop) && is_there(t, line, l)) return true;
  if (begins(l, "state") && is_about_ids(t, l)) return true;
  if (begins(l, "local") && is_told(t, line)) return true;
  if (begins(l, "value") && is_nowhere(t, line)) return true;
  if (is_no_element(r, t, l)) return true;
  bool memory = begins(l, "memory") || begins(l, "cell");
  if (begins(l, "element") &&
      (!is_used(t, line, c->change == drop) || is_same_behind(l, with)))
    return true;
  if (memory && !is_used(t, line, c->change == drop)) return true;
  if (begins(l, "step")) {
    uint32_t from = (uint32_t)strtoul(l.at + 5, NULL, 10);
    const char *to = memchr(l.at + 5, ' ', l.length - 5);
    bool touches = to && memchr(to, ':', (size_t)(l.at + l.length - to));
    if (to && to[1] == '-' && (!touches || is_main_state(t, from))) return true;
    if (is_excluded(t, from) || is_about_ids(t, l)) return true;
  }
  return begins(l, "invariant") || begins(l, "trap") || begins(l, "siphon") ||
         begins(l, "basis") || begins(l, "fuse") || begins(l, "cover");
}

static void mutate(Run *r, Text *t) {
  Str line = {0}, text = {0};
  const Change *c = NULL;
  const char *with = NULL;
  uint32_t at = 0;
  bool made = false;
  for (uint32_t tries = 0; tries < 200 && !made; tries++) {
    c = &changes[pick(r, CHANGES)];
    choose(t, c->word);
    if (!t->chosen.len) continue;
    at = t->chosen.data[pick(r, t->chosen.len)];
    made = c->change(r, t, t->lines.data[at], &line, &with);
  }
  if (made) {
    char *why = NULL;
    join(t, at, with, &text);
    ContextVerdict v = verdict_of(r, str_text(&text), text.len, &why);
    r->rejected += v == CONTEXT_REJECTED;
    r->open += v == CONTEXT_OPEN;
    if (v == CONTEXT_ACCEPTED && is_harmless(r, t, c, at, with)) r->harmless++;
    bool wrong = v == CONTEXT_ACCEPTED && !is_harmless(r, t, c, at, with);
    r->wrong += wrong;
    if (wrong || r->verbose)
      printf("%s: %s: '%.*s' -> '%s'%s%s\n", wrong ? "WRONGLY ACCEPTED" : "not accepted",
             c->name, (int)t->lines.data[at].length, t->lines.data[at].at,
             with ? with : "", why ? ": " : "", why ? why : "");
    mem_free(why);
  }
  str_free(&line);
  str_free(&text);
}

static void fuzz(Run *r, const char *text, size_t length) {
  char *copy = mem_alloc(length + 1), *why = NULL;
  memcpy(copy, text, length);
  for (uint32_t n = 1 + pick(r, 4); n > 0 && length; n--) {
    size_t at = pick(r, (uint32_t)length);
    switch (pick(r, 3)) {
    case 0: copy[at] = (char)pick(r, 256); break;
    case 1: copy[at] = "0123456789 +-:>\n"[pick(r, 16)]; break;
    default: length = at; break;
    }
  }
  ContextVerdict v = verdict_of(r, copy, length, &why);
  r->rejected += v == CONTEXT_REJECTED;
  r->open += v == CONTEXT_OPEN;
  r->harmless += v == CONTEXT_ACCEPTED;
  if (why && strstr(why, "was ended")) {
    r->wrong++;
    printf("THE CHECKER DIED\n");
  }
  mem_free(why);
  mem_free(copy);
}

/* ---- all of it ---- */

typedef struct {
  uint32_t count;
  const char *twin; /* the variable that races in the twin; NULL: it is no twin */
  bool fuzz;
} Wanted;

/* The same certificate for this program. */
static void adopt(const Run *r, const Text *t, Str *out) {
  const Program *p = r->program;
  char line[64];
  uint32_t at = UINT32_MAX;
  for (uint32_t i = 0; i < t->lines.len; i++)
    if (begins(t->lines.data[i], "program")) at = i;
  snprintf(line, sizeof line, "program %" PRIu64,
           map_hash(p->edges.data, p->edges.len * sizeof *p->edges.data));
  join(t, at, line, out);
}

static bool is_about(const Run *r, const char *text, const char *name) {
  const char *about = "\nabout race ", *at = strstr(text, about);
  if (!at) return false;
  uint32_t object = (uint32_t)strtoul(at + strlen(about), NULL, 10);
  const Program *p = r->program;
  return object < p->objects.len &&
         str_eq(sym_text(p, p->objects.data[object].name), name);
}

static void examine(Run *r, const char *text, size_t length, const Wanted *w) {
  Text t = {0};
  char *why = NULL;
  Str own = {0};
  split(text, length, &t);
  adopt(r, &t, &own);
  ContextVerdict v = verdict_of(r, str_text(&own), own.len, &why);
  bool fine = v == CONTEXT_ACCEPTED;
  if (w->twin) fine = !fine || !is_about(r, str_text(&own), w->twin);
  if (!fine) {
    r->wrong++;
    printf("%s: %s\n", w->twin ? "ACCEPTED FOR THE TWIN" : "NOT ACCEPTED",
           why ? why : "");
  }
  r->accepted += v == CONTEXT_ACCEPTED;
  r->rejected += v == CONTEXT_REJECTED;
  r->open += v == CONTEXT_OPEN;
  if (r->verbose) printf("as it is: %s\n", why ? why : "accepted");
  mem_free(why);
  t.lines.len =
      0; /* changes are made in what is this program's, or all would be rejected for that */
  split(str_text(&own), own.len, &t);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->fuzz)
      fuzz(r, str_text(&own), own.len);
    else
      mutate(r, &t);
  str_free(&own);
  vec_free(&t.lines);
  vec_free(&t.chosen);
}

static bool examine_all(Run *r, const char *path, const Wanted *w) {
  FILE *f = fopen(path, "r");
  Str all = {0};
  char part[4096];
  if (!f) return false;
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) str_add_bytes(&all, part, n);
  fclose(f);
  const char *at = str_text(&all);
  while ((at = strstr(at, "\ncertificate "))) {
    char *text;
    size_t length = strtoull(at + strlen("\ncertificate "), &text, 10);
    text++;
    if (length > all.len - (size_t)(text - str_text(&all))) break;
    Wanted wanted = *w;
    if (length < 200) wanted.count = w->fuzz ? 5 : 0; /* of memory that nobody knows */
    examine(r, text, length, &wanted);
    at = text + length - 1;
  }
  str_free(&all);
  return true;
}

int main(int argc, char **argv) {
  Wanted w = {0};
  Run r = {.random = 1};
  int option;
  while ((option = getopt(argc, argv, "n:s:vt:f")) != -1) {
    switch (option) {
    case 'n': w.count = (uint32_t)strtoul(optarg, NULL, 10); break;
    case 's': r.random = strtoull(optarg, NULL, 10); break;
    case 'v': r.verbose = true; break;
    case 't': w.twin = optarg; break;
    case 'f': w.fuzz = true; break;
    default: return 2;
    }
  }
  if (argc - optind != 2) return 2;
  const char *const inputs[] = {argv[optind + 1]};
  FrontRequest request = {.inputs = inputs, .input_count = 1};
  Program program = {0};
  Err err = {0};
  if (!front_load(&request, &program, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 2;
  }
  r.program = &program;
  r.pointsto = pointsto_new(&program, NULL);
  r.sharing = sharing_new(&program, r.pointsto);
  if (!examine_all(&r, argv[optind], &w)) return 2;
  printf("accepted %u, rejected %u, undecided %u, harmless %u, wrong %u\n", r.accepted,
         r.rejected, r.open, r.harmless, r.wrong);
  sharing_free((Sharing *)r.sharing);
  pointsto_free((PointsTo *)r.pointsto);
  program_free(&program);
  return r.wrong ? 1 : 0;
}
