/* Numbers that are used as addresses: registers of a device at a fixed place, memory that a
 * system call returned as a long, an address that was read from a file.
 *
 * Every number of 64 bits might be one, and hardly any is: arguments of threads, indices and
 * sizes travel as pointers, or share a word with them. So a number is a loc of its own, which
 * travels like a pointer and designates nothing. When nothing else changes any more, pointers
 * that are used and have no other target are found to lead outside: there they may reach all
 * that is known outside, and what is stored there becomes so. What lies around NULL and the
 * results that mean errors (-1 as MAP_FAILED) are no numbers in this sense. */
#include "analysis/pointsto_internal.h"

enum {
  NEAR_NULL = 4096,  /* nothing is ever mapped there, nor as far below the last address */
  WORDS_LIMIT = 512, /* words of an initialiser that are told apart */
};

static bool is_plain(uint64_t value) {
  return value < NEAR_NULL || value > UINT64_MAX - NEAR_NULL;
}

NodeNo pt_number_node(Solver *s, uint32_t bits) {
  uint32_t slots = slots_of(bits);
  NodeNo node = pt_node_new(s, slots);
  for (uint32_t i = 0; i < slots; i++) pt_node_add(s, node + i, LOC_NUMBER);
  return node;
}

bool pt_expr_is_number(const Solver *s, const Expr *e) {
  if (e->bits < 64 || (e->sort != SORT_INT && e->sort != SORT_PTR)) return false;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: return !is_plain(e->value);
  case EXPR_BITCAST: { /* of an integer, which may have been put together from smaller ones */
    const Expr *from = program_expr(s->p, e->a);
    return e->sort == SORT_PTR && from->sort != SORT_PTR && from->kind != EXPR_CONST;
  }
  case EXPR_NONE:
  case EXPR_LOCAL:
  case EXPR_OBJECT:
  case EXPR_FUNC:
  case EXPR_LABEL:
  case EXPR_PTRADD:
  case EXPR_ITE:
  case EXPR_INSERT:
  case EXPR_EXTRACT: return false;
  default: return true; /* arithmetic, and what is not initialised */
  }
}

static uint64_t word_at(const Solver *s, const Object *o, uint64_t at) {
  uint64_t word = 0;
  uint64_t n = o->init_size - at < 8 ? o->init_size - at : 8;
  memcpy(&word, &s->p->bytes.data[o->init + at], n);
  return word;
}

/* Texts are no addresses. */
bool pt_object_has_numbers(const Solver *s, ObjectId id) {
  const Object *o = vec_at(&s->p->objects, id);
  if (o->flags & OBJECT_LITERAL) return false;
  for (uint64_t at = 0; at < o->init_size; at += 8)
    if (!is_plain(word_at(s, o, at))) return true;
  return false;
}

void pt_object_add_numbers(Solver *s, ObjectId id) {
  const Object *o = vec_at(&s->p->objects, id);
  if (o->init_size > WORDS_LIMIT * 8) {
    pt_node_add(s, pt_object_any(s, id), LOC_NUMBER);
    return;
  }
  for (uint64_t at = 0; at < o->init_size; at += 8)
    if (!is_plain(word_at(s, o, at)))
      pt_node_add(s, pt_object_word(s, id, (int64_t)at), LOC_NUMBER);
}

/* What happens at the address, rather than to the value itself. */
static bool is_address(const Solver *s, const PtNode *n) {
  for (uint32_t i = 0; i < n->uses.len; i++)
    if (s->uses.data[n->uses.data[i]].kind != USE_ESCAPE) return true;
  return false;
}

bool pt_numbers_resolve(Solver *s) {
  bool found = false;
  SetNo number = pt_sets_one(&s->sets, LOC_NUMBER);
  for (NodeNo node = 1; node < s->nodes.len; node++) {
    const PtNode *n = &s->nodes.data[node];
    if (n->parent != node || n->set != number || !is_address(s, n)) continue;
    pt_node_add(s, node, LOC_UNKNOWN);
    found = true;
  }
  return found;
}
