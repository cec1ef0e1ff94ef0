/* Everything known about the locations of one name: what they are, the verdict and its
 * reason, every access with its thread and locks, and the findings in full. */
#include "report/report.h"

#include "model/print.h"
#include "model/program.h"
#include "report/paper.h"

#include <fnmatch.h>
#include <string.h>

static bool is_inside(const char *name, const char *wanted) {
  size_t n = strlen(wanted);
  return strncmp(name, wanted, n) == 0 && (name[n] == '.' || name[n] == '[');
}

/* The last member of the name, or one before it: `queue` fits `pool.queue.head`. */
static bool has_member(const char *name, const char *wanted) {
  size_t n = strlen(wanted);
  for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
    if (strncmp(dot + 1, wanted, n) == 0 && strchr(".[", dot[1 + n]))
      return true; /* the end of the text is found by strchr, too */
  return false;
}

static bool matches(const char *name, const char *wanted) {
  return str_eq(name, wanted) || is_inside(name, wanted) || has_member(name, wanted) ||
         (strpbrk(wanted, "*?") && fnmatch(wanted, name, FNM_NOESCAPE) == 0);
}

static void put_head(Paper *p, Printer *printer, const Location *l) {
  const Program *program = p->result->program;
  const Object *o = vec_at(&program->objects, l->object);
  Ink ink = l->verdict == VERDICT_SAFE ? INK_GOOD
            : l->reason == REASON_RACE ? INK_ERROR
                                       : INK_WARNING;
  paper_put(p, INK_BOLD, l->name);
  paper_put(p, INK_PLAIN, ": ");
  paper_put(p, ink, verdict_text(l->verdict));
  paper_putf(p, INK_PLAIN, ", %s", reason_text(l->reason));
  for (uint32_t i = 0; i < l->guard_count; i++)
    paper_putf(p, INK_BOLD, "%s%s", i ? ", " : " by ", l->guards[i]);
  if (l->engine) paper_putf(p, INK_DIM, " (%s)", l->engine);
  paper_line(p);
  if (l->object) {
    Str text = {0};
    str_add(&text, o->kind == OBJECT_HEAP    ? "allocated: "
                   : o->kind == OBJECT_STACK ? "on the stack: "
                                             : "declared: ");
    if (o->type)
      printer_type(printer, o->type, sym_text(program, o->name), &text);
    else
      str_add(&text, sym_text(program, o->name));
    if (place_is_known(&l->declared))
      str_addf(&text, ", %s:%u", l->declared.file, l->declared.line);
    paper_spaces(p, 2);
    paper_wrap(p, 2, 4, str_text(&text));
    str_free(&text);
  }
  if (l->detail) {
    paper_spaces(p, 2);
    paper_wrap(p, 2, 2, l->detail);
  }
}

static const char *function_of(const FoundAccess *a) {
  return a->place.function ? a->place.function : "";
}

/* Columns as wide as their widest text. */
static void put_accesses(Paper *p, const Location *l) {
  size_t kinds = 0, threads = 0, functions = 0;
  for (uint32_t i = 0; i < l->access_count; i++) {
    const FoundAccess *a = &l->accesses[i];
    size_t n = strlen(a->kind), m = strlen(a->thread);
    size_t k = strlen(function_of(a));
    kinds = n > kinds ? n : kinds;
    threads = m > threads ? m : threads;
    functions = k > functions ? k : functions;
  }
  for (uint32_t i = 0; i < l->access_count; i++) {
    const FoundAccess *a = &l->accesses[i];
    paper_putf(p, INK_PLAIN, "  %-*s  %-*s  %-*s", (int)kinds, a->kind, (int)threads,
               a->thread, (int)functions, function_of(a));
    if (place_is_known(&a->place))
      paper_putf(p, INK_PLAIN, "  %s:%u", a->place.file, a->place.line);
    for (uint32_t k = 0; k < a->lock_count; k++)
      paper_putf(p, INK_BOLD, "%s%s", k ? ", " : "  holding ", a->locks[k]);
    paper_line(p);
  }
}

uint32_t report_explain(const CheckResult *result, const char *name,
                        const TextStyle *style, Str *out) {
  Paper p;
  paper_init(&p, result, style, out);
  Printer *printer = printer_new(result->program);
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->locations.len; i++) {
    const Location *l = &result->locations.data[i];
    if (!matches(l->name, name)) continue;
    count++;
    put_head(&p, printer, l);
    put_accesses(&p, l);
    paper_line(&p);
  }
  for (uint32_t i = 0; i < result->findings.len; i++) {
    const Finding *f = &result->findings.data[i];
    if (!matches(f->name, name)) continue;
    count++;
    paper_finding(&p, f);
    if (f->accepted) {
      paper_put(&p, INK_PLAIN, "  accepted by a comment or a rule");
      paper_line(&p);
    }
    paper_line(&p);
  }
  printer_free(printer);
  paper_free(&p);
  return count;
}
