/* One finding in words: what happens where, who holds what, why, how it comes to that,
 * and what would mend it. */
#include "report/paper.h"

#include <string.h>

enum { LABEL_COLUMN = 7 };

/* ---- words ---- */

/* What a thread does there, as a verb: "writes", "waits for the lock". */
static const char *verb_of(const FoundAccess *a) {
  static const struct {
    const char *kind, *verb;
  } verbs[] = {{"read", "reads"},
               {"write", "writes"},
               {"atomic read", "reads (atomically)"},
               {"atomic write", "writes (atomically)"},
               {"free", "frees"},
               {"lock", "waits for the lock"},
               {"wait", "waits for the condition"},
               {"barrier_wait", "waits at the barrier"},
               {"sem_wait", "waits for the semaphore"},
               {"join", "waits for the end of"},
               {"once", "waits for the first run of"},
               {"sleep", "sleeps"},
               {"assert", "fails the assertion"}};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (str_eq(a->kind, verbs[i].kind)) return verbs[i].verb;
  return a->kind;
}

static const char *shown_name(const Program *p, const FoundAccess *a) {
  const char *path = a->edge ? sym_text(p, program_edge(p, a->edge)->path) : "";
  return *path ? path : a->object ? a->object : "";
}

static const char *what_is_wrong(const Finding *f) {
  switch (f->property) {
  case PROPERTY_RACE: return "race on";
  case PROPERTY_DEADLOCK: return "deadlock over";
  case PROPERTY_ASSERT: return "failing assertion";
  case PROPERTY_COUNT: break;
  }
  return "finding on";
}

static void put_place(Paper *p, Ink ink, const Loc *loc) {
  paper_putf(p, ink, "%s:%u", sym_text(p->program, loc->file), loc->line);
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
  const Loc *loc = place_of_id(p->program, f->loc);
  if (loc) {
    paper_put(p, INK_PLAIN, " (");
    put_place(p, INK_PLAIN, loc);
    paper_put(p, INK_PLAIN, ")");
  }
  paper_line(p);
}

/* The second access of a line needs no second look at it. */
static bool seen_before(Paper *p, const Finding *f, uint32_t i) {
  const Loc *loc = place_of_edge(p->program, f->accesses[i].edge);
  for (uint32_t k = 0; k < i && loc; k++) {
    const Loc *other = place_of_edge(p->program, f->accesses[k].edge);
    if (other && other->file == loc->file && other->line == loc->line) return true;
  }
  return false;
}

static void put_access(Paper *p, const Finding *f, uint32_t i) {
  const FoundAccess *a = &f->accesses[i];
  const Loc *loc = place_of_edge(p->program, a->edge);
  const char *function = function_of_edge(p->program, a->edge);
  const char *what = f->property == PROPERTY_DEADLOCK && a->object
                         ? a->object
                         : shown_name(p->program, a);
  paper_spaces(p, 2);
  paper_put(p, INK_BOLD, a->thread);
  paper_putf(p, INK_PLAIN, " %s", verb_of(a));
  if (*what) paper_putf(p, INK_PLAIN, " %s", what);
  if (*function && !str_eq(function, a->thread))
    paper_putf(p, INK_PLAIN, " in %s", function);
  paper_put(p, INK_PLAIN, ", ");
  put_locks(p, a);
  bool again = seen_before(p, f, i);
  if (again) {
    paper_put(p, INK_PLAIN, ", in the same line");
  } else if (loc) {
    paper_put(p, INK_PLAIN, ": ");
    put_place(p, INK_PLAIN, loc);
    if (loc->column) paper_putf(p, INK_PLAIN, ":%u", loc->column);
  }
  paper_line(p);
  if (loc && !again) paper_excerpt(p, loc, shown_name(p->program, a));
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
  str_add(&text, f->evidence == EVIDENCE_REPLAYED
                     ? "it showed in the real program"
                     : "the model was run to it, step by step");
  if (f->engine && *f->engine) str_addf(&text, " (%s)", f->engine);
  if (f->step_count)
    str_add(&text, f->property == PROPERTY_RACE
                       ? "; at the end of this schedule both accesses are next:"
                       : ":");
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
    const Loc *loc = place_of_edge(p->program, a->edge);
    paper_putf(p, INK_PLAIN, "%s%s %s", i ? ", " : "", a->thread, verb_of(a));
    if (loc) {
      paper_put(p, INK_PLAIN, " at ");
      put_place(p, INK_PLAIN, loc);
    }
  }
  paper_line(p);
}

void paper_brief(Paper *p, const Finding *f) {
  bool error = f->verdict == VERDICT_UNSAFE;
  const Loc *loc =
      f->access_count ? place_of_edge(p->program, f->accesses[0].edge) : NULL;
  loc = loc ? loc : place_of_id(p->program, f->loc);
  if (loc) {
    put_place(p, INK_BOLD, loc);
    if (loc->column) paper_putf(p, INK_BOLD, ":%u", loc->column);
    paper_put(p, INK_BOLD, ": ");
  }
  paper_put(p, error ? INK_ERROR : INK_WARNING, error ? "error: " : "warning: ");
  paper_putf(p, INK_PLAIN, "%s %s", what_is_wrong(f), f->name);
  for (uint32_t i = 0; i < f->access_count; i++) {
    const FoundAccess *a = &f->accesses[i];
    const Loc *other = i ? place_of_edge(p->program, a->edge) : NULL;
    paper_putf(p, INK_PLAIN, "%s %s %s", i ? "," : ":", a->thread, verb_of(a));
    if (f->property == PROPERTY_DEADLOCK && a->object)
      paper_putf(p, INK_PLAIN, " %s", a->object);
    if (other) {
      paper_put(p, INK_PLAIN, " at ");
      put_place(p, INK_PLAIN, other);
    }
  }
  paper_putf(p, INK_DIM, " [%s]", f->id ? f->id : "");
  paper_line(p);
}
