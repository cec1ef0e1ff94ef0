/* Private to flow: symbols, states, contexts, and what its files offer each other.
 *
 *   flow.c           the fixpoint over contexts and nodes, rounds until threads are settled
 *   flow_value.c     symbols, sets, values of expressions, what a condition tells
 *   flow_state.c     states: stored, joined, purged
 *   flow_edge.c      what each operation does to a state
 *   flow_call.c      calling contexts: names into the callee and back
 *   flow_dispatch.c  calls that may enter one of very many functions
 *   flow_frame.c     locks that a call cannot release, threads that it does not create
 *   flow_queue.c     in which order
 *   flow_handover.c  locks that go over to a new thread
 *   flow_kind.c      which mutexes are recursive
 *   flow_loop.c      loops that create or join the threads of a whole array
 *   flow_store.c     which edges store to which cells
 *   flow_join.c      joins, one by one and by loops
 *   flow_thread.c    create, and what rounds settle about threads
 *   flow_word.c      atomic words that serve as locks
 *   flow_record.c    accesses and acquisitions of the settled states */
#ifndef HEDDLE_ANALYSIS_FLOW_INTERNAL_H
#define HEDDLE_ANALYSIS_FLOW_INTERNAL_H

#include "analysis/flow.h"
#include "analysis/liveness.h"
#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/str.h"

enum {
  MAX_DISJUNCTS = 8,     /* states of one node that are kept apart */
  MAX_CONTEXTS = 12,     /* of one function, before arguments are made vaguer … */
  MIN_CONTEXTS = 2,      /* … and in the largest programs */
  CONTEXT_EDGES = 40000, /* … so that contexts × edges stay near this number */
  MAX_STATES = 4000000,  /* in all: then the analysis gives up */
  SET_ALL = 1,           /* the set of everything */
  MAX_OPAQUE = 4,        /* locks of callers that the callee has no name for */
};

typedef enum {
  SYMBOL_NONE,
  SYMBOL_PARAM,    /* a: number of the parameter, at the start of this context */
  SYMBOL_EDGE,     /* a: the edge that computed it last, b: 1 for its second result */
  SYMBOL_LOAD,     /* a: the LOAD edge, address: what it read */
  SYMBOL_PHI,      /* a: a node, b: the local whose value it had there last */
  SYMBOL_ARGUMENT, /* the argument of this thread */
  SYMBOL_OPAQUE,   /* a: number of a lock that a caller holds */
  SYMBOL_THREAD,   /* the id of the latest instance of a thread: a is its number */
  SYMBOL_CELL, /* a: an object, b: an offset: what is stored there, while several threads run
                      and nobody changes it */
} SymbolKind;

typedef struct {
  uint32_t kind, a, b;
  uint32_t size; /* of a CELL: bytes, 0 where only ids are meant */
  FlowValue address;
} Symbol;

/* What is known of a local, or (FACT | symbol) of a symbol of the kind CELL. */
typedef struct {
  LocalId local;
  uint32_t unused;
  FlowValue value;
} Binding;

enum {
  FACT = 1 << 30,
  ID_FACT =
      1
      << 29, /* ID_FACT | symbol of a cell: the kind of thread whose id is stored there */
};

/* A state while it is worked on; all vectors are sorted (bindings by local, locks by name,
 * fresh by symbol). */
typedef struct {
  VEC(Binding) bindings;
  VEC(FlowLock) locks;
  VEC(uint32_t) fresh;
  VEC(uint32_t)
  handed; /* loop counters whose element has been given to a thread already */
  uint32_t alive, once_done, once_inside;
  uint32_t section;   /* depth of atomic sections */
  uint32_t in_thread; /* 1 in every thread but the main one */
} Work;

typedef struct {
  Binding *bindings;
  FlowLock *locks;
  uint32_t *fresh, *handed;
  uint32_t binding_count, lock_count, fresh_count, handed_count;
  uint32_t alive, once_done, once_inside, section, in_thread;
} State;

