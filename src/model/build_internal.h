/* Private to the builder: build.c (tables), build_expr.c (expressions), build_body.c
 * (automata). */
#ifndef HEDDLE_MODEL_BUILD_INTERNAL_H
#define HEDDLE_MODEL_BUILD_INTERNAL_H

#include "base/map.h"
#include "model/build.h"

struct Builder {
  Program program;
  StrMap syms;
  Map locs;           /* hash of (file, line, column) to LocId; collisions probe on */
  StrMap exprs;       /* bytes of an Expr to its ExprId */
  StrMap wides;       /* bytes of a wide constant to its offset */
  StrMap assumptions; /* text to index */
  /* the body under construction */
  FuncId function;
  uint32_t node_count; /* node 0 is never used */
  VEC(Edge) edges;
  VEC(uint32_t) body_labels; /* labels set in this body */
};

#endif
