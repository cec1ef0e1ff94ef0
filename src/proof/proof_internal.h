/* Private to the checker.
 *
 *   proof.c         the plan: shape, tables, steps, threads, pairs
 *   proof_shape.c   no index of the certificate leads outside of it
 *   proof_value.c   values of expressions, what a condition tells
 *   proof_world.c   a state while a step changes it; does it fit a claimed state
 *   proof_step.c    the rule of every operation
 *   proof_call.c    calls: into a context and back
 *   proof_thread.c  kinds of threads: who creates whom, who overlaps whom, create and join
 *   proof_access.c  what an edge reads and writes
 *   proof_place.c   which objects exist once; where ids and fixed cells may be
 *   proof_pair.c    every pair of accesses has a reason */
#ifndef HEDDLE_PROOF_INTERNAL_H
#define HEDDLE_PROOF_INTERNAL_H

#include "proof/proof.h"

enum { MAX_REJECTIONS = 24 };

typedef CertValue Val;

/* A set of kinds of threads, or of one-time controls. */
typedef struct {
  bool all;
  VEC(uint32_t) list; /* ascending */
} Set;

/* A symbol that has got another meaning by this step, or whose low bits are known. */
typedef struct {
  uint32_t symbol;
  uint32_t bits;
  Val value;
} Meaning;

/* The low bits of a symbol are not all 0. */
typedef struct {
  uint32_t symbol, bits;
} NonZero;

/* What holds while a step is taken: a claimed state, then changed by the rules. Values may
 * mention symbols beyond those of the certificate, each standing for one unknown value. */
typedef struct {
  VEC(CertBinding) bindings;
  VEC(CertLock) locks;
  VEC(uint32_t) fresh;
  VEC(uint32_t) handed;
  Set alive, done, inside;
  uint32_t section, in_thread;
  VEC(Meaning) equal;   /* symbols whose value is known by now */
  VEC(NonZero) nonzero;
  VEC(Meaning) redefined; /* what the claimed state means by these symbols */
  EdgeId edge;            /* … and by the results of this edge */
  Val edge_value[2];
  uint32_t next_unknown;
  bool claim_shared; /* in the claimed state other threads may run */
  bool entering; /* the claimed state belongs to another activation */
} World;

typedef enum {
  ACCESS_READ = 1,
  ACCESS_WRITE = 2,
  ACCESS_ATOMIC = 4,
  ACCESS_FREE = 8,
  ACCESS_SYNCED = 16,
} AccessFlags;

/* One thing that an edge does to memory. */
typedef struct {
  uint32_t flags;
  ExprId address;  /* 0: `object` says it all */
  AObject object;  /* hidden state of the library */
  uint32_t size;   /* bytes; 0: any number */
  bool content;    /* what is pointed to by the pointers stored there */
} Access;

typedef VEC(Access) AccessVec;

/* (thread, context) that runs, with links for the contexts it enters. */
typedef struct {
  VEC(uint32_t) callees; /* contexts */
} Links;

typedef struct {
  const Program *p;
  const PointsTo *pt;
  const Certificate *c;
  const Map *accepted;
  Arena *arena;
  ProofResult *result;
  uint32_t unknown_local; /* first number of the unknown values of locals */
  uint32_t unknown_other; /* first number of all others */
  Map contexts_of;        /* function to the first of its contexts + 1 */
  VEC(uint32_t) next_context; /* the next of the same function + 1 */
  VEC(uint32_t) cells;    /* all symbols of cells */
  Map edge_symbols;       /* edge << 1 | second to symbol */
  Map thread_symbols;     /* kind to symbol */
  VEC(Links) links;       /* by context */
  Map cells_of;           /* object to the last of its cell symbols */
  VEC(uint32_t) next_cell; /* by symbol: the next cell of the same object */
  VEC(uint8_t *) writers; /* by symbol of a cell: functions that write it, or NULL */
  uint8_t *anywhere;      /* functions that write memory of unknown origin */
  Map may_write;          /* function << 32 | cell to 1 (no) or 2 (yes) */
  VEC(uint8_t *) reached; /* by function: the functions it may enter, or NULL */
  Map written;            /* symbols of cells that are written in shared time */
  bool all_written;
  bool weak_publication;
  bool has_setjmp, has_cancel;
  /* Kinds of threads: matrices of threads.len × threads.len. */
  uint8_t *creates, *descends, *overlaps;
  uint8_t *runs_in;       /* thread × function */
  VEC(uint8_t) once_memo; /* by function: 0 unknown, 1 being asked, 2 no, 3 yes */
  VEC(uint8_t) recursive; /* by function */
} Proof;

