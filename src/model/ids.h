/* The numbers by which the parts of a program model refer to each other.
 *
 * A model is a set of flat tables; a reference is an index into one of them. Index 0 of every
 * table is a reserved empty entry, so that 0 always means "none" and zeroed memory is valid. */
#ifndef HEDDLE_MODEL_IDS_H
#define HEDDLE_MODEL_IDS_H

#include <stdint.h>

typedef uint32_t Sym;      /* offset of a NUL-terminated text; 0 is "" */
typedef uint32_t ExprId;   /* Program.exprs */
typedef uint32_t LocalId;  /* Program.locals */
typedef uint32_t ObjectId; /* Program.objects */
typedef uint32_t FuncId;   /* Program.functions */
typedef uint32_t NodeId;   /* Program.nodes */
typedef uint32_t EdgeId;   /* Program.edges */
typedef uint32_t TypeId;   /* Program.types */
typedef uint32_t LocId;    /* Program.locs */

#endif
