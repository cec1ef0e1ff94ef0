/* What the files of the points-to analysis share. Nobody else includes this.
 *
 * The constraint graph. A *node* stands for a value: a local (one node for each 64 bits of
 * it), an expression, a word of memory, the result of a function. Its set holds *locs*: an
 * object with a folded byte offset, or a function. Copy edges say "the target contains the
 * source", shifts the same after pointer arithmetic, and *uses* what happens for each loc that
 * arrives at an address: a load, a store, a call.
 *
 * Memory. The contents of an object are words of 8 bytes, named by folded offset. Two more
 * nodes belong to an object: ANY (what was stored somewhere in it; flows into every word) and
 * ALL (everything in it). */
#ifndef HEDDLE_ANALYSIS_POINTSTO_INTERNAL_H
#define HEDDLE_ANALYSIS_POINTSTO_INTERNAL_H

#include "analysis/pointsto.h"
#include "analysis/pointsto_layout.h"
#include "analysis/pointsto_set.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

typedef uint32_t NodeNo; /* 0: none, nothing flows */

/* ---- pointer arithmetic ---- */

typedef enum {
  MOVE_ADD,  /* + add, then any multiple of each stride */
  MOVE_WALK, /* the same on a way that leads back to itself, as in p++ */
  MOVE_ANY,  /* anywhere in the object */
  MOVE_MASK, /* & add: bits of the address cleared */
  MOVE_BITS, /* | add or ^ add: a few low bits set or flipped */
  MOVE_PART, /* a part of the value is read: pointers from outside are no longer any */
} MoveKind;

enum { MOVE_STRIDES = 4 };

typedef struct {
  uint8_t kind;    /* MoveKind */
  uint8_t integer; /* 1: of an integer, which may hold a part of a function's address */
  uint8_t typed;   /* 1: C says of each part of `add` where it stays (ptradd_within) */
  uint8_t stride_count;
  uint32_t
      add_reach; /* where C says that `add` stays, if that is one constant: the `c` of PTRADD */
  int64_t add;
  uint32_t strides[MOVE_STRIDES]; /* not 0 */
  uint32_t reaches[MOVE_STRIDES]; /* the same for each stride */
} Move;

static inline bool move_is_step(const Move *m) {
  return m->kind == MOVE_ADD || m->kind == MOVE_WALK;
}

typedef struct {
  NodeNo to;
  uint32_t move; /* in Solver.moves */
} Shift;

/* ---- nodes ---- */

typedef struct {
  NodeNo parent; /* union-find: itself for the representative */
  SetNo set;
  SetNo done;       /* what successors and uses have seen of it */
  VEC(SetNo) inbox; /* what has arrived and is not yet in `set` */
  VEC(NodeNo) copies;
  VEC(Shift) shifts;
  VEC(uint32_t) uses; /* Solver.uses */
  bool queued;
} PtNode;

typedef enum {
  USE_LOAD,      /* node: first of the nodes that receive `size` bytes */
  USE_STORE,     /* node: first of the nodes stored */
  USE_COPY_FROM, /* `size` bytes from here to the buffer `object` */
  USE_COPY_TO,   /* `size` bytes from the buffer `object` to here */
  USE_LOAD_ALL,  /* node receives everything in the object */
  USE_STORE_ANY, /* node is stored somewhere in the object */
  USE_CALL,      /* `edge` calls, creates or runs once the functions that arrive */
  USE_CALLBACK,  /* the library function called at `edge` calls them: effect `node` */
  USE_ESCAPE,    /* what arrives is known outside */
  USE_SORT,      /* elements of `size` bytes change places */
  USE_GIVE, /* functions that arrive are called with `node`, from hidden state `size` */
} UseKind;

typedef struct {
  uint32_t kind;
  NodeNo node;
  uint32_t size;
  uint32_t object;
  EdgeId edge;
} Use;

/* `size` of a copy: a string, which does not leave its array of bytes. */
enum { STRING_BYTES = INT32_MAX };

/* ---- objects ---- */

typedef struct {
  NodeNo node;
  int32_t at; /* folded, multiple of 8 */
} Word;

typedef struct {
  int32_t offset;  /* folded */
  uint16_t parent; /* union-find: offsets that became one */
  bool outside;    /* not in the object: kept for arithmetic, holds nothing */
} Place;

/* Words of this object go on to another one: [at, at + size) to `object` from `to` on. */
typedef struct {
  uint32_t object;
  int32_t at, to;
  uint32_t size; /* UINT32_MAX: unknown */
} Watch;

typedef struct {
  NodeNo node;
  int32_t offset;
} Birth;

