/* Counting a program: one pass over each table. */
#include "model/stats.h"

#include <inttypes.h>
#include <stdio.h>

static void count_functions(const Program *p, ProgramStats *s) {
  for (FuncId f = 1; f < p->functions.len; f++) {
    uint32_t flags = p->functions.data[f].flags;
    if (flags & FUNCTION_DEFINED)
      s->functions_defined++;
    else if (flags & FUNCTION_UNKNOWN)
      s->functions_unknown++;
    else
      s->functions_library++;
  }
}

static void count_objects(const Program *p, ProgramStats *s) {
  for (ObjectId id = 1; id < p->objects.len; id++) {
    const Object *o = &p->objects.data[id];
    switch ((ObjectKind)o->kind) {
    case OBJECT_GLOBAL:
      if (o->flags & OBJECT_LITERAL)
        s->literals++;
      else if (o->flags & OBJECT_EXTERNAL)
        s->externals++;
      else
        s->globals++;
      break;
    case OBJECT_TLS: s->thread_locals++; break;
    case OBJECT_STACK: s->stack_objects++; break;
    case OBJECT_HEAP: s->heap_sites++; break;
    case OBJECT_LIBRARY: s->library_objects++; break;
    case OBJECT_NONE: break;
    }
  }
}

static void count_edges(const Program *p, ProgramStats *s) {
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    s->by_op[e->op]++;
    bool access = e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW ||
                  e->op == OP_CMPXCHG || e->op == OP_COPY || e->op == OP_FILL;
    s->accesses += access;
    s->atomics += access && e->order != ORDER_NONE;
    s->sync_operations += (e->op >= OP_CREATE && e->op <= OP_ATOMIC_END);
    s->calls += e->op == OP_CALL;
    s->indirect_calls += e->op == OP_CALL && program_expr(p, e->a)->kind != EXPR_FUNC;
  }
}

static uint64_t entries(uint32_t table_len) {
  return table_len ? table_len - 1 : 0;
}

void program_stats(const Program *p, ProgramStats *ret_stats) {
  ProgramStats s = {.files = p->file_count, .lines = p->line_count};
  count_functions(p, &s);
  count_objects(p, &s);
  count_edges(p, &s);
  for (LocalId l = 1; l < p->locals.len; l++) {
    if (p->locals.data[l].flags & LOCAL_VARIABLE)
      s.variables++;
    else
      s.temporaries++;
  }
  s.nodes = p->nodes.len > 2 ? p->nodes.len - 2 : 0; /* without the first and the last */
  s.edges = entries(p->edges.len);
  s.expressions = entries(p->exprs.len);
  s.types = entries(p->types.len);
  s.thread_templates = entries(p->templates.len);
  s.assumptions = entries(p->assumptions.len);
#define TABLE(name) s.bytes += (uint64_t)p->name.len * sizeof *p->name.data;
  PROGRAM_TABLES(TABLE)
#undef TABLE
  *ret_stats = s;
}

static void add_row(Str *out, const char *text, uint64_t number) {
  str_addf(out, "%-34s %10" PRIu64 "\n", text, number);
}

void program_stats_print(const ProgramStats *stats, Str *out) {
#define STAT(field, text) add_row(out, text, stats->field);
  PROGRAM_STATS(STAT)
#undef STAT
  str_add(out, "operations\n");
  for (int op = 0; op < OP_COUNT; op++) {
    char text[40];
    snprintf(text, sizeof text, "  %s", op_text((OpKind)op));
    if (stats->by_op[op]) add_row(out, text, stats->by_op[op]);
  }
}

void program_stats_json(const ProgramStats *stats, JsonWriter *json) {
  json_open_object(json);
#define STAT(field, text) json_key_int(json, #field, (int64_t)stats->field);
  PROGRAM_STATS(STAT)
#undef STAT
  json_key(json, "operations");
  json_open_object(json);
  for (int op = 0; op < OP_COUNT; op++)
    if (stats->by_op[op])
      json_key_int(json, op_text((OpKind)op), (int64_t)stats->by_op[op]);
  json_close_object(json);
  json_close_object(json);
}
