/* The file as a whole: what stands in it, in which order. See seqc.h.
 *
 * The bodies are made first, because they say which objects, headers and kinds of operations are
 * used; what is printed before them is put together afterwards. */
#include "seqc/emit.h"

#include "base/mem.h"
#include "seqc/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- services of the parts ---- */

void seqc_refuse(Seqc *s, const char *remedy, const char *format, ...) {
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  const Edge *e = s->edge ? program_edge(s->program, s->edge) : NULL;
  const Loc *loc = vec_at(&s->program->locs, e ? e->loc : 0);
  const char *file = sym_text(s->program, loc->file);
  err_set(s->err, ERR_LIMIT, *file ? file : NULL, (int)loc->line, (int)loc->column,
          remedy, "%s", str_text(&text));
  str_free(&text);
}

void seqc_line(Seqc *s, const char *format, ...) {
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  for (int i = 0; text.len && i < s->indent; i++) str_add(s->out, "  ");
  str_add(s->out, str_text(&text));
  str_add_char(s->out, '\n');
  str_free(&text);
}

const Function *seqc_function(const Seqc *s, FuncId id) {
  return vec_at(&s->program->functions, id);
}

const char *seqc_leave(const Seqc *s) {
  return seqc_function(s, s->function)->return_bits ? "return 0;" : "return;";
}

/* ---- parts of the file ---- */

static bool is_written(const Seqc *s, FuncId id) {
  return (seqc_function(s, id)->flags & FUNCTION_DEFINED) &&
         pointsto_is_reachable(s->pointsto, id);
}

static void put_heading(Seqc *s, FuncId id, const char *end) {
  const Function *f = seqc_function(s, id);
  Str text = {0};
  const char *type =
      f->return_bits ? seqc_type(s, f->return_sort, f->return_bits) : "void";
  str_addf(&text, "static %s%s%s(", type, str_ends(type, "*") ? "" : " ",
           s->functions[id]);
  for (uint32_t i = 0; i < f->param_count; i++) {
    const Local *l = vec_at(&s->program->locals, f->first_local + i);
    type = seqc_type(s, l->sort, l->bits);
    str_addf(&text, "%s%s%s%s", i ? ", " : "", type, str_ends(type, "*") ? "" : " ",
             s->locals[i]);
  }
  seqc_line(s, "%s%s)%s", str_text(&text), f->param_count ? "" : "void", end);
  str_free(&text);
}

static void collect(Seqc *s) {
  const Program *p = s->program;
  for (EdgeId i = 1; i < p->edges.len; i++) {
    const Edge *e = &p->edges.data[i];
    if (!is_written(s, p->nodes.data[e->from].function)) continue;
    seqc_find_shapes(s, i);
    const FuncId *callees;
    uint32_t count = e->op == OP_CREATE ? pointsto_callees(s->pointsto, i, &callees) : 0;
    for (uint32_t k = 0; k < count; k++) {
      bool known = !(seqc_function(s, callees[k])->flags & FUNCTION_DEFINED);
      for (uint32_t n = 0; n < s->entries.len; n++)
        known = known || s->entries.data[n] == callees[k];
      if (!known) vec_push(&s->entries, callees[k]);
    }
  }
}

static void put_functions(Seqc *s, Str *prototypes, Str *bodies) {
  for (FuncId i = 1; i < s->program->functions.len; i++) {
    if (!is_written(s, i)) continue;
    s->out = bodies;
    Str body = {0};
    s->out = &body;
    seqc_body(s, i);
    s->out = prototypes;
    put_heading(s, i, ";");
    s->out = bodies;
    const Function *f = seqc_function(s, i);
    const Loc *loc = vec_at(&s->program->locs, f->loc);
    seqc_line(s, "/* %s, %s:%u */", sym_text(s->program, f->name),
              sym_text(s->program, loc->file), loc->line);
    put_heading(s, i, " {");
    str_add(bodies, str_text(&body));
    seqc_line(s, "}");
    seqc_line(s, "%s", "");
    str_free(&body);
  }
}

static void put_startups(Seqc *s, const Startup *table, uint32_t count,
                         const char *before) {
  for (uint32_t i = 0; i < count; i++)
    if (table[i].function && is_written(s, table[i].function)) {
      if (seqc_function(s, table[i].function)->param_count)
        seqc_refuse(s, "leave them out",
                    "a constructor with parameters is not translated");
      seqc_line(s, "%s%s();", before, s->functions[table[i].function]);
    }
}

static void put_place(Seqc *s) {
  const Object *o = vec_at(&s->program->objects, s->place.object);
  if (s->place.object && o->kind == OBJECT_GLOBAL) {
    s->object_used[s->place.object] = 1;
    seqc_line(s, "r = (char *)&%s + %" PRIu64 ";", s->objects[s->place.object],
              s->place.offset);
  }
}

