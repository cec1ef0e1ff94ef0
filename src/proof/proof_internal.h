/* Private to the checker.
 *
 *   proof.c         the plan: shape, tables, steps, threads, pairs
 *   proof_shape.c   no index of the certificate leads outside of it
 *   proof_value.c   values of expressions, what a condition tells
 *   proof_world.c   a state while a step changes it; does it fit a claimed state
 *   proof_step.c    the rule of every operation
 *   proof_call.c    calls: into a context and back
 *   proof_thread.c  kinds of threads: who creates whom, who overlaps whom, create and join
 *   proof_lock.c    what makes a lock guard nothing
 *   proof_loop.c    loops that count
 *   proof_array.c   create and join over arrays of ids; own arguments
 *   proof_access.c  what an edge reads and writes
 *   proof_extent.c  which bytes of an object that may be
 *   proof_passed.c  which objects an argument may point to, in one context
 *   proof_share.c   which objects only one thread knows
 *   proof_place.c   which objects exist once; where ids and fixed cells may be
 *   proof_pair.c    every pair of accesses has a reason
 *   proof_order.c   no circle of waits */
#ifndef HEDDLE_PROOF_INTERNAL_H
#define HEDDLE_PROOF_INTERNAL_H

#include "model/op_access.h"
#include "proof/proof.h"

enum {
  MAX_REJECTIONS = 24,
  NO_CONTEXT = UINT32_MAX, /* any */
};

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
  VEC(Meaning) equal; /* symbols whose value is known by now */
  VEC(NonZero) nonzero;
  VEC(Meaning) redefined; /* what the claimed state means by these symbols */
  EdgeId edge;            /* … and by the results of this edge */
  Val edge_value[2];
  uint32_t next_unknown;
  bool claim_shared; /* in the claimed state other threads may run */
  bool entering;     /* the claimed state belongs to another activation */
} World;

typedef enum {
  ACCESS_READ = 1,
  ACCESS_WRITE = 2,
  ACCESS_ATOMIC = 4,
  ACCESS_FREE = 8,
  ACCESS_SYNCED = 16,
  ACCESS_LATER = 32,   /* the library does it again at any later time */
  ACCESS_BESIDE = 512, /* … in a thread of its own */
  /* Not data, but what is done to an object of synchronisation, of which the first byte stands for all: see
   * proof_lock.c. */
  ACCESS_LOCK_USE = 64,
  ACCESS_LOCK_INIT = 128,
  ACCESS_LOCK_END = 256,
  ACCESS_LOCK = ACCESS_LOCK_USE | ACCESS_LOCK_INIT | ACCESS_LOCK_END,
  ACCESS_RENEWS = ACCESS_LOCK_INIT | ACCESS_LOCK_END,
  ACCESS_EVENT = 1024, /* … and it is no lock: nothing is guarded by it */
} AccessFlags;

/* One thing that an edge does to memory. */
typedef struct {
  uint32_t flags;
  ExprId address; /* 0: `object` says it all */
  AObject object; /* hidden state of the library */
  Sym kept;       /* not 0: what it keeps in hidden state of this name */
  uint32_t size;  /* bytes; 0: any number */
  int behind;     /* if not 0: what pointers stored there lead to, in as many steps */
} Access;

typedef VEC(Access) AccessVec;

/* Folded offsets, one bit each. NULL stands for all. See proof_extent.c. */
typedef struct {
  uint8_t *bits;
  uint32_t length; /* in bytes */
} ByteSet;

/* (thread, context) that runs, with links for the contexts it enters. */
typedef struct {
  VEC(uint32_t) callees; /* contexts */
  VEC(EdgeId) calls;     /* that this context justifies, each once */
  bool otherwise;        /* it is also entered without a call that passes arguments */
} Links;

/* The objects that a parameter of a context may point to. */
typedef struct {
  bool known;
  Map objects;
} Passed;

/* See proof_loop.c. */
typedef struct {
  FuncId function;
  NodeId head; /* where a round begins; loads lead from there to … */
  NodeId test;
  EdgeId enter, leave, step;
  LocalId counter;
  ExprId bound;
  uint8_t compare; /* ExprKind */
  uint8_t *body;   /* by node of the function: head and body */
} CountLoop;

/* A loop that joins, in each round, the id that it loads in that round. */
typedef struct {
  CountLoop loop;
  EdgeId join, load;
} JoinLoop;