typedef struct {
  uint32_t states[MAX_DISJUNCTS];
  uint8_t count;
  bool collapsed; /* too many: all in one from now on */
  bool queued;
} NodeStates;

typedef struct {
  uint32_t state; /* at the exit */
  FlowValue result;
} Exit;

typedef struct {
  uint32_t context;
  NodeId node; /* 0: the context is a dispatch */
} Caller;

typedef struct {
  FuncId function;   /* 0: a dispatch */
  uint32_t entry;    /* state */
  bool general;      /* the one vague context that takes all further callers */
  bool collapsed;    /* of a dispatch: it has one exit for all, from now on */
  NodeStates *nodes; /* by node number - first_node */
  VEC(Exit) exits;
  VEC(Caller) callers;   /* to be looked at again when an exit changes */
  VEC(uint32_t) callees; /* contexts, without repetition */
  VEC(uint32_t) creates; /* threads created here */
} Context;

/* A place in a variable; object 0: none. */
typedef struct {
  ObjectId object;
  uint32_t offset;
} Cell;

/* A loop `for (i = low; i < bound; i++)` with an edge in it that runs in every round. */
typedef struct {
  EdgeId edge; /* the CREATE or JOIN */
  NodeId head; /* where each round begins */
  EdgeId exit; /* ASSUME that leaves the loop because i >= bound */
  LocalId counter;
  int64_t low;
  ExprId bound;
  Cell bound_cell;     /* it is loaded from there in each round */
  uint32_t bound_kind; /* how it is compared: by sign, and how it was widened */
  ExprId base;         /* address of an array whose elements are ids, or contain them */
  Cell base_cell;      /* it is loaded from there in each round */
  uint64_t stride;     /* bytes from one id to the next */
  int64_t offset;      /* of the first one */
  uint8_t *after;      /* by node of the function: only behind the edge in each round */
  bool calm; /* nothing inside creates a thread or calls the program's functions */
  FuncId function;
  bool once; /* the loop itself is entered at most once in its function */
} Loop;

/* What is found out about a kind of thread in one round, and used in the next. */
typedef struct {
  bool many;
  FlowValue id_cell;                /* where its id is stored; unknown when it varies */
  uint32_t descendants, exit_alive; /* sets */
} ThreadFacts;

/* Which of them a round has asked for: what nobody asked for may change without another one. */
enum { ASKED_MANY = 1, ASKED_CELL = 2, ASKED_DESCENDANTS = 4, ASKED_EXIT = 8 };

typedef struct {
  FuncId entry;
  EdgeId site;
  ThreadFacts used, found;
  uint8_t asked;
  bool id_seen;          /* found.id_cell is set */
  VEC(uint32_t) entries; /* contexts of the entry function */
  Map functions;         /* that it may execute */
  bool own_argument;     /* so far every creation gave its own */
  bool argument_seen;
  uint64_t argument_stride;
  FlowValue argument;   /* … and the same one in the creator's names */
  VEC(FlowValue) given; /* locks that it is supposed to get from its creator */
} Thread;

/* Bytes that some operation takes as a lock. */
typedef struct {
  uint32_t key;      /* the object, as touch.h calls it */
  uint32_t offset;   /* folded, or OFFSET_ANY */
  uint32_t size;     /* bytes */
  uint32_t from, to; /* pointsto_extent */
  uint32_t next;     /* word of the same object + 1 */
  uint64_t taken;    /* the one value that it has when it is not 0 … */
  bool varies;       /* … unless it is not known which */
} WordPlace;