static void put_main(Seqc *s) {
  static const char *const words[] = {"1", "(char *)arguments", "(char *)&arguments[1]"};
  const Program *p = s->program;
  const Function *f = seqc_function(s, p->main);
  seqc_line(s, "/* Check(program) */");
  seqc_line(s, "int main(void) {");
  s->indent++;
  seqc_line(s, "static char *arguments[3];");
  seqc_line(s, "arguments[0] = (char *)\"program\";");
  seqc_line(s, "initial();");
  seqc_line(s, "self = thread_new();");
  seqc_line(s, "depth = 1;");
  seqc_line(s, "initial_thread();");
  put_place(s);
  put_startups(s, p->constructors.data, p->constructors.len, "");
  Str call = {0};
  for (uint32_t i = 0; i < f->param_count && i < 3; i++)
    str_addf(&call, "%s%s", i ? ", " : "", words[i]);
  seqc_line(s, "%s(%s);", s->functions[p->main], str_text(&call));
  str_free(&call);
  seqc_line(s, "if (!raise && !SWITCH()) {");
  put_startups(s, p->destructors.data, p->destructors.len, "  ");
  seqc_line(s, "  STOP(); /* the end of main is the end of all */");
  seqc_line(s, "}");
  seqc_line(s, "raise = 0;");
  seqc_line(s, "self = depth = 0;");
  seqc_line(s, "schedule();");
  seqc_line(s, "STOP();");
  seqc_line(s, "return 0;");
  s->indent--;
  seqc_line(s, "}");
}

static void put_beginning(Seqc *s) {
  if (s->place.object)
    seqc_line(s,
              "/* Races on %s, as a sequential program (heddle seq --race, --max %u). */",
              s->options->race, s->options->max);
  else
    seqc_line(
        s, "/* Assertions, as a sequential program (heddle seq --assert, --max %u). */",
        s->options->max);
  for (uint32_t i = 0; i < s->headers.len; i++)
    seqc_line(s, "#include <%s>", s->headers.entries[i].key);
  str_add(s->out, seqc_text[0].text);
  seqc_line(s, "%s", "");
  seqc_line(s, "#define MAX %u /* threads that wait for their start */", s->options->max);
  seqc_line(s, "#ifndef THREADS");
  seqc_line(
      s, "#define THREADS 16 /* runs with more of them are not looked at; at most 63 */");
  seqc_line(s, "#endif");
  seqc_line(s, "#ifndef OBJECTS");
  seqc_line(s, "#define OBJECTS 64 /* ... with more objects of synchronisation */");
  seqc_line(s, "#endif");
  seqc_line(s, "%s", "");
  str_add(s->out, seqc_text[1].text);
  seqc_line(s, "%s", "");
  if (!s->place.object) return;
  seqc_line(s, "#define R_SIZE   %" PRIu64, s->place.size);
  seqc_line(s, "#define R_OFFSET %" PRIu64, s->place.offset);
  str_add(s->out, seqc_text[2].text);
  seqc_line(s, "%s", "");
}

static void put_file(Seqc *s, Str *out) {
  Str prototypes = {0}, bodies = {0}, middle = {0};
  collect(s);
  put_functions(s, &prototypes, &bodies);
  s->out = &bodies;
  put_main(s);
  s->out = &middle;
  seqc_declare_objects(s);
  if (s->program->labels.len)
    seqc_line(s, "static char labels[%u];", s->program->labels.len + 1);
  str_add(&middle, str_text(&prototypes));
  seqc_line(s, "%s", "");
  seqc_initial(s);
  seqc_sync_functions(s);
  s->out = out;
  put_beginning(s);
  str_add(out, str_text(&middle));
  seqc_line(s, "/* ---- the program ---- */");
  seqc_line(s, "%s", "");
  str_add(out, str_text(&bodies));
  str_free(&prototypes);
  str_free(&bodies);
  str_free(&middle);
}

bool seqc_write(const Program *program, const SeqcOptions *options, Str *out, Err *err) {
  Seqc s = {.program = program, .options = options, .err = err, .out = out};
  PointsTo *pointsto = pointsto_new(program, NULL);
  s.pointsto = pointsto;
  s.liveness = liveness_new(program);
  s.object_used = mem_alloc_zero(program->objects.len + 1);
  seqc_find_shared(&s);
  if (seqc_find_place(&s)) {
    seqc_name_all(&s);
    put_file(&s, out);
  }
  seqc_free_names(&s);
  strmap_free(&s.headers);
  vec_free(&s.entries);
  vec_free(&s.shapes);
  mem_free(s.object_used);
  mem_free(s.object_shared);
  liveness_free(s.liveness);
  pointsto_free(pointsto);
  return err->kind == ERR_NONE;
}