/* Why no two threads of a kind have the same argument. */
typedef enum {
  OWN_NOT,
  OWN_FRESH,   /* each gets a new object */
  OWN_COUNTER, /* … the counter of a loop that is run once */
  OWN_ELEMENT, /* … an element that is numbered by such a counter */
} OwnKind;

typedef struct {
  uint32_t kind;
  NodeId head; /* of the loop */
  LocalId counter;
  Val argument; /* the counter in it is the first unknown */
} Own;

/* Bytes that some operation takes as a lock (model/word.h). */
typedef struct {
  AObject object;
  uint32_t offset; /* folded, or OFFSET_ANY */
  uint32_t size;
  uint64_t taken; /* the one value that it ever has but 0 … */
  bool varies;    /* … unless it may be another */
} Word;

/* A lock that was released without being surely held. */
typedef struct {
  ObjectId object;
  uint64_t offset;
  bool exact; /* it is that very offset, not a folded one */
  bool word;  /* only words that are there, not other locks; or only those */
} Loose;

/* A lock that is initialised while several threads run. */
typedef struct {
  AObject object;
  uint32_t thread, alive;
} Remade;

typedef struct {
  const Program *p;
  const PointsTo *pt;
  const Certificate *c;
  const Map *accepted;
  const uint8_t *open;           /* or NULL */
  const ProofRange *open_ranges; /* by object */
  uint32_t open_range_count;
  const volatile int *stop; /* or NULL */
  Arena *arena;
  ProofResult *result;
  uint32_t unknown_local;     /* first number of the unknown values of locals */
  uint32_t unknown_other;     /* first number of all others */
  Map contexts_of;            /* function to the first of its contexts + 1 */
  VEC(uint32_t) next_context; /* the next of the same function + 1 */
  VEC(uint32_t) cells;        /* all symbols of cells */
  VEC(uint32_t) params;       /* … of parameters */
  Map edge_symbols;           /* edge << 1 | second to symbol */
  Map thread_symbols;         /* kind to symbol */
  VEC(Links) links;           /* by context */
  Map entered;                /* context << 32 | call: it is among the links */
  Map passed_ids;             /* context << 32 | parameter to the index in passed + 1 */
  VEC(Passed) passed;
  Map cells_of;            /* object to the last of its cell symbols */
  VEC(uint32_t) next_cell; /* by symbol: the next cell of the same object */
  VEC(uint8_t *) writers;  /* by symbol of a cell: functions that write it, or NULL */
  uint8_t *anywhere;       /* functions that write memory of unknown origin */
  Map may_write;           /* function << 32 | cell to 1 (no) or 2 (yes) */
  Map may_do;              /* function, operation, edge to 1 (no) or 2 (yes) */
  Map may_unlock;          /* function << 32 | base of a lock, the same */
  VEC(uint8_t *) reached;  /* by function: the functions it may enter, as bits, or NULL */
  Map written;             /* symbols of cells that are written in shared time */
  bool all_written;
  bool weak_publication;
  bool has_setjmp, has_cancel;
  bool sets_errorcheck; /* some mutex may be of a type that refuses to be taken twice */
  /* Kinds of threads: matrices of threads.len × threads.len. */
  uint8_t *creates, *descends, *overlaps;
  uint8_t *leaves;  /* x may end while y, its descendant, runs on */
  uint8_t *runs_in; /* thread × function */
  uint8_t *told;    /* by object: values of other threads may be its address by name */
  uint8_t *exposed; /* by abstract object: see proof_share.c */
  Map writer;       /* object << 32 | offset to an edge: see proof_writer.c */
  bool written_anywhere;
  uint32_t settling; /* depth of single_object_at */
  VEC(JoinLoop) joins;
  VEC(Own) own; /* by kind of thread */
  Map foreign;  /* symbols of cells that threads other than main may write */
  bool all_foreign;
  Map live;               /* node << 32 | local to 1 (dead) or 2 */
  VEC(uint8_t) once_memo; /* by function: 0 unknown, 1 being asked, 2 no, 3 yes */
  VEC(uint8_t) recursive; /* by function */
  bool asks_orders, orders_examined;
  /* The claim that was found to follow need not name all the locks that are held. Whoever takes it says so. */
  bool vague;
  bool inits_locks; /* some lock is not made by its initial bytes alone */
  bool rejected;
  uint8_t *refused, *doubted; /* by object of the program, or NULL: see ProofResult */
  /* How far the plan has come: see everything_was_examined. */
  uint32_t contexts_entered, threads_examined, records_left;
  VEC(Word) words;      /* proof_word.c */
  uint8_t *frees_words; /* by function: it may write a word otherwise than by taking it */
  VEC(Loose) loose;
  bool all_loose, all_words_loose;
  VEC(Remade) remade;
  StrMap touched; /* place and size to the ByteSet; UINT64_MAX: all */
  uint64_t tried; /* how much was done for it */
} Proof;

