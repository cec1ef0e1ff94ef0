/* What memory an edge touches, read off the column `accesses` of the table in op.h.
 *
 * The analyses, the engines and the checker of proofs ask here, so that none of them can
 * overlook an access that another one sees. A CALL touches what its callee's effects say
 * (effect.h), and is the only operation whose accesses are not listed here. */
#ifndef HEDDLE_MODEL_OP_ACCESS_H
#define HEDDLE_MODEL_OP_ACCESS_H

#include "model/program.h"

typedef enum {
  OP_READS = 1,
  OP_WRITES = 2,
  OP_ATOMIC = 4, /* two atomic accesses never race */
  OP_OBJECT = 8, /* of synchronisation. It is used (OP_READS, OP_ATOMIC), or it is made or
                    destroyed (OP_WRITES); the first byte stands for all of it */
} OpAccessKind;

typedef struct {
  ExprId address;
  uint8_t operand; /* 0..2 for a..c */
  uint8_t kind;    /* OpAccessKind */
  uint32_t
      size;     /* bytes; 0: as many as the value of `count` says, which is no constant */
  ExprId count; /* COPY, FILL: the operand that says how many bytes; else 0 */
} OpAccess;

enum { OP_ACCESS_MAX = 3 };

/* Bytes of things that the library reads or writes for the program, as glibc has them. */
enum {
  OP_VA_LIST_BYTES = 24,
  OP_ID_BYTES = 8,        /* pthread_t, thrd_t */
  OP_WORD_BYTES = 8,      /* the result of a thread */
  OP_TIME_BYTES = 16,     /* struct timespec */
  OP_ATTRIBUTE_BYTES = 4, /* pthread_mutexattr_t */
  OP_INT_BYTES = 4,
};

/* Writes the accesses of the edge; returns how many there are. Operands that are absent,
 * that are null, and counts that are the constant 0 give none. */
uint32_t op_accesses(const Program *program, const Edge *edge,
                     OpAccess ret[OP_ACCESS_MAX]);

/* Edges with this operation may write memory of the program, other than by a call. */
bool op_may_write(OpKind op);

#endif