typedef struct {
  Flow *flow;
  const Program *p;
  const PointsTo *pt;
  const volatile int *stop;
  Arena *arena;
  Liveness *liveness;
  VEC(Symbol) symbols;
  StrMap symbol_ids;
  VEC(State) states;
  StrMap state_ids;
  VEC(Context) contexts;
  StrMap context_ids;
  uint32_t max_contexts;    /* of one function, for a program of this size */
  uint32_t max_disjuncts;   /* of one node, the same */
  Map context_count;        /* function to the number of its contexts */
  Map general;              /* function << 1 | in_thread to its general context + 1 */
  StrMap callee_lists;      /* the functions of a call to the number of that list */
  Map callee_list;          /* its address in points-to to that number */
  bool outside_entered;     /* in this round: what code outside may call at any time */
  Map releaser_ids;         /* lock to index in releasers + 1 */
  VEC(uint8_t *) releasers; /* by function: may it release the lock? */
  Map creator_ids;          /* CREATE edge to index in creators + 1 */
  VEC(uint8_t *) creators;  /* by function: may it come there? */
  VEC(WordPlace) words;     /* flow_word.c; empty: all else about them is unused */
  Map words_of;        /* what touch.h calls the object, to the first of its words + 1 */
  uint8_t *word_roles; /* by edge: WordRole */
  StrMap calls;        /* caller, node and callee of each call, to 1 */
  Heap queue;          /* flow_queue.c */
  VEC(Thread) threads;
  Map thread_ids;   /* site << 32 | function to thread + 1 */
  Map overlaps;     /* thread << 32 | thread to 1 */
  Map create_loops; /* CREATE edge to index in loops + 1 */
  Map join_loops;   /* exit edge to index in loops + 1 */
  VEC(Loop) loops;
  bool stored_outside; /* … and some store has a target that nobody knows */
  Map stored_cells; /* object << 32 | folded offset to 1: stored to other than by create */
  Map in_degree;    /* node to 2 if several edges enter it */
  bool lost_locks;  /* some lock was forgotten although it may still be held */
  bool
      weak_publication; /* pointers may travel through relaxed atomics: then nobody can tell
                            when another thread learns of an object */
  /* Cells that are written while several threads run: object << 32 | folded offset, or
   * OFFSET_ANY for all of an object. */
  Map written_used, written_found;
  bool all_written_used, all_written_found;
  Map foreign_used, foreign_found; /* objects that other threads than main write */
  Map attribute_kinds,
      lock_kinds;       /* object << 32 | offset to what settype and init said */
  bool jumps;           /* setjmp: what is on no cycle may run again all the same */
  bool lost_kinds;      /* … and some of them is not known */
  bool sets_errorcheck; /* the type of some mutex is set to one that refuses, or may be */
  Map library_objects;  /* name to object */
  Map argument_objects; /* handed to threads as arguments */
  Map once_ids;         /* object << 32 | offset to a number */
  /* A node with one way in has exactly the images of its predecessor's states: they are
   * collected here anew whenever the predecessor is worked on. Only nodes with several ways in
   * accumulate. */
  NodeId renewed_node;
  NodeStates renewed;
  uint32_t any_exit_alive; /* union over all pthread_exit calls of this round */
  /* What each constructor leaves running, in the order of constructors: found at the end of a
   * round, used in the next. */
  VEC(uint32_t) early_used;
  bool cancels; /* a thread may end at any of its operations */
  /* Locks that some state lost to a thread it created, in this round; locks that are not
   * handed over although it seemed so; whether this round changed what is supposed. */
  VEC(FlowValue) moved, not_given;
  bool handover_found;
  struct SetTable *sets;
} Analyzer;

/* ---- flow_value.c ---- */
uint32_t symbol_id(Analyzer *a, Symbol symbol);
FlowValue value_symbol(Analyzer *a, Symbol symbol);
FlowValue value_number(int64_t n);
FlowValue value_unknown(void);
bool value_equal(const FlowValue *x, const FlowValue *y);
bool value_is_number(const FlowValue *v, int64_t *ret);
bool value_mentions(Analyzer *a, const FlowValue *v, SymbolKind kind, uint32_t x);
FlowValue value_of_expr(Analyzer *a, const Work *w, ExprId e);
/* Adds what the truth of `condition` tells; false when it cannot hold. */
bool assume_condition(Analyzer *a, Work *w, ExprId condition);
FlowValue value_add(FlowValue x, FlowValue y);
/* True while other threads may run: then cells that nobody changes have fixed values. */
bool work_is_shared_time(const Work *w);
/* What a load of `size` bytes from this address yields, if the cell is fixed now; unknown
 * otherwise. */