/* ---- proof.c ---- */
void reject(Proof *p, EdgeId edge, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The accesses to this object race: nothing else rests on that they do not. */
void refuse(Proof *p, ObjectId object, EdgeId edge, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Time is over. */
bool is_stopped(Proof *p);

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
/* The state names every lock that is held, as often as it is. */
bool names_all_locks(const Proof *p, const World *w, uint32_t state);
/* What holds entails the claimed state, entered at `node` (0: at an entry or exit). */
bool world_fits(Proof *p, World *w, uint32_t state, NodeId node, const char **ret_why);
/* … one of the states that are claimed; one that names all locks if there is such a one. */
bool world_fits_one(Proof *p, World *w, const uint32_t *states, uint32_t count,
                    NodeId node, const char **ret_why);
/* … one of the states that the context has behind the edge. */
bool world_fits_some(Proof *p, World *w, uint32_t context, EdgeId e,
                     const char **ret_why);
/* Takes the claim that was found: if it is vague, no order of locks is accepted. */
void take_claim(Proof *p, EdgeId e);
/* The same, but rejects if it is not so. */
void world_arrive(Proof *p, World *w, uint32_t context, EdgeId e);
/* What the claimed state means by a value; unknown if it has no meaning there. */
Val world_meaning(Proof *p, World *w, Val v, NodeId node, uint32_t bits);
void numset_load(Proof *p, Set *s, uint32_t set);
bool numset_has(const Set *s, uint32_t x);
void numset_add(Set *s, uint32_t x);
void numset_remove(Set *s, uint32_t x);
void numset_meet(Set *s, const Set *other);

/* ---- proof_step.c ---- */
void step(Proof *p, uint32_t context, uint32_t state, EdgeId e);
/* The value travels on in a way that is not followed: what it may point to is not fresh. */
void escape_expr(Proof *p, World *w, ExprId e);
/* What a synchronisation call returns that succeeds; unknown if it tells nothing. */
Val success(const Proof *p, const Edge *e);
/* Writes of this edge change the contents of cells. */
void forget_written(Proof *p, World *w, EdgeId e);

/* What the lock is called. */
Val lock_name(Proof *p, World *w, ExprId address);
/* Nothing of this kind (LOCK_NONE: any) that the address may mean is held any more. */
void release_any(Proof *p, World *w, ExprId address, const Val *name, uint32_t kind);

/* ---- proof_call.c ---- */
/* A function without a body whose result is a new object and nothing else. */
bool function_allocates(const Proof *p, const Edge *call, FuncId function);
void step_call(Proof *p, uint32_t context, World *w, EdgeId e);
void step_once(Proof *p, uint32_t context, World *w, EdgeId e);

/* ---- proof_thread.c ---- */
void kinds_prepare(Proof *p);
void step_create(Proof *p, uint32_t context, World *w, EdgeId e);
void step_join(Proof *p, uint32_t context, World *w, EdgeId e);
/* Entries of main, constructors, destructors and of what the library calls at any time. */
void check_starts(Proof *p);
/* Every thread of the kind has ended (and been joined) … */
void threads_are_over(Proof *p, World *w, uint32_t kind);
/* … or only the latest one. */
void thread_is_over(Proof *p, World *w, uint32_t kind);
uint32_t thread_of(const Proof *p, EdgeId site, FuncId entry);
bool thread_is_apart(const Proof *p, uint32_t thread);
/* The id is that of the latest thread of a kind. */
bool thread_meant(Proof *p, const Val *id, uint32_t *ret);
/* In states with these sets of living threads, two instances may come in any order. */
bool may_be_parallel(const Proof *p, uint32_t x, uint32_t alive_x, uint32_t y,
                     uint32_t alive_y);

/* ---- proof_lock.c ---- */
/* What the operation does to an object of synchronisation (ACCESS_LOCK_…, ACCESS_EVENT). */
uint32_t object_access(const Edge *e, const OpAccess *x);
/* The step releases a lock that its state does not surely hold. */
void note_foreign_release(Proof *p, const World *w, const Val *name, ExprId address);
/* The words of an object, or of all, are loose. */
void add_loose_words(Proof *p, ObjectId object);
/* … those that the address may be of. */
void note_loose_words(Proof *p, const Val *name, ExprId address);
/* Holding the lock of this name, at an access to that object, keeps nobody out: … */
bool lock_is_loose(const Proof *p, const CertLock *lock, AObject accessed);
/* … because it may be initialised beside the access. */
bool lock_is_remade(Proof *p, const Val *name, AObject accessed, uint32_t thread,
                    uint32_t alive);

/* ---- proof_word.c ---- */
void words_prepare(Proof *p);
/* The edge takes a word, if that is free. */
bool takes_word(Proof *p, World *w, const Edge *edge);
/* What is there if it cannot be taken. */
Val found_taken(Proof *p, World *w, const Edge *edge);
/* The step may write a word without taking it: what it may be is not held any more, and loose unless it was held,
 * or nobody else can use it. */
void words_written(Proof *p, World *w, EdgeId e);

/* ---- proof_loop.c ---- */
/* The nth loop around the edge; false when there are no more. */
bool loop_around(Proof *p, EdgeId edge, uint32_t nth, CountLoop *ret);
bool loop_has(const Proof *p, const CountLoop *l, NodeId node);
/* From one node of a function to another, or the same, not by the edge `without`. */
bool node_reaches(const Proof *p, NodeId from, NodeId to, EdgeId without);
/* From one node to another in the same round, not by the edge `without`. */
bool loop_reaches(Proof *p, const CountLoop *l, NodeId from, NodeId to, EdgeId without);
/* The symbol is the loop's counter as it was at the head. */
bool loop_counts(const Proof *p, const CountLoop *l, uint32_t symbol);
/* In a state where the counter has its value of the head, which is the first unknown. */
Val loop_value(Proof *p, World *w, uint32_t state, const CountLoop *l, ExprId e);
/* The same in all states before an edge, of one context or all. */
bool loop_operand(Proof *p, const CountLoop *l, uint32_t context, EdgeId at, ExprId e,
                  Val *ret);
/* The greatest bound, and the first values of the counter, if they are all numbers. */
bool loop_bound(Proof *p, const CountLoop *l, uint32_t context, int64_t *ret_high);
bool loop_start(Proof *p, const CountLoop *l, uint32_t context, int64_t *ret_low,
                int64_t *ret_high);
/* Whenever it is entered, no thread of that kind is alive. */
bool loop_starts_without(Proof *p, const CountLoop *l, uint32_t kind);

/* ---- proof_writer.c ---- */
void writers_prepare(Proof *p);
/* The only edge that ever writes these bytes of an object, in any element of an array; 0 if
 * there is none. False: there may be several. */
bool only_writer(const Proof *p, ObjectId object, int64_t offset, uint32_t size,
                 EdgeId *ret);
/* The creating edge that alone ever writes the id that is there; or 0. */
EdgeId only_creator(const Proof *p, ObjectId object, int64_t offset);
/* The address is based on an object that exists once: a variable, or one that is allocated at
 * most once in a run, also if its address was stored in a place that never holds another.
 * When it fails, the object is still told if the base is a variable. */
bool single_object_at(Proof *p, const Val *address, ObjectId *ret_object);
/* The place of eight bytes that the symbol was loaded from. */
bool place_of_symbol(Proof *p, uint32_t symbol, Val *ret_place);
/* The same address, based on that object if there is one. */
Val val_settled(Proof *p, const Val *address);

/* ---- proof_array.c ---- */
void arrays_prepare(Proof *p);
/* A number of the joining loop that the symbol counts, if its join comes before this edge in
 * every round; or 0. */
uint32_t round_of_join(Proof *p, EdgeId at, uint32_t counter);
/* There the thread of this kind that has the counter for its number (see Own) is over. */
bool round_joins(Proof *p, uint32_t round, uint32_t kind);
void step_leave_loop(Proof *p, uint32_t context, World *w, EdgeId e);
/* The symbol is the id of the latest thread of a kind, for where it was loaded from. */
bool thread_in_symbol(Proof *p, uint32_t symbol, uint32_t *ret);

/* ---- proof_share.c ---- */
void shares_prepare(Proof *p);
bool object_is_confined(const Proof *p, AObject object);

/* ---- proof_access.c ---- */
void edge_accesses(Proof *p, EdgeId e, AccessVec *ret);

/* ---- proof_extent.c ---- */
/* What `size` bytes (0: any number) at a place may be; if the address is known in this object, at its offset.
 * NULL: everything. */
const ByteSet *bytes_touched(Proof *p, AObject object, uint32_t offset,
                             const Val *address, uint32_t size);
bool byte_sets_meet(const ByteSet *a, const ByteSet *b);
bool byte_set_has(const ByteSet *s, uint32_t folded);
bool byte_set_is_within(const ByteSet *s, uint64_t from, uint64_t to);
bool place_holds_whole(const Proof *p, AObject object, uint32_t offset, uint32_t size);

/* ---- proof_passed.c ---- */
/* The context justifies the call; or it is entered in some other way. */
void note_entered(Proof *p, uint32_t context, EdgeId call);
void note_entered_otherwise(Proof *p, uint32_t context);
/* False: the address, in a state of the context, is an argument that never points to the object. All steps
 * have been checked by then. */
bool parameter_may_be(Proof *p, uint32_t context, const Val *address, AObject object);
void passed_free(Proof *p);

/* ---- proof_place.c ---- */
bool runs_once(Proof *p, FuncId function);
bool function_is_recursive(Proof *p, FuncId function);
bool edge_on_cycle(const Proof *p, EdgeId e);
/* The edge has been passed whenever the other one is. */
bool edge_precedes(Proof *p, EdgeId first, EdgeId then);
bool object_is_single(Proof *p, ObjectId object);
/* An access to memory of unknown origin may mean this object. */
bool object_is_outside(const Proof *p, ObjectId object);
void places_prepare(Proof *p);
uint32_t cell_bits(const Proof *p, uint32_t symbol);
/* The cell of so many bytes (0: the one for ids) at an exactly known address, or 0. */
uint32_t cell_at(const Proof *p, const Val *address, uint32_t size);
/* It may be written while several threads run. */
bool cell_is_written(const Proof *p, uint32_t symbol);
/* Only this thread can store to the cell: it knows whose id is in there. */
bool cell_is_own(Proof *p, uint32_t symbol, bool in_thread);
/* The local's value at the node may still be used. */
bool local_is_live(Proof *p, NodeId node, LocalId local);
/* The access may touch bytes of the cell. */
bool touches_cell(Proof *p, const Access *a, AObject object, uint32_t offset,
                  const Val *address, uint32_t symbol);
/* The function, or one that it calls, may write the cell. */
bool function_may_write(Proof *p, FuncId function, uint32_t cell_symbol);
/* The function may, itself or through calls, come to an edge with this operation (of this
 * creating edge, if it is not 0). */
bool function_may_do(Proof *p, FuncId function, OpKind op, EdgeId edge);
/* … and release the lock of this name. */
bool function_may_unlock(Proof *p, FuncId function, const CertLock *lock);
/* Calls `visit` for every edge at which a context has a state. */
typedef void StepVisitor(Proof *p, uint32_t context, uint32_t state, EdgeId e,
                         void *data);
void visit_steps(Proof *p, StepVisitor *visit, void *data);
void visit_context(Proof *p, uint32_t context, StepVisitor *visit, void *data);
/* Targets of an access in a world: the one object that the address is known to be in, or what
 * points-to says. */
typedef void TargetVisitor(Proof *p, const Access *a, AObject object, uint32_t offset,
                           const Val *address, void *data);
void visit_targets(Proof *p, World *w, const Access *a, TargetVisitor *visit, void *data);

/* ---- proof_pair.c ---- */
/* Marks the contexts that a thread of the kind comes to; all steps have been checked by then. */
void contexts_of_thread(Proof *p, uint32_t thread, uint8_t *ret_runs);
void check_pairs(Proof *p);

/* ---- proof_order.c ---- */
void check_orders(Proof *p);
void against_orders(Proof *p, EdgeId edge, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