/* ---- proof.c ---- */
void reject(Proof *p, EdgeId edge, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- proof_shape.c ---- */
bool shape_is_sound(Proof *p);

/* ---- proof_value.c ---- */
Val val_unknown(void);
Val val_number(int64_t n);
Val val_symbol(uint32_t symbol);
Val val_object(ObjectId object);
bool val_is_number(const Val *v, int64_t *ret);
/* A symbol and nothing else. */
bool val_is_symbol(const Val *v, uint32_t *ret);
bool val_equal(const Val *x, const Val *y);
/* Equal values of this form are equal addresses. */
bool names_one(Proof *p, const Val *v);
Val val_add(Val x, Val y);
Val val_times(Val x, int64_t n);
bool val_mentions(const Val *v, uint32_t symbol);
Val eval(Proof *p, World *w, ExprId e);
/* Adds what the truth (or falsity) of a condition tells; false when it cannot be so. */
bool assume(Proof *p, World *w, ExprId condition, bool truth);

const char *val_text(Proof *p, Val v);

/* ---- proof_world.c ---- */
void world_free(World *w);
void world_load(Proof *p, World *w, uint32_t state);
void world_copy(World *to, const World *from);
bool world_is_shared(const World *w);
Val world_local(Proof *p, const World *w, LocalId local);
void world_set_local(Proof *p, World *w, LocalId local, Val v);
Val world_new_value(Proof *p, World *w);
/* Values are known modulo 2^bits: what is known of fewer bits does not count. */
Val world_normal(Proof *p, const World *w, Val v, uint32_t bits);
bool world_is_nonzero(const World *w, const Val *v, uint32_t bits);
bool world_equate(Proof *p, World *w, uint32_t symbol, Val v, uint32_t bits);
void world_redefine(Proof *p, World *w, uint32_t symbol, Val v);
/* The old meaning of a symbol is over: what mentions it keeps an unnamed value. */
void world_rename(Proof *p, World *w, uint32_t symbol);
const Val *world_cell(const World *w, uint32_t kind, uint32_t symbol);
void world_set_cell(World *w, uint32_t kind, uint32_t symbol, Val v);
void world_drop_cell(World *w, uint32_t kind, uint32_t symbol);
/* What holds entails the claimed state, entered at `node` (0: at an entry or exit). */
bool world_fits(Proof *p, World *w, uint32_t state, NodeId node, const char **ret_why);
/* … one of the states that the context has behind the edge. */
bool world_fits_some(Proof *p, World *w, uint32_t context, EdgeId e, const char **ret_why);
/* The same, but rejects if it is not so. */
void world_arrive(Proof *p, World *w, uint32_t context, EdgeId e);
/* What the claimed state means by a value; unknown if it has no meaning there. */
Val world_meaning(Proof *p, World *w, Val v, NodeId node, uint32_t bits);
void numset_load(Proof *p, Set *s, uint32_t set);
bool numset_has(const Set *s, uint32_t x);
void numset_add(Set *s, uint32_t x);
void numset_remove(Set *s, uint32_t x);

/* ---- proof_step.c ---- */
void step(Proof *p, uint32_t context, uint32_t state, EdgeId e);
/* The value travels on in a way that is not followed: what it may point to is not fresh. */
void escape_expr(Proof *p, World *w, ExprId e);
/* Writes of this edge change the contents of cells. */
void forget_written(Proof *p, World *w, EdgeId e);

/* ---- proof_call.c ---- */
void step_call(Proof *p, uint32_t context, World *w, EdgeId e);
void step_once(Proof *p, uint32_t context, World *w, EdgeId e);

/* ---- proof_thread.c ---- */
void kinds_prepare(Proof *p);
void step_create(Proof *p, uint32_t context, World *w, EdgeId e);
void step_join(Proof *p, uint32_t context, World *w, EdgeId e);
/* What still runs when a thread of this kind ends, or at the end of a constructor. */
void check_thread_ends(Proof *p);
uint32_t thread_of(const Proof *p, EdgeId site, FuncId entry);
bool thread_is_apart(const Proof *p, uint32_t thread);
/* In states with these sets of living threads, two instances may come in any order. */
bool may_be_parallel(const Proof *p, uint32_t x, uint32_t alive_x, uint32_t y,
                     uint32_t alive_y);

/* ---- proof_access.c ---- */
void edge_accesses(Proof *p, EdgeId e, AccessVec *ret);

/* Offsets count elements of arrays as one; the access reaches from one element into another,
 * and so to smaller offsets than its own. */
bool access_wraps(const Proof *p, AObject object, uint32_t offset, uint32_t size);

/* ---- proof_place.c ---- */
bool runs_once(Proof *p, FuncId function);
bool function_is_recursive(Proof *p, FuncId function);
bool edge_on_cycle(const Proof *p, EdgeId e);
bool object_is_single(Proof *p, ObjectId object);
void places_prepare(Proof *p);
uint32_t cell_bits(const Proof *p, uint32_t symbol);
/* The cell of so many bytes (0: the one for ids) at an exactly known address, or 0. */
uint32_t cell_at(const Proof *p, const Val *address, uint32_t size);
/* It may be written while several threads run. */
bool cell_is_written(const Proof *p, uint32_t symbol);
/* The access may touch bytes of the cell. */
bool touches_cell(const Proof *p, const Access *a, AObject object, uint32_t offset,
                  const Val *address, uint32_t symbol);
/* The function, or one that it calls, may write the cell. */
bool function_may_write(Proof *p, FuncId function, uint32_t cell_symbol);
/* The function may, itself or through calls, come to an edge with this operation (of this
 * creating edge, if it is not 0). */
bool function_may_do(Proof *p, FuncId function, OpKind op, EdgeId edge);
/* Calls `visit` for every edge at which a context has a state. */
typedef void StepVisitor(Proof *p, uint32_t context, uint32_t state, EdgeId e, void *data);
void visit_steps(Proof *p, StepVisitor *visit, void *data);
void visit_context(Proof *p, uint32_t context, StepVisitor *visit, void *data);
/* Targets of an access in a world: the one object that the address is known to be in, or what
 * points-to says. */
typedef void TargetVisitor(Proof *p, const Access *a, AObject object, uint32_t offset,
                           const Val *address, void *data);
void visit_targets(Proof *p, World *w, const Access *a, TargetVisitor *visit, void *data);

/* ---- proof_pair.c ---- */
void check_pairs(Proof *p);

#endif