FlowValue value_of_cell(Analyzer *a, const Work *w, const FlowValue *address,
                        uint32_t size);

/* ---- sets (flow_value.c) ---- */
struct SetTable *sets_new(void);
void sets_free(struct SetTable *sets);
bool set_has(const struct SetTable *sets, uint32_t set, uint32_t element);
uint32_t set_add(struct SetTable *sets, uint32_t set, uint32_t element);
uint32_t set_remove(struct SetTable *sets, uint32_t set, uint32_t element);
uint32_t set_union(struct SetTable *sets, uint32_t x, uint32_t y);
uint32_t set_meet(struct SetTable *sets, uint32_t x, uint32_t y);
uint32_t set_count(const struct SetTable *sets);
uint32_t set_size(const struct SetTable *sets, uint32_t set);
uint32_t set_element(const struct SetTable *sets, uint32_t set, uint32_t i);

/* ---- flow_state.c ---- */
void work_free(Work *w);
void work_load(Analyzer *a, Work *w, uint32_t state);
void work_copy(Work *to, const Work *from);
uint32_t work_store(Analyzer *a, const Work *w);
void work_bind(Work *w, LocalId local, FlowValue value);
const FlowValue *work_find(const Work *w, LocalId local);
/* Forgets which threads' ids are stored where. */
void work_forget_ids(Work *w);
/* Forgets everything that mentions symbols of this edge or node, before they are set anew. */
void work_purge(Analyzer *a, Work *w, SymbolKind kind, uint32_t x);
void work_add_lock(Work *w, FlowLock lock);
bool work_is_fresh(const Work *w, uint32_t symbol);
void work_set_fresh(Work *w, uint32_t symbol);
void work_not_fresh(Work *w, uint32_t symbol);
bool work_is_handed(const Work *w, uint32_t symbol);
void work_set_handed(Work *w, uint32_t symbol);
void work_publish(Work *w, const FlowValue *value);
/* Merges into a node; queues it when something is new. */
void node_merge(Analyzer *a, uint32_t context, NodeId node, Work *w);
/* The join of two states: what holds in both; at `node` for the new symbols. */
void work_join(Analyzer *a, Work *into, const Work *other, NodeId node);

/* ---- flow_edge.c ---- */
void edge_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before);
FlowLock lock_of(Analyzer *a, const Work *w, const Edge *edge, ExprId address);
/* May the unknown lock at `address` be this one? */
bool lock_may_be(Analyzer *a, ExprId address, const FlowLock *lock);
/* The number of the one-time control at this address, 0 if it is not certain which it is. */
uint32_t once_id(Analyzer *a, const FlowValue *flag);
/* The initialiser has run: in this thread or before in another. */
void once_finished(Analyzer *a, EdgeId e, Work *w, uint32_t once);
/* The byte belongs to no array: its folded offset is its only one. */
bool place_is_single(Analyzer *a, ObjectId object, uint32_t offset);
/* Objects whose instance is the only one in every run. */
bool object_is_unique(Analyzer *a, ObjectId object);
/* The edge has been passed whenever the other one is. */
bool edge_comes_first(Analyzer *a, EdgeId first, EdgeId then);
bool edge_runs_once(Analyzer *a, EdgeId edge);
/* Runs at most once in every run: main, and what is called from one place in it. */
bool function_runs_once(Analyzer *a, FuncId function);
/* The object that a value points into, if that is the only one of its kind: a variable, or one
 * that is allocated at most once. */
bool value_object(Analyzer *a, const FlowValue *v, ObjectId *ret);
/* The object, allocated at most once, whose address is all that is ever stored in the cell. */
bool cell_object(Analyzer *a, Cell cell, ObjectId *ret);

