/* One finding in words: what happens where, who holds what, why, how it comes to that,
 * and what would mend it. */
#include "report/paper.h"
#include "report/words.h"

#include <string.h>

enum { LABEL_COLUMN = 7 };

/* ---- words ---- */

static const char *what_is_wrong(const Finding *f) {
  return property_table[f->property].wrong;
}

static void put_place(Paper *p, Ink ink, const SourcePlace *place) {
  paper_putf(p, ink, "%s:%u", place->file, place->line);
}

static void put_locks(Paper *p, const FoundAccess *a) {
  if (!a->lock_count) {
    paper_put(p, INK_PLAIN, "holding no lock");
    return;
  }
  paper_put(p, INK_PLAIN, "holding ");
  for (uint32_t i = 0; i < a->lock_count; i++)
    paper_putf(p, INK_BOLD, "%s%s", i ? ", " : "", a->locks[i]);
}

/* ---- in full ---- */

static void put_heading(Paper *p, const Finding *f) {
  bool error = f->verdict == VERDICT_UNSAFE;
  paper_put(p, error ? INK_ERROR : INK_WARNING, error ? "error" : "warning");
  paper_putf(p, INK_DIM, " %s", f->id);
  paper_putf(p, INK_PLAIN, "  %s ", what_is_wrong(f));
  paper_put(p, INK_BOLD, f->name);
  if (place_is_known(&f->declared)) {
    paper_put(p, INK_PLAIN, " (");
    put_place(p, INK_PLAIN, &f->declared);
    paper_put(p, INK_PLAIN, ")");
  }
  paper_line(p);
}

/* The second access of a line needs no second look at it. */
static bool seen_before(const Finding *f, uint32_t i) {
  const SourcePlace *place = &f->accesses[i].place;
  for (uint32_t k = 0; k < i && place_is_known(place); k++) {
    const SourcePlace *other = &f->accesses[k].place;
    if (other->line == place->line && other->file && str_eq(other->file, place->file))
      return true;
  }
  return false;
}

static void put_access(Paper *p, const Finding *f, uint32_t i) {
  const FoundAccess *a = &f->accesses[i];
  const char *function = a->place.function ? a->place.function : "";
  const char *what =
      f->property == PROPERTY_DEADLOCK && a->object ? a->object : word_thing(a);
  paper_spaces(p, 2);
  paper_put(p, INK_BOLD, a->thread);
  paper_putf(p, INK_PLAIN, " %s", word_verb(a));
  if (*what) paper_putf(p, INK_PLAIN, " %s", what);
  if (*function && !str_eq(function, a->thread))
    paper_putf(p, INK_PLAIN, " in %s", function);
  paper_put(p, INK_PLAIN, ", ");
  put_locks(p, a);
  bool again = seen_before(f, i);
  if (again) {
    paper_put(p, INK_PLAIN, ", in the same line");
  } else if (place_is_known(&a->place)) {
    paper_put(p, INK_PLAIN, ": ");
    put_place(p, INK_PLAIN, &a->place);
    if (a->place.column) paper_putf(p, INK_PLAIN, ":%u", a->place.column);
  }
  paper_line(p);
  if (place_is_known(&a->place) && !again) paper_excerpt(p, &a->place, word_thing(a));
}

static void put_labelled(Paper *p, const char *label, const char *text) {
  if (!text || !*text) return;
  paper_spaces(p, 2);
  paper_put(p, INK_BOLD, label);
  paper_spaces(p, LABEL_COLUMN - 2 - strlen(label));
  paper_wrap(p, LABEL_COLUMN, LABEL_COLUMN, text);
}

static void put_evidence(Paper *p, const Finding *f) {
  if (f->evidence == EVIDENCE_NONE) {
    put_labelled(p, "but", "no run has shown it; it was merely not excluded");
    return;
  }
  Str text = {0};
  str_add(&text, f->evidence == EVIDENCE_REPLAYED ? "it showed in the real program"
                 : f->evidence == EVIDENCE_OBSERVED
                     ? "it happened in a run of the real program"
                     : "the model was run to it, step by step");
  if (f->engine && *f->engine) str_addf(&text, " (%s)", f->engine);
  if (f->step_count)
    str_add(&text, f->property != PROPERTY_RACE ? ":"
                   : f->unordered
                       ? "; in this schedule nothing orders the two accesses:"
                       : "; at the end of this schedule both accesses are next:");
  put_labelled(p, "how", str_text(&text));
  str_free(&text);
}

void paper_finding(Paper *p, const Finding *f) {
  put_heading(p, f);
  for (uint32_t i = 0; i < f->access_count; i++) put_access(p, f, i);
  put_labelled(p, "why", f->why);
  put_evidence(p, f);
  paper_story(p, f);
  put_labelled(p, "fix", f->fix);
}

/* ---- in short ---- */

void paper_sibling(Paper *p, const Finding *f) {
  paper_putf(p, INK_DIM, "  %-4s ", f->id);
  for (uint32_t i = 0; i < f->access_count; i++) {
    const FoundAccess *a = &f->accesses[i];
    paper_putf(p, INK_PLAIN, "%s%s %s", i ? ", " : "", a->thread, word_verb(a));
    if (place_is_known(&a->place)) {
      paper_put(p, INK_PLAIN, " at ");
      put_place(p, INK_PLAIN, &a->place);
    }
  }
  paper_line(p);
}

void paper_brief(Paper *p, const Finding *f) {
  bool error = f->verdict == VERDICT_UNSAFE;
  const SourcePlace *place = f->access_count && place_is_known(&f->accesses[0].place)
                                 ? &f->accesses[0].place
                                 : &f->declared;
  if (place_is_known(place)) {
    put_place(p, INK_BOLD, place);
    if (place->column) paper_putf(p, INK_BOLD, ":%u", place->column);
    paper_put(p, INK_BOLD, ": ");
  }
  paper_put(p, error ? INK_ERROR : INK_WARNING, error ? "error: " : "warning: ");
  paper_putf(p, INK_PLAIN, "%s %s", what_is_wrong(f), f->name);
  for (uint32_t i = 0; i < f->access_count; i++) {
    const FoundAccess *a = &f->accesses[i];
    paper_putf(p, INK_PLAIN, "%s %s %s", i ? "," : ":", a->thread, word_verb(a));
    if (f->property == PROPERTY_DEADLOCK && a->object)
      paper_putf(p, INK_PLAIN, " %s", a->object);
    if (i && place_is_known(&a->place)) {
      paper_put(p, INK_PLAIN, " at ");
      put_place(p, INK_PLAIN, &a->place);
    }
  }
  paper_putf(p, INK_DIM, " [%s]", f->id ? f->id : "");
  paper_line(p);
}