typedef struct {
  uint8_t kind; /* AObjectKind */
  bool met;     /* a pointer to it exists */
  bool opened;  /* its initialiser has been looked at */
  bool escapes;
  bool barren;     /* holds no pointer and never will */
  bool literal;    /* one of the constants that Solver.literal stands for */
  bool dynamic;    /* without a usable type: `period` folds */
  bool library;    /* filled by the library: words contain UNKNOWN */
  bool introduced; /* pointers to it are where it is born */
  uint32_t layout;
  uint32_t period; /* dynamic: offsets are modulo this, 0: no folding */
  uint32_t size;   /* bytes; UINT32_MAX: unknown */
  uint32_t align;
  AObject base;    /* the object that this is a copy of, or 0 */
  ObjectId object; /* the program's, or 0 */
  EdgeId context;
  FuncId function; /* VARARGS */
  Sym name;        /* HIDDEN */
  bool stale;      /* some places have become one */
  uint32_t place_limit;
  NodeNo any, all;
  VEC(Word) words;
  VEC(Place) places;
  VEC(Watch) watches;
  VEC(Birth) births; /* where pointers to it come from, for copies of it */
} PtObject;

/* ---- functions ---- */

/* An allocation whose result a wrapper returns: `site` is the allocating call in it. */
typedef struct {
  EdgeId site;
  int32_t offset;
  bool any;
} WrapAlloc;

typedef struct {
  VEC(WrapAlloc) allocs;
  uint32_t level; /* 0: no wrapper */
  NodeNo rest;    /* what it returns apart from the allocations */
  bool materialised;
} Wrapper;

/* An object that an allocating call gives, at an offset. */
typedef struct {
  AObject object;
  int32_t offset;
} Given;

typedef struct {
  uint32_t first, count; /* Solver.given */
} GivenSpan;

typedef struct {
  EdgeId edge;
  FuncId function;
} CallPair;

typedef struct {
  AObject object;
  int32_t at; /* or WORD_ANY: the ANY node is new */
} NewWord;

enum { WORD_ANY = INT32_MIN };

/* A call, or callback of a library function (effect + 1), through an unknown pointer. */
/* A call of a pointer from outside (effect 0), of one by a library function (the effect's
 * number + 1), or of any function that is known outside, by one of which nothing is known. */
typedef struct {
  EdgeId edge;
  uint32_t effect;
} UnknownCall;

enum { ANY_CALLBACK = UINT32_MAX };

typedef struct {
  const Program *p;
  const volatile int *stop;
  Layouts *layouts;

  Sets sets;
  VEC(PtNode) nodes;
  VEC(Move) moves;
  ObjectId front; /* see pointsto_front */
  ObjectId text;  /* see pointsto_text */
  StrMap move_ids;
  VEC(Use) uses;
  Map edges; /* (from, to) → 1 */
  VEC(NodeNo) queue;
  /* Tarjan's algorithm, by node: order of discovery from 1, low link, 1 while open */
  VEC(uint32_t) index, low;
  VEC(uint8_t) open;

  VEC(PtObject) objects;
  Map loc_ids;    /* (object, offset) → loc */
  Map moved_sets; /* (set, move) → set + 1 */
  Map shared;     /* (set, size) → index in shared_ids + 1 */
  VEC(uint64_t)
  shared_ids;   /* one for each of the first use kinds: node or buffer, or 0 */
  Map word_ids; /* (object, offset) → node */
  VEC(NewWord) new_words;
  VEC(AObject) to_open;
  Map clones; /* (base object, context) → object */
  Map hidden; /* name → object */

  NodeNo *local_node;  /* by local: first node, or 0 */
  NodeNo *shadow_node; /* by local: the same without allocations of a wrapper */
  NodeNo *expr_node;   /* by expression: first node + 1; 0: not built */
  NodeNo *return_node; /* by function: first node */
  AObject *va_object;  /* by function */
  Map kept;            /* hidden state's name → node */
  Map kept_with; /* hidden state's name, function → node: what was kept with it; function 0: with any */
  Map load_nodes;   /* (expression, size) → node */
  Map fresh_nodes;  /* allocating edge → node of what it allocates */
  Map copy_buffers; /* edge × 16 + k → object */
  StrMap watches;   /* what pt_copy_watch was told already */
  NodeNo escaped, thread_results;
  NodeNo sent;     /* pointers in bytes that left the program and may come back */
  NodeNo numbers;  /* holds LOC_NUMBER, and nothing else */
  AObject literal; /* the first constant without pointers: stands for all of them */

  Wrapper *wrappers; /* by function */
  Map site_ids;      /* allocating call → index in sites + 1 */
  VEC(GivenSpan) sites;
  VEC(Given) given;
  Map bound_callbacks;
  TypeId *local_use_type; /* by local: pointee of the variable it is copied to */
  uint8_t *reached;       /* by function */
  VEC(FuncId) to_reach;
  Map called; /* (edge, function) → 1 */
  VEC(CallPair) calls;
  uint8_t *unknown_call; /* by edge */
  VEC(UnknownCall) unknown_calls;
  VEC(FuncId) escaped_functions;
  uint32_t clone_count;
  bool stopped;
} Solver;

