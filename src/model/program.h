/* The program model: the waist of heddle. Every front builds one, every engine reads one.
 *
 * A Program is a set of flat tables without pointers between them, so it can be written to a
 * file and mapped back (model/store.h). It is immutable once loaded.
 *
 * Shape: functions have a control flow automaton each. Nodes of a function are numbered
 * contiguously, its edges too, sorted by their source node; node n has the edges
 * nodes[n].first_edge up to nodes[n+1].first_edge. Several edges leaving one node are a choice;
 * ASSUME edges make it deterministic where the source is.
 *
 * Invariants are listed and checked in model/validate.c. */
#ifndef HEDDLE_MODEL_PROGRAM_H
#define HEDDLE_MODEL_PROGRAM_H

#include "base/vec.h"
#include "model/effect.h"
#include "model/expr.h"
#include "model/ids.h"
#include "model/op.h"

/* ---- C types, as far as names and layout need them -------------------------------------- */

typedef enum {
  TYPE_NONE, /* unknown */
  TYPE_VOID,
  TYPE_INT, /* signed integers, also plain char where it is signed */
  TYPE_UINT,
  TYPE_BOOL,
  TYPE_FLOAT,
  TYPE_POINTER, /* to elem */
  TYPE_ARRAY,   /* count elements of elem; count 0: unknown or variable */
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_ENUM,
  TYPE_FUNCTION, /* elem: the return type; 0 for void */
  TYPE_ALIAS,    /* typedef `name` of elem */
} TypeKind;

enum { TYPE_CONST = 1, TYPE_VOLATILE = 2, TYPE_ATOMIC = 4, TYPE_INCOMPLETE = 8 };

typedef struct {
  uint8_t kind;
  uint8_t flags;
  uint16_t unused;
  Sym name; /* tag, typedef or basic name; "" if anonymous */
  TypeId elem;
  uint32_t first_field, field_count; /* Program.fields */
  uint64_t size;                     /* bytes */
  uint64_t count;
} Type;

typedef struct {
  Sym name; /* "" for an anonymous member: its own members are found inside */
  TypeId type;
  uint64_t bit_offset;
  uint32_t bit_size; /* of the bit-field, or 8 × the size of the type */
  uint8_t is_bitfield;
  uint8_t unused[3];
} Field;

/* ---- places ----------------------------------------------------------------------------- */

typedef struct {
  Sym file;
  uint32_t line, column; /* 0: unknown */
} Loc;

/* ---- objects: everything that has an address and bytes ------------------------------------ */

typedef enum {
  OBJECT_NONE,
  OBJECT_GLOBAL,
  OBJECT_TLS,     /* one instance for each thread */
  OBJECT_STACK,   /* one instance for each activation of `owner` (or each ALLOCA) */
  OBJECT_HEAP,    /* all objects allocated at one site (edge `site`) */
  OBJECT_LIBRARY, /* state inside a library function; name as in the library table */
} ObjectKind;

enum {
  OBJECT_CONSTANT = 1, /* in read-only memory */
  OBJECT_EXTERNAL = 2, /* declared, not defined in the program: contents unknown */
  OBJECT_INTERNAL = 4, /* static: not visible to other files */
  OBJECT_LITERAL = 8,  /* a string literal or compound constant */
  OBJECT_DYNAMIC = 16, /* size known only at run time (VLA, alloca, heap) */
  OBJECT_PARAM = 32,   /* stack object that holds a parameter */
  OBJECT_SYNCED = 64,  /* OBJECT_LIBRARY: the library itself locks it */
  OBJECT_PLACED = 128, /* the linker or assembly does with it what C does not say */
};

typedef struct {
  uint8_t kind;
  uint8_t unused;
  uint16_t flags;
  Sym name;
  TypeId type;
  FuncId owner; /* the function of a stack object or of a static local; else 0 */
  EdgeId site;  /* OBJECT_HEAP and dynamic stack objects: where it is allocated */
  LocId loc;
  uint32_t align;
  uint64_t size; /* bytes; 0 with OBJECT_DYNAMIC */
  uint64_t init; /* offset in Program.bytes of `init_size` bytes; the rest is zero */
  uint64_t init_size;
  uint32_t first_reloc, reloc_count; /* Program.relocs, ascending offsets */
} Object;

/* An address inside an initialiser: the 8 bytes at `offset` hold the value of `target`
 * (EXPR_OBJECT, EXPR_FUNC, or constant arithmetic over them; `size` bytes of it). */
typedef struct {
  uint64_t offset;
  ExprId target;
  uint32_t size;
} Reloc;

/* ---- functions ---------------------------------------------------------------------------- */

enum {
  LOCAL_PARAM = 1,
  LOCAL_VARIABLE =
      2, /* a variable of the source; without it, a temporary of the translation */
};