/* ---- flow_kind.c ---- */
/* After stored_cells is filled. */
void lock_kinds_prepare(Analyzer *a);
bool lock_is_recursive(Analyzer *a, const FlowLock *lock);
/* Whoever takes it once more and goes on has it twice: it counts, or waits for ever. */
bool lock_counts(Analyzer *a, const FlowLock *lock);
/* Who holds it already is not made to wait, or counted, but told so. */
bool lock_may_refuse(Analyzer *a, const Edge *edge);
/* Surely a mutex that neither counts nor complains: it is initialised once, as most are. */
bool lock_is_plain(Analyzer *a, const FlowLock *lock);

/* ---- flow_word.c ---- */
void flow_words_prepare(Analyzer *a);
/* The edge takes a word: it goes on twice. */
bool word_is_taken(Analyzer *a, EdgeId e, const Work *w);
void word_take(Analyzer *a, uint32_t context, EdgeId e, Work *w);
/* The edge frees words, or writes something else over them: they are not held any more. */
void words_overwrite(Analyzer *a, EdgeId e, Work *w);
bool words_are_freed_in(const Analyzer *a, const Function *function);
/* Notes the words that are freed by whoever did not take them, in the settled states. */
void words_find_loose(Analyzer *a);
/* Other locks than words are held: those that others wait for. */
bool work_holds_locks(const Work *w);

/* ---- flow_handover.c ---- */
/* The thread unlocks a lock that it does not seem to hold: the next round supposes that it
 * gets the lock when it is created. */
void handover_suppose(Analyzer *a, uint32_t thread, const FlowValue *name);
/* That explained too little. */
void handover_refute(Analyzer *a, const FlowValue *name);
/* In this round some state lost the lock to a thread that it created. */
bool handover_happened(const Analyzer *a, const FlowValue *name);
/* … to this kind of thread. */
bool handover_gave(const Analyzer *a, uint32_t thread, const FlowValue *name);
/* Moves the locks that the thread gets from its creator's state into its first one. */
void handover_move(Analyzer *a, uint32_t thread, Work *creator, Work *start);

/* ---- flow_call.c ---- */
/* How the caller's symbols are called in the callee. */
typedef struct {
  uint32_t symbol; /* caller's */
  uint32_t as;     /* base in the callee */
  int64_t shift;   /* caller's symbol = as - shift … value = as + (offset - shift) */
} Naming;

typedef struct {
  VEC(Naming) names;
  VEC(FlowValue) opaque; /* caller's names of opaque locks, by number */
  const FuncId *callees; /* any of these is called */
  uint32_t callee_count;
} Translation;

/* Values with this base are called the same everywhere in a thread. */
bool name_survives(Analyzer *a, uint32_t base);
/* The callee's name of a value; that of argument `param` gives its symbol one (-1: none). */
FlowValue into_callee(Analyzer *a, Translation *t, FlowValue v, int param);
void carry_locks(Analyzer *a, Translation *t, const Work *w, Work *entry);
void carry_fresh(Translation *t, const Work *w, Work *entry);
uint32_t context_new(Analyzer *a, FuncId function, uint32_t entry);
void note_call(Analyzer *a, uint32_t caller, NodeId node, uint32_t callee);
/* One exit of the callee, seen by the caller. */
void come_back(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
               const Translation *t, const Exit *exit, uint32_t once);
void call_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before);
void once_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before);
/* The CALL edge may go to code of which nothing is known. */
bool calls_outside(const Analyzer *a, EdgeId e);
uint32_t context_enter(Analyzer *a, FuncId function, Work *entry);
void context_exit(Analyzer *a, uint32_t context, Work *w, FlowValue result);

/* ---- flow_dispatch.c ---- */
/* Enters all functions of a list of points-to that have a body, if they are many; false if they
 * are few. They get the arguments of the CALL edge, or any. */
bool dispatch_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
                       const FuncId *functions, uint32_t n, bool with_arguments);
/* One of the functions behind a dispatch has a new exit. */
void dispatch_exit(Analyzer *a, uint32_t dispatch, const Exit *exit);

