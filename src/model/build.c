/* The builder's shared tables: texts, places, assumptions. See build.h. */
#include "model/build_internal.h"

#include "base/str.h"

/* Entry 0 of every table is the reserved empty one. */
static void reserve_zero_entries(Program *p) {
  vec_push(&p->text, 0);
  vec_push(&p->bytes, 0);
  (void)vec_extend(&p->exprs, 1);
  (void)vec_extend(&p->types, 1);
  (void)vec_extend(&p->fields, 1);
  (void)vec_extend(&p->locs, 1);
  (void)vec_extend(&p->objects, 1);
  (void)vec_extend(&p->relocs, 1);
  (void)vec_extend(&p->locals, 1);
  (void)vec_extend(&p->functions, 1);
  (void)vec_extend(&p->passings, 1);
  (void)vec_extend(&p->frame_objects, 1);
  (void)vec_extend(&p->effects, 1);
  (void)vec_extend(&p->nodes, 1);
  (void)vec_extend(&p->edges, 1);
  (void)vec_extend(&p->args, 1);
  (void)vec_extend(&p->results, 1);
  (void)vec_extend(&p->labels, 1);
  (void)vec_extend(&p->templates, 1);
  (void)vec_extend(&p->constructors, 1);
  (void)vec_extend(&p->destructors, 1);
  (void)vec_extend(&p->assumptions, 1);
  (void)vec_extend(&p->accepts, 1);
}

Builder *builder_new(void) {
  Builder *b = mem_alloc_zero(sizeof *b);
  reserve_zero_entries(&b->program);
  /* node 0 has no edges: the edges of node 1 start at edge 1 */
  b->program.nodes.data[0].first_edge = 1;
  strmap_put(&b->syms, "", 0);
  return b;
}

void builder_free(Builder *b) {
  if (!b) return;
  program_free(&b->program);
  strmap_free(&b->syms);
  map_free(&b->locs);
  strmap_free(&b->exprs);
  strmap_free(&b->wides);
  strmap_free(&b->assumptions);
  vec_free(&b->edges);
  vec_free(&b->body_labels);
  mem_free(b);
}

Program *builder_program(Builder *b) {
  return &b->program;
}

void builder_finish(Builder *b, Program *ret_program) {
  Node end = {.first_edge = b->program.edges.len};
  vec_push(&b->program.nodes, end);
  *ret_program = b->program;
  b->program = (Program){0};
}

Sym builder_sym_n(Builder *b, const char *text, size_t length) {
  /* a Sym ends at its first NUL, so a text with one inside is cut there */
  length = strnlen(text, length);
  uint64_t *slot = strmap_at(&b->syms, text, length);
  if (*slot || !length) return (Sym)*slot;
  Sym sym = b->program.text.len;
  char *to = vec_extend(&b->program.text, length + 1);
  memcpy(to, text, length);
  *slot = sym;
  return sym;
}

Sym builder_sym(Builder *b, const char *text) {
  return builder_sym_n(b, text, strlen(text));
}

LocId builder_loc(Builder *b, Sym file, uint32_t line, uint32_t column) {
  if (!file && !line) return 0;
  uint64_t key = ((uint64_t)file << 40) ^ ((uint64_t)line << 16) ^ column;
  for (;; key = key * 0x9e3779b97f4a7c15u + 1) {
    uint64_t *slot = map_at(&b->locs, key);
    if (!*slot) {
      vec_push(&b->program.locs, (Loc){file, line, column});
      *slot = b->program.locs.len - 1;
      return (LocId)*slot;
    }
    const Loc *loc = &b->program.locs.data[*slot];
    if (loc->file == file && loc->line == line && loc->column == column)
      return (LocId)*slot;
  }
}

void builder_assume(Builder *b, LocId loc, const char *format, ...) {
  Str text = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  uint64_t *slot = strmap_at(&b->assumptions, str_text(&text), text.len);
  if (*slot) {
    b->program.assumptions.data[*slot].count++;
  } else {
    *slot = b->program.assumptions.len;
    vec_push(&b->program.assumptions,
             (Assumption){builder_sym(b, str_text(&text)), loc, 1});
  }
  str_free(&text);
}
