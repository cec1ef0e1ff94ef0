/* The certificate of a lock set `safe`: an inductive set of facts, as plain data.
 *
 * It says for every function, in every context in which it is entered, and for every node of
 * it, which states describe all executions that come there; and what kinds of threads there
 * are. Whether that is true is not this file's concern: proof/proof.h checks it, and works out
 * from the facts that no two accesses race. Nothing in here points into the finder's memory, so
 * a certificate can be kept, changed (by tests) and checked by itself.
 *
 * Meaning of a state at a node, for a thread that is there in that context:
 *   bindings  the local has this value; the cell has this content; the cell holds the id of
 *             the latest thread of that kind
 *   locks     this thread holds them
 *   alive     each thread that this one has created, itself or through others, and that is of
 *             no kind in the set, has ended, and its end happens before this moment
 *   done, inside  one-time initialisers that have ended before; that this thread is running
 *   fresh     the object whose address the symbol is has been given to nobody
 *   handed    loop counters whose element has been given to a thread in this round; the others
 *             have not
 *   section   at least so many atomic sections are open
 *
 * A symbol is a fixed, unknown value: within one activation of a function it is what its
 * definition gave last. See docs/certificate.md. */
#ifndef HEDDLE_VERDICT_CERTIFICATE_H
#define HEDDLE_VERDICT_CERTIFICATE_H

#include "base/vec.h"
#include "model/ids.h"

#include <stdbool.h>

/* base + index × stride + offset. The base is an object's address, a symbol, or nothing. */
typedef struct {
  uint32_t base;  /* object << 1, symbol << 1 | 1, or 0 */
  uint32_t index; /* symbol, or 0 */
  int64_t stride;
  int64_t offset;
  uint32_t known;   /* 0: any value */
  uint32_t nonzero; /* it is not 0 */
} CertValue;

typedef enum {
  CERT_NONE,
  CERT_PARAM, /* a: number of the parameter, at the start of this activation */
  CERT_EDGE,  /* a: the edge that computed it last, b: 1 for its second result */
  CERT_LOAD,  /* a: the LOAD edge; the same as EDGE, address: what it read */
  CERT_PHI, /* a: a node, b: the local whose value it was when the node was entered last */
  CERT_ARGUMENT, /* the argument of this thread */
  CERT_OPAQUE,   /* a: number of a lock that a caller holds: its address */
  CERT_THREAD,   /* a: a kind of thread: the id of its latest instance */
  CERT_CELL,     /* a: object, b: offset: what is stored there now */
  CERT_PHI_CELL, /* like PHI; b: symbol of a cell: its content when the node was entered */
  CERT_PHI_ID,   /* like PHI; b: symbol of a cell: the kind of thread whose id it held */
} CertSymbolKind;

typedef struct {
  uint32_t kind, a, b;
  uint32_t size;     /* of a CELL: bytes; 0: only the id of a thread is meant */
  CertValue address; /* of a LOAD */
} CertSymbol;

typedef enum {
  CERT_LOCAL_IS, /* the local `subject` has the value */
  CERT_CELL_IS,  /* the cell of the symbol `subject` contains the value */
  CERT_ID_IS,    /* … contains the id of the latest thread of kind value.offset */
} CertBindingKind;

typedef struct {
  uint32_t kind, subject;
  CertValue value;
} CertBinding;

typedef struct {
  CertValue name;  /* its address */
  uint32_t kind;   /* LockKind */
  uint32_t mode;   /* LockMode */
  uint32_t depth;  /* of a recursive lock: so many times */
  uint32_t unique; /* the name means the same lock in the whole run */
} CertLock;

typedef struct {
  uint32_t first_binding, binding_count; /* Certificate.bindings; sorted */
  uint32_t first_lock, lock_count;       /* Certificate.locks */
  uint32_t first_fresh, fresh_count;     /* Certificate.numbers: symbols */
  uint32_t first_handed, handed_count;
  uint32_t alive, done, inside; /* Certificate.sets */
  uint32_t section;
  uint32_t in_thread; /* not the main thread */
} CertState;

/* A set of numbers; set 0 is empty, set CERT_EVERYTHING has all. */
enum { CERT_EVERYTHING = 1 };
typedef struct {
  uint32_t first, count; /* Certificate.numbers, ascending */
} CertSet;

typedef struct {
  uint32_t first, count; /* Certificate.node_states: indices of states */
} CertNode;

typedef struct {
  uint32_t state;
  CertValue result;
} CertExit;

typedef struct {
  FuncId function;
  uint32_t entry;      /* state */
  uint32_t first_node; /* Certificate.nodes, one for each node of the function */
  uint32_t first_exit, exit_count; /* Certificate.exits */
  /* Certificate.numbers: contexts that its calls lead to. A hint, where to look first: a call may fit
   * several, and the vaguer ones may access more than is ever done there. */
  uint32_t first_callee, callee_count;
} CertContext;

typedef struct {
  FuncId entry;
  EdgeId site; /* CREATE edge; CALL edge of what the library calls at any time; 0: main */
  uint32_t first_entry, entry_count; /* Certificate.numbers: contexts */
} CertThread;

/* Where a one-time control lies; its index is its number in the sets `done` and `inside`. */
typedef struct {
  ObjectId object;
  uint32_t offset;
} CertOnce;

typedef struct {
  VEC(CertSymbol) symbols; /* 0 is none */
  VEC(CertBinding) bindings;
  VEC(CertLock) locks;
  VEC(uint32_t) numbers;
  VEC(CertSet) sets;
  VEC(CertState) states;
  VEC(uint32_t) node_states;
  VEC(CertNode) nodes;
  VEC(CertExit) exits;
  VEC(CertContext) contexts;
  VEC(CertThread) threads; /* 0 is the main thread */
  VEC(CertOnce) onces;
} Certificate;

void certificate_free(Certificate *certificate);
bool certificate_set_has(const Certificate *c, uint32_t set, uint32_t element);

#endif
