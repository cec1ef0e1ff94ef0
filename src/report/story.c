/* The schedule of a finding as a story, one numbered step after the other:
 *
 *       main                            teller#1
 *    1  24  create teller#1
 *           pthread_create(&first, NULL, teller, &one);
 *    2                                  14  write balance
 *                                           balance = seen + amount;
 *
 * Each thread has a column as long as they fit; otherwise the thread's name stands before
 * each step. Of a long schedule the beginning, the end, and the creation of the threads
 * concerned are shown, with a line that says how much is left out. */
#include "report/paper.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum {
  INDENT = 5,
  LEAST_COLUMN = 18,
  LEAST_SOURCE = 26, /* less of a source line says too little */
  HEAD_STEPS = 8,
  TAIL_STEPS = 24,
  GAP = 2, /* between columns */
};

typedef struct {
  Paper *paper;
  const Finding *finding;
  bool *shown;                             /* by step */
  VEC(const char *) threads;               /* the columns */
  size_t number_width, line_width, column; /* column: the width of one, 0 for a list */
  const char *file;                        /* of most steps; others are named */
} Story;

/* Where a step stands, or NULL. */
static const SourcePlace *place_of_step(const Story *s, uint32_t i) {
  const SourcePlace *place = &s->finding->steps[i].place;
  return place_is_known(place) ? place : NULL;
}

static bool concerns_access(const Finding *f, const FoundStep *step) {
  for (uint32_t i = 0; i < f->access_count; i++)
    if (step->object && str_eq(step->op, "create") &&
        str_eq(step->object, f->accesses[i].thread))
      return true;
  return false;
}

static void choose_steps(Story *s) {
  const Finding *f = s->finding;
  bool all = f->step_count <= HEAD_STEPS + TAIL_STEPS + 1;
  for (uint32_t i = 0; i < f->step_count; i++)
    s->shown[i] = all || i < HEAD_STEPS || i + TAIL_STEPS >= f->step_count ||
                  concerns_access(f, &f->steps[i]);
}

static uint32_t column_of(const Story *s, const char *thread) {
  uint32_t i = 0;
  while (i < s->threads.len && !str_eq(s->threads.data[i], thread)) i++;
  return i;
}

static void measure(Story *s) {
  const Finding *f = s->finding;
  uint32_t largest = 0;
  for (uint32_t i = 0; i < f->step_count; i++) {
    if (!s->shown[i]) continue;
    if (column_of(s, f->steps[i].thread) == s->threads.len)
      vec_push(&s->threads, f->steps[i].thread);
    const SourcePlace *place = place_of_step(s, i);
    if (place && !s->file) s->file = place->file;
    if (place && place->line > largest) largest = place->line;
  }
  s->number_width = paper_digits(f->step_count);
  s->line_width = paper_digits(largest);
  size_t room = s->paper->width - INDENT - s->number_width - GAP;
  assert(s->threads.len); /* the first step is shown */
  s->column = room / s->threads.len;
  if (s->column < LEAST_COLUMN + GAP) s->column = 0;
}

/* Text cut to `columns`, with dots where something is missing. Returns the columns used.
 */
static size_t put_clipped(Paper *p, Ink ink, const char *text, size_t columns) {
  size_t length = strlen(text), whole = text_columns(text, length);
  if (whole <= columns) {
    paper_put(p, ink, text);
    return whole;
  }
  size_t fit = text_fit(text, columns > 3 ? columns - 3 : 0);
  paper_putf(p, ink, "%.*s...", (int)fit, text);
  return columns;
}

static void add_source(const Story *s, const SourcePlace *place, Str *out) {
  assert(place_is_known(place) && s->file);
  if (!str_eq(place->file, s->file)) {
    const char *slash = strrchr(place->file, '/');
    str_addf(out, "%s: ", slash ? slash + 1 : place->file);
  }
  size_t length;
  const char *text = lines_get(s->paper->sources, place->file, place->line, &length);
  if (!text) return;
  while (length && (*text == ' ' || *text == '\t')) text++, length--;
  while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  source_show(text, length, out);
}

/* The accesses of a race are the last steps: what all the others lead to. */
static bool is_climax(const Finding *f, uint32_t i) {
  uint32_t last = f->property == PROPERTY_RACE ? f->access_count : 1;
  return f->property != PROPERTY_DEADLOCK && i + last >= f->step_count;
}

static void put_step(Story *s, uint32_t i) {
  Paper *p = s->paper;
  const FoundStep *step = &s->finding->steps[i];
  const SourcePlace *place = place_of_step(s, i);
  size_t left = s->column ? column_of(s, step->thread) * s->column : 0;
  size_t start = INDENT + s->number_width + GAP + left;
  size_t room = s->column ? s->column - GAP : p->width - start;
  Str words = {0};
  if (!s->column) str_addf(&words, "%s: ", step->thread);
  str_addf(&words, "%s%s%s", step->op, step->object ? " " : "",
           step->object ? step->object : "");
  paper_spaces(p, INDENT);
  paper_putf(p, INK_DIM, "%*u", (int)s->number_width, i + 1);
  paper_spaces(p, GAP + left);
  if (place)
    paper_putf(p, INK_DIM, "%*u", (int)s->line_width, place->line);
  else
    paper_spaces(p, s->line_width);
  paper_spaces(p, GAP);
  assert(room > s->line_width + GAP);
  size_t text_room = room - s->line_width - GAP;
  put_clipped(p, is_climax(s->finding, i) ? INK_ERROR : INK_PLAIN, str_text(&words),
              text_room);
  paper_line(p);
  str_clear(&words);
  if (place && text_room >= LEAST_SOURCE) add_source(s, place, &words);
  if (words.len) {
    paper_spaces(p, start + s->line_width + GAP);
    put_clipped(p, INK_DIM, str_text(&words), text_room);
    paper_line(p);
  }
  str_free(&words);
}

static void put_heads(Story *s) {
  Paper *p = s->paper;
  size_t at = 0;
  paper_spaces(p, INDENT + s->number_width + GAP);
  for (uint32_t i = 0; i < s->threads.len; i++) {
    paper_spaces(p, s->column * i - at);
    at = s->column * i + put_clipped(p, INK_BOLD, s->threads.data[i], s->column - GAP);
  }
  paper_line(p);
}

static void put_gap(Story *s, uint32_t count) {
  Paper *p = s->paper;
  paper_spaces(p, INDENT + s->number_width + GAP);
  paper_putf(p, INK_DIM, "... %u more step%s; --json has them all", count,
             count == 1 ? "" : "s");
  paper_line(p);
}

void paper_story(Paper *p, const Finding *f) {
  if (!f->step_count) return;
  Story s = {.paper = p, .finding = f, .shown = mem_alloc_zero(f->step_count)};
  choose_steps(&s);
  measure(&s);
  if (s.column) put_heads(&s);
  uint32_t hidden = 0;
  for (uint32_t i = 0; i < f->step_count; i++) {
    if (!s.shown[i]) {
      hidden++;
      continue;
    }
    if (hidden) put_gap(&s, hidden);
    hidden = 0;
    put_step(&s, i);
  }
  vec_free(&s.threads);
  mem_free(s.shown);
}

void report_story(const CheckResult *result, const Finding *finding,
                  const TextStyle *style, Str *out) {
  Paper paper;
  paper_init(&paper, result, style, out);
  paper_story(&paper, finding);
  paper_free(&paper);
}