static inline uint64_t pair_key(uint32_t a, uint32_t b) {
  return (uint64_t)a << 32 | b;
}

/* ---- pointsto_graph.c: nodes and edges ---- */
bool pt_poll_stop(Solver *s);
NodeNo pt_node_new(Solver *s, uint32_t count);
NodeNo pt_node_find(Solver *s, NodeNo node);
void pt_node_add(Solver *s, NodeNo node, LocNo loc);
/* Everything in `from` is also in `to`. Either may be 0. */
void pt_node_copy(Solver *s, NodeNo from, NodeNo to);
void pt_node_shift(Solver *s, NodeNo from, NodeNo to, const Move *move);
void pt_node_use(Solver *s, NodeNo address, Use use);
void pt_node_unite(Solver *s, NodeNo a, NodeNo b);
/* Handing on what is in a node: `to` gets a set, takes in what it got; a shift, a use sees a
 * set. */
void pt_node_receive(Solver *s, NodeNo to, SetNo set);
void pt_node_settle(Solver *s, NodeNo node);
void pt_shift_apply(Solver *s, Shift shift, SetNo set);
void pt_use_set(Solver *s, uint32_t use, SetNo set);
uint32_t pt_move_id(Solver *s, const Move *move);

/* ---- pointsto_number.c: numbers that are used as addresses ---- */
/* A value of this many bits is some number: each of its slots. */
NodeNo pt_number_node(Solver *s, uint32_t bits);
/* The value of the expression may be a number that was never a pointer's. */
bool pt_expr_is_number(const Solver *s, const Expr *e);
/* Words of an initialiser that are numbers. */
bool pt_object_has_numbers(const Solver *s, ObjectId object);
void pt_object_add_numbers(Solver *s, ObjectId object);
/* Pointers that are used and hold a number alone lead outside. True when there were some. */
bool pt_numbers_resolve(Solver *s);

/* ---- pointsto_solve.c ---- */
/* Until nothing changes; false when stopped. */
bool pt_solve(Solver *s);

/* ---- pointsto_walk.c: pointers that run over objects in loops ---- */
typedef struct {
  NodeNo node;
  Shift shift;
} ChangedShift;

typedef struct {
  uint32_t *component;       /* by node: which cycle, or 0 */
  uint8_t *placed;           /* by node */
  int64_t *distance;         /* by node that is placed: from the first one */
  VEC(ChangedShift) changed; /* have not yet seen what is done in their node */
} WalkSpace;
/* The nodes of one cycle of copies and steps. Its steps become walks, unless every way around
 * leads back to the same place. */
void pt_cycle_walks(Solver *s, WalkSpace *space, const NodeNo *members, uint32_t count);

/* ---- pointsto_memory.c: objects, locs, words ---- */
AObject pt_object_new(Solver *s, AObjectKind kind, TypeId type, bool many, uint32_t size);
AObject pt_object_clone(Solver *s, AObject base, EdgeId context, TypeId type);
void pt_object_init_program(Solver *s);
/* Reads the initialiser, once. */
void pt_object_open(Solver *s, AObject object);
void pt_object_escape(Solver *s, AObject object);
LocNo pt_loc_of(Solver *s, AObject object, int64_t offset);
LocNo pt_loc_any(Solver *s, AObject object);
/* The very offset in the object, not that of another element. */
LocNo pt_loc_exact(Solver *s, AObject object, int64_t offset, bool typed);
/* The bytes that an access of so many bytes at the place may touch; false: all of the object. */
bool pt_object_extent(const Solver *s, const PtObject *o, int64_t offset, uint64_t size,
                      LayoutExtent *ret);
LocNo pt_loc_function(FuncId function);
LocNo pt_loc_find(Solver *s, LocNo loc);
enum { OFFSET_LIMIT = 1 << 28 }; /* offsets beyond are ANY */
int32_t pt_object_fold(const Solver *s, const PtObject *o, int64_t offset);
NodeNo pt_object_word(Solver *s, AObject object, int64_t offset);
NodeNo pt_object_any(Solver *s, AObject object);
NodeNo pt_object_all(Solver *s, AObject object);
/* The greatest; of 0 and n it is n. */
uint32_t pt_common_divisor(uint32_t a, uint32_t b);
/* An index runs over the object in steps of `stride`. */
/* Bounds the number of its words. */
void pt_object_widen(Solver *s, AObject object);
void pt_object_set_period(Solver *s, AObject object, uint32_t stride);
/* An index that runs in steps of `stride` from `offset` on stays in an array around it. `reach` is what C
 * says about it (ptradd_within); 0: nothing. */
