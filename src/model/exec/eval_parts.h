/* What eval_code.c and eval_node.c share: the translation of edges and nodes. */
#ifndef HEDDLE_MODEL_EXEC_EVAL_PARTS_H
#define HEDDLE_MODEL_EXEC_EVAL_PARTS_H

#include "model/exec/eval.h"

/* All edges that leave the node; `next` is the node whose code follows (0: none). */
void gen_node(Gen *gen, const Function *function, NodeId node, NodeId next);

/* One edge: operands, operation, jump. */
void gen_edge(Gen *gen, EdgeId edge, NodeId next);
/* Temporaries start anew; the next instruction counts as a step of `edge`. */
void gen_begin_edge(Gen *gen, EdgeId edge);
void gen_jump(Gen *gen, NodeId to, NodeId next);

#endif