typedef struct {
  Sym name; /* the source name; "" for temporaries */
  uint32_t bits;
  uint8_t sort;
  uint8_t flags;
  uint16_t unused;
  TypeId type; /* 0 if unknown */
  LocId loc;
} Local;

enum {
  FUNCTION_DEFINED = 1, /* has a body here */
  FUNCTION_VARARGS = 2,
  FUNCTION_NORETURN = 4,
  FUNCTION_INTERNAL = 8, /* static */
  FUNCTION_RULE = 16,    /* described by the library table: effects below */
  FUNCTION_UNKNOWN = 32, /* neither body nor rule: an assumption stands for it */
  FUNCTION_ADDRESS_TAKEN = 64,
  FUNCTION_ATOMIC = 128,        /* its body runs as one atomic section */
  FUNCTION_PURE = 256,          /* touches no memory at all (math, intrinsics) */
  FUNCTION_RETURNS_TWICE = 512, /* setjmp */
  FUNCTION_QUIET =
      1024, /* calls nothing back, although unknown: inline assembly, intrinsics */
  FUNCTION_PLACED = 2048, /* assembly names it: who calls it, and when, is not known */
  FUNCTION_FORKS = 4096,  /* makes a process of the calling thread alone */
};

/* How a by-value parameter or argument travels, for va_list and copies. */
typedef struct {
  uint32_t byval_size; /* not 0: the argument is a pointer to a copy of so many bytes */
  uint32_t
      byval_align; /* with byval_size 0: not 0 for a vector, which travels in an SSE register */
} Passing;

typedef struct {
  ExprId value;
  Passing passing;
} Arg;

typedef struct {
  Sym name;
  uint32_t flags;
  TypeId type;          /* TYPE_FUNCTION or 0 */
  uint32_t return_bits; /* 0: void */
  uint8_t return_sort;
  uint8_t unused[3];
  LocalId first_local;
  uint32_t local_count, param_count; /* parameters are the first locals */
  uint32_t first_passing;            /* Program.passings, param_count of them */
  NodeId first_node;
  uint32_t node_count;
  NodeId entry;
  EdgeId first_edge;
  uint32_t edge_count;
  uint32_t first_effect, effect_count;
  uint32_t first_object,
      object_count; /* its static-size stack objects: Program.frame_objects */
  LocId loc;
} Function;

typedef struct {
  EdgeId first_edge; /* first_edge of node n+1 is the end */
  FuncId function;
} Node;

/* ---- edges -------------------------------------------------------------------------------- */

enum {
  EDGE_VOLATILE = 1,
  EDGE_WEAK = 2,    /* CMPXCHG that may fail without cause */
  EDGE_OVERLAP = 4, /* COPY: the ranges may overlap */
  EDGE_USER = 8,    /* ASSUME written by the user (__VERIFIER_assume), not a branch;
                       synchronisation by a rule of the user's, on objects of any layout */
  EDGE_ABORT = 16,  /* EXIT through abort; ASSERT(false) through a library function */
  EDGE_INIT = 32,   /* STORE: the first one, of a declaration with initialiser */
  EDGE_TAIL = 64,   /* part of the same source operation as the edge before it */
  EDGE_DEFAULT =
      256,          /* ASSUME of a switch's default: holds exactly if no other edge of its
                         node does */
  EDGE_QUICK = 512, /* EXIT: at once, without exit handlers (_exit) */
  EDGE_MISMATCH =
      128, /* CALL: arguments or result do not fit the callee's definition (a call
                          without a prototype, contradictory declarations in two files) */
};

typedef struct {
  NodeId from, to;    /* to is 0 for operations without successor */
  uint8_t op;         /* OpKind */
  uint8_t order;      /* MemoryOrder of LOAD, STORE, RMW, CMPXCHG (success), FENCE */
  uint8_t lock;       /* LockKind */
  uint8_t mode;       /* LockMode */
  uint8_t attempt;    /* Attempt */
  uint8_t order_fail; /* CMPXCHG: MemoryOrder of failure */
  uint16_t flags;
  LocalId dst, dst2;
  ExprId a, b, c;
  uint32_t size; /* LOAD, STORE, RMW, CMPXCHG: bytes accessed */
  uint32_t aux;  /* RMW: RmwKind; ALLOCA and allocating CALL: ObjectId of the site;
                      GOTO: index in Program.labels, taken if `a` is that label's address;
                      COPY: Sym, what is read, in the source's words;
                      synchronisation with a result: index in Program.results */
  uint32_t first_arg, arg_count; /* CALL: Program.args */
  LocId loc;
  Sym path; /* what is accessed, in the source's words: conn->queue.head */
} Edge;

/* What a synchronisation call returns: `ok` on success; otherwise `busy` when a try failed,
 * `timeout` when the deadline passed, `error` when it was misused. When `in_errno` is set the
 * three are errno values and the call returns -1 instead. `special` is the value for the one
 * chosen thread of a barrier. `bits` is the width of the result. */
