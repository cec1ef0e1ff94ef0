/* See model_automata.h. Points-to, sharing, a slice for the variable, the automata, and the checks
 * of both; then the text or the drawing. */
#include "cli/model_automata.h"

#include "analysis/automaton_print.h"
#include "analysis/slice.h"
#include "base/mem.h"

#include <string.h>

typedef struct {
  const Program *program;
  PointsTo *pointsto;
  Sharing *sharing;
  uint8_t *asked; /* by EdgeId */
  EdgeId edge;    /* that is looked at */
  const char *about;
} Work;

static void ask_about(void *user, const Touch *t) {
  Work *w = user;
  const Program *p = w->program;
  if (t->key && t->key < p->objects.len &&
      !strcmp(sym_text(p, p->objects.data[t->key].name), w->about))
    w->asked[w->edge] = 1;
}

static bool has_object(const Program *p, const char *name) {
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (!strcmp(sym_text(p, p->objects.data[o].name), name)) return true;
  return false;
}

static void ask(Work *w) {
  const Program *p = w->program;
  w->asked = mem_alloc_zero(p->edges.len + 1);
  for (w->edge = 1; w->edge < p->edges.len && w->about; w->edge++) {
    FuncId f = vec_at(&p->nodes, program_edge(p, w->edge)->from)->function;
    if (pointsto_is_reachable(w->pointsto, f))
      touch_visit(p, w->pointsto, w->edge, ask_about, w);
  }
}

static bool is_checked(const Automata *automata, Err *err) {
  Str why = {0};
  bool ok = true;
  for (uint32_t i = 0; i < automata->kinds.len && ok; i++)
    ok = automaton_check(automata, &automata->kinds.data[i], &why);
  if (!ok)
    err_set(err, ERR_INTERNAL, NULL, 0, 0, "please report this",
            "a thread automaton is not complete: %s", str_text(&why));
  str_free(&why);
  return ok;
}

static bool show(Work *w, const Program *view, bool dot, TextSink *sink, void *user,
                 Err *err) {
  AutomatonQuestion question = {
      .program = view,
      .pointsto = w->pointsto,
      .sharing = w->sharing,
      .asked = w->asked,
  };
  Automata *automata = automata_new(&question);
  bool ok = is_checked(automata, err);
  if (ok && dot)
    automata_dot(automata, sink, user);
  else if (ok)
    automata_print(automata, sink, user);
  automata_free(automata);
  return ok;
}

static bool show_slice(Work *w, bool dot, TextSink *sink, void *user, Err *err) {
  SliceQuestion question = {w->program, w->pointsto, w->sharing, w->asked, NULL};
  Slice *slice = slice_new(&question);
  Program view;
  Str why = {0};
  bool ok = slice_check(&question, slice, &why);
  if (!ok)
    err_set(err, ERR_INTERNAL, NULL, 0, 0, "please report this",
            "a slice is not closed: %s", str_text(&why));
  str_free(&why);
  if (ok) {
    slice_view(w->program, slice, &view);
    ok = show(w, &view, dot, sink, user, err);
    slice_view_free(&view);
  }
  slice_free(slice);
  return ok;
}

bool cli_write_automata(const Program *program, const char *about, bool dot,
                        TextSink *sink, void *user, Err *err) {
  if (about && !has_object(program, about))
    return err_input(err, NULL, "`heddle model` lists them all",
                     "--about: the program has no variable '%s' in memory", about);
  Work w = {.program = program, .about = about};
  w.pointsto = pointsto_new(program, NULL);
  w.sharing = sharing_new(program, w.pointsto);
  ask(&w);
  bool ok = about ? show_slice(&w, dot, sink, user, err)
                  : show(&w, program, dot, sink, user, err);
  mem_free(w.asked);
  sharing_free(w.sharing);
  pointsto_free(w.pointsto);
  return ok;
}