/* ---- flow_frame.c ---- */
/* None of the functions can release the lock, nor anything that they call. */
bool call_keeps_lock(Analyzer *a, const FuncId *functions, uint32_t n,
                     const FlowLock *lock);
/* Who may be alive behind a call of these functions, of what their exit says. */
uint32_t call_alive(Analyzer *a, const FuncId *functions, uint32_t n, uint32_t before,
                    uint32_t at_exit);

/* ---- flow_queue.c ---- */
void enqueue(Analyzer *a, uint32_t context, NodeId node);
/* False when nothing is left. */
bool dequeue(Analyzer *a, uint32_t *ret_context, NodeId *ret_node);

/* ---- flow_loop.c ---- */
bool assigns(const Edge *e, LocalId local);
/* If the CREATE or JOIN edge of `function` is in such a loop, with the id at `address`, notes the
 * loop. */
void find_loop(Analyzer *a, FuncId function, EdgeId edge, ExprId address, bool create);
/* The local may get another value once the loop has begun. */
bool is_set_after(Analyzer *a, const Loop *loop, LocalId local);

/* ---- flow_store.c ---- */
void stores_note(Analyzer *a, EdgeId edge);
/* Some of these bytes may be written as data. */
bool bytes_are_stored(Analyzer *a, ObjectId object, int64_t offset, uint32_t size);
/* The only edge that stores to the cell: 0 if there is none; false if there may be several. */
bool only_store(Analyzer *a, Cell cell, EdgeId *ret);
/* Something other than the creation of a thread may write there. */
bool cell_is_stored(Analyzer *a, ObjectId object, int64_t offset);

/* ---- flow_join.c ---- */
void join_transfer(Analyzer *a, EdgeId e, Work *w);
/* The loop exits here, and every thread of its array has been joined. */
void loop_exit_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w);
/* 1 + the thread whose id was joined in this round of a loop, before this edge, for the
 * counter's value; or 0. */
uint32_t thread_joined_before(Analyzer *a, const Work *w, EdgeId at, uint32_t counter);

/* ---- flow_thread.c ---- */
/* What the last round found out; this one must find the same. */
const ThreadFacts *thread_ask(Analyzer *a, uint32_t thread, uint8_t about);
enum { MAIN_THREAD = 0 };
void threads_prepare(Analyzer *a);
/* The contexts that a thread runs through, each once. */
typedef VEC(uint32_t) ContextList;
void thread_contexts(Analyzer *a, uint32_t thread, ContextList *ret);
/* The symbol counts the rounds of the loop around this CREATE edge, each value once. */
bool is_loop_counter(Analyzer *a, uint32_t symbol, EdgeId create);
/* What the settled states of a CREATE edge tell about its threads. */
void create_record(Analyzer *a, EdgeId e, const Work *w);
void create_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w);
/* What a creation that fails leaves where the id should be is anything. */
void create_forget_id(Analyzer *a, uint32_t context, EdgeId e, Work *w);
/* The threads that may run while a creation writes the id: the new one does already. */
uint32_t create_alive(Analyzer *a, EdgeId e, const Work *w);
/* What runs from `context` on, registered by the CALL edge, may run in many threads at any
 * time: it counts as a kind of thread of its own. */
void thread_apart(Analyzer *a, EdgeId site, FuncId entry, uint32_t context);
/* What a load from a cell yields that holds the id of a thread; unknown otherwise. */
FlowValue id_in_cell(Analyzer *a, uint32_t context, const Work *w,
                     const FlowValue *address);
/* After a round: true when what was found is what was used. */
bool threads_settle(Analyzer *a);

/* ---- flow_record.c ---- */
/* With `only_written` it only notes which cells are written while several threads run. */
void record_all(Analyzer *a, bool only_written);
/* Calls `visit` for every edge of every settled state of a context. */
typedef void StateVisitor(Analyzer *a, uint32_t context, EdgeId e, const Work *w,
                          void *data);
void visit_states(Analyzer *a, uint32_t context, StateVisitor *visit, void *data);

#endif