typedef struct {
  int32_t ok, busy, timeout, error, special;
  uint32_t bits;
  uint8_t in_errno;
  uint8_t no_result; /* the operation writes nothing to dst */
  uint8_t unused[2];
} SyncResult;

/* ---- the rest ------------------------------------------------------------------------------ */

/* Something the model takes for granted, named and placed, never silent. */
typedef struct {
  Sym what;
  LocId loc;
  uint32_t count; /* how many places share it; loc is the first */
} Assumption;

typedef enum { MULTIPLICITY_ONE, MULTIPLICITY_MANY } Multiplicity;

/* Races that the user accepts: on a variable as reports call it, or in a function. */
typedef struct {
  Sym name;          /* a star at the end stands for any rest */
  uint32_t function; /* 1: of a function */
} Accept;

/* A kind of thread: what it runs, where it is created. The main thread has site 0. */
typedef struct {
  FuncId entry; /* 0: called through a pointer that the model alone cannot resolve */
  EdgeId site;
  uint8_t multiplicity; /* ONE only if the site provably runs at most once */
  uint8_t unused[3];
} ThreadTemplate;

typedef struct {
  FuncId function;
  uint32_t priority;
} Startup; /* constructor or destructor */

typedef struct Program {
  VEC(char) text; /* all Syms */
  VEC(uint8_t) bytes;
  VEC(Expr) exprs;
  VEC(Type) types;
  VEC(Field) fields;
  VEC(Loc) locs;
  VEC(Object) objects;
  VEC(Reloc) relocs;
  VEC(Local) locals;
  VEC(Function) functions;
  VEC(Passing) passings;
  VEC(ObjectId) frame_objects;
  VEC(Effect) effects;
  VEC(Node) nodes; /* one more than there are nodes: the end of the last */
  VEC(Edge) edges;
  VEC(Arg) args;
  VEC(SyncResult) results;
  VEC(NodeId) labels; /* addresses of labels: EXPR_LABEL and GOTO name an index in here */
  VEC(ThreadTemplate) templates;
  VEC(Startup) constructors; /* in order of execution */
  VEC(Startup) destructors;
  VEC(Assumption) assumptions;
  VEC(Accept) accepts;
  FuncId main; /* 0: the program has none; FUNCTION_INTERNAL: a harness made it that
                     stands for code that nobody knows */
  ObjectId errno_object; /* 0: not used */
  uint32_t file_count;   /* translation units */
  uint32_t line_count;   /* source lines that carry code */
  void *mapping;         /* set when the tables live in one mapped file (model/store.h) */
  uint64_t mapping_size;
} Program;

/* Every table of a Program, in the order in which it is stored. */
/* clang-format off */
#define PROGRAM_TABLES(TABLE)                                                            \
  TABLE(text) TABLE(bytes) TABLE(exprs) TABLE(types) TABLE(fields) TABLE(locs)           \
  TABLE(objects) TABLE(relocs) TABLE(locals) TABLE(functions) TABLE(passings)            \
  TABLE(frame_objects) TABLE(effects) TABLE(nodes) TABLE(edges) TABLE(args)              \
  TABLE(results) TABLE(labels) TABLE(templates) TABLE(constructors)                      \
  TABLE(destructors) TABLE(assumptions) TABLE(accepts)
/* clang-format on */

/* Releases the tables, or the mapping they live in, and leaves the program empty. */
void program_free(Program *program);

/* The user accepts races on the variable, or in the function, of this name; what holds for a
 * function holds for its copies. */
bool program_accepts(const Program *program, const char *name, bool function);

static inline const char *sym_text(const Program *p, Sym s) {
  return p->text.len ? &p->text.data[s] : "";
}
static inline const Expr *program_expr(const Program *p, ExprId id) {
  return vec_at(&p->exprs, id);
}
static inline const Edge *program_edge(const Program *p, EdgeId id) {
  return vec_at(&p->edges, id);
}
static inline EdgeId node_first_edge(const Program *p, NodeId n) {
  return p->nodes.data[n].first_edge;
}
static inline EdgeId node_end_edge(const Program *p, NodeId n) {
  return p->nodes.data[n + 1].first_edge;
}

/* The function called this (0 if there is none); one with a body is preferred. */
FuncId program_find_function(const Program *program, const char *name);
/* The function is called this, or is a copy (model/specialise.h) of one that is: both
 * entry(worker) and entry name the copy entry(worker). */
bool program_function_is(const Program *program, FuncId function, const char *name);
/* Strips typedefs (and, with them, nothing else). */
TypeId type_resolve(const Program *program, TypeId type);

/* ---- effects (effect.c) ---- */

/* False: the effect is no part of this call, as its arguments show. */
bool effect_is_possible(const Program *program, const Edge *call, const Effect *effect);
/* The function makes a thread that the program does not see. */
bool effect_makes_thread(const Program *program, FuncId function);

#endif