bool pt_object_stays(Solver *s, const PtObject *o, int64_t offset, uint32_t stride,
                     uint32_t reach);
/* The place in the object, with the loc's own number. */
static inline const Place *loc_place(const Solver *s, LocNo loc) {
  return vec_at(&s->objects.data[loc_object(loc)].places, loc_index(loc));
}
bool pt_object_is_one_place(const Solver *s, const PtObject *o);
bool pt_object_has(const PtObject *o, int64_t offset);

/* ---- pointsto_move.c: pointer arithmetic ---- */
/* Adds to `out` where loc is after the move number `move`. */
void pt_loc_move(Solver *s, LocNo loc, uint32_t move, LocSet *out);

/* ---- pointsto_access.c: what a use does for one loc ---- */
void pt_use_apply(Solver *s, const Use *use, LocNo loc);
void pt_copy_pending_words(Solver *s);
void pt_copy_watch(Solver *s, AObject from, int32_t at, uint32_t size, AObject to,
                   int32_t to_at);
AObject pt_copy_buffer(Solver *s, EdgeId edge, uint32_t k);

/* ---- pointsto_expr.c ---- */
static inline uint32_t slots_of(uint32_t bits) {
  return bits ? (bits + 63) / 64 : 1;
}
/* Can hold a part of a pointer: bytes, not bits. */
static inline bool holds_parts(uint32_t bits) {
  return bits >= 8;
}
/* First node of the value; 0 when it cannot hold a pointer. */
NodeNo pt_expr_node(Solver *s, ExprId expr);
NodeNo pt_local_node(Solver *s, LocalId local);
/* Splits an offset into a constant and strides. */
Move pt_offset_move(Solver *s, ExprId offset);
/* The value without the allocations of a wrapper (pointsto_wrap.c marks the locals). */
NodeNo pt_shadow_expr(Solver *s, ExprId expr);
/* `from` (slots nodes) flows into a local, and into its shadow. */
void pt_flow_to_local(Solver *s, NodeNo from, uint32_t from_slots, LocalId local);

/* ---- pointsto_edge.c ---- */
void pt_function_reach(Solver *s, FuncId function);
void pt_function_constraints(Solver *s, FuncId function);
void pt_store_at(Solver *s, NodeNo address, NodeNo value, uint32_t size);
NodeNo pt_load_from(Solver *s, NodeNo address, uint32_t size);
NodeNo pt_moved(Solver *s, NodeNo from, Move move);
uint32_t pt_constant_size(const Solver *s, ExprId expr);
NodeNo pt_result_node(Solver *s, FuncId function);
AObject pt_varargs_area(Solver *s, FuncId function);

/* ---- pointsto_call.c ---- */
void pt_call_constraints(Solver *s, EdgeId edge);
bool pt_call_fits(const Solver *s, const Edge *e, FuncId function);
void pt_call_bind(Solver *s, EdgeId edge, FuncId function);
/* `effect`: of a library function that calls back, + 1; 0: the call itself. */
void pt_call_bind_unknown(Solver *s, EdgeId edge, uint32_t effect);
void pt_callback_bind(Solver *s, EdgeId edge, uint32_t effect, FuncId function);
void pt_function_escape(Solver *s, FuncId function);
void pt_unknown_to_params(Solver *s, FuncId function);
void pt_roots_reach(Solver *s);
bool pt_function_is_pure(const Solver *s, const Edge *e, FuncId function);
void pt_call_record(Solver *s, EdgeId edge, FuncId function);

/* ---- pointsto_library.c ---- */
/* The external variable is one in which rules say that the library keeps something: it holds
 * nothing else. */
/* What the function is called with that is kept in hidden state `name`; function 0: whatever function. */
NodeNo pt_given_node(Solver *s, Sym name, FuncId function);
bool pt_object_is_kept(const Solver *s, ObjectId object);
void pt_library_call(Solver *s, EdgeId edge, FuncId function);
AObject pt_hidden_object(Solver *s, Sym name, uint32_t size);

/* ---- pointsto_wrap.c ---- */
void pt_wrappers_find(Solver *s);
/* What an allocating call, direct, of the library or of a wrapper, gives. */
NodeNo pt_site_node(Solver *s, EdgeId edge);
/* The call is reached: its objects appear, and flow to its result. */
void pt_site_reach(Solver *s, EdgeId edge);
/* A direct call of a wrapper: its result. False when the callee is none. */
bool pt_wrapper_call(Solver *s, EdgeId edge, FuncId function);
/* The wrapper is also entered in other ways; `to`, if any, receives what it allocates. */
void pt_wrapper_materialise(Solver *s, FuncId function, NodeNo to);

#endif
