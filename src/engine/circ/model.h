/* A program with threads as formulas: what each block of each kind of thread does to the
 * variables that are followed.
 *
 * In: a program (usually a slice), and what is asked about it. Out: the shared variables whose
 * values are followed, and for each kind of thread its blocks (analysis/block.h) as terms: under
 * which condition a block can be taken, and what it makes of the variables, both over the values
 * before it. Paths inside of a block are merged. What a block takes from elsewhere (a HAVOC, memory
 * that is not followed, a choice between rows of the lowering) is a variable of the pool that
 * occurs nowhere else: an input.
 *
 * It is an over-approximation: every execution of the program, as far as shared variables and locals
 * are concerned, is one of the model, for any number of threads. Memory is followed where it is a
 * single place that is accessed always as a whole (analysis/single.h) and that is not known to race;
 * reading other memory gives anything. Synchronisation is followed by the rows of model/lower.h, over
 * ghost variables; where a row cannot be followed, its condition is left out. A thread that waits
 * forever or is never created is no concern: only safety is asked about.
 *
 * A ghost whose value names a thread (the owner of a lock) is two variables: a shared one that says
 * whether there is an owner (0, 1), and one of each thread that says whether it is the owner.
 * Which thread a JOIN waits for is known if the id comes from a CREATE that happens once: ids of such
 * are constants, all others are anything but these.
 *
 * Values of atomics that are weaker than sequentially consistent are not followed, as in
 * docs/petri.md, so that "never both next" excludes races of C11. */
#ifndef HEDDLE_ENGINE_CIRC_MODEL_H
#define HEDDLE_ENGINE_CIRC_MODEL_H

#include "analysis/block.h"
#include "analysis/flow.h"
#include "base/arena.h"
#include "model/lower.h"
#include "solve/term.h"

/* A variable: a shared one (index in CircModel.shared), or one of a kind's own (index in
 * CircKind.locals, with this bit). */
#define CIRC_LOCAL UINT32_C(0x80000000)
typedef uint32_t CircVar;

typedef struct {
  Term now;        /* the variable of the pool that stands for its value before a block */
  Term start;      /* the value before main runs, a constant; 0: any */
  bool ghost;      /* no memory: races do not change it */
  uint8_t which;   /* of a ghost: which of model/lower.h */
  ObjectId object; /* whose bytes, or whose ghost; ghosts of threads: 0 */
  uint32_t
      stride; /* of bytes, not 0: those so many bytes times CircModel.element further on */
  uint32_t
      offset; /* in the object; GHOST_ENDED, GHOST_KNOWN (its id): which kind of thread */
  const char *name; /* as the source calls it: "state", "lock (held)" */
} CircShared;

typedef struct {
  Term now;
  Term start;        /* the value when the thread begins; 0: any */
  uint32_t variable; /* of the automaton; 0: a ghost */
  /* Of a ghost: OWNER (whether this thread has it), COUNT, READS of an object; GHOST_ALL: the thread
   * is in the middle of an operation that takes two steps. */
  uint8_t which;
  ObjectId object;
  uint32_t offset;
  uint32_t counter; /* of CIRC_COUNTS: CircModel.counters */
  const char *name; /* "old", "holds lock" */
} CircLocal;

typedef struct {
  CircVar variable;
  Term value; /* over `now` of shared variables and of its own locals, and inputs */
} CircSet;

/* A value from outside, in the order in which the block meets them; only those of HAVOC edges. */
typedef struct {
  EdgeId edge;
  Term guard, value; /* the block comes there; the input */
} CircInput;

/* An edge on the way, for telling and following: visible ones only. */
typedef struct {
  EdgeId edge;
  Term guard;
} CircVisit;

/* What the question is about happens in the block. */
typedef struct {
  EdgeId edge;
  uint8_t asked; /* AutomatonQuestion.asked */
  bool inside;   /* of an atomic section: two such accesses never race */
  Term
      guard; /* over the values before the block: it comes to this access; to this assertion,
                    and it fails */
  /* Of an access that is to one place: where, over the values before the block, and so many bytes; 0:
   * unknown. */
  Term address;
  uint32_t size;
  uint32_t
      counter; /* not 0: nothing is asked, it would break CircModel.counters[counter - 1] */
} CircEvent;

/* What of a variable's value is a number of shares. */
typedef enum {
  VIEW_ALL,      /* the value */
  VIEW_LEFT,     /* what it has less than in the beginning */
  VIEW_POSITIVE, /* the value, where it is not negative */
  VIEW_BITS,     /* the number in some of its bits */
} CircViewKind;

typedef struct {
  CircViewKind kind;
  uint64_t start;      /* LEFT: what it begins with */
  uint32_t low, count; /* BITS */
} CircView;

/* A shared variable that counts what threads have: each has added its share to it, and takes it off
 * again. See model_count.c. Of several for one variable, the first one that is not broken is of use. */
typedef struct {
  uint32_t shared; /* CircModel.shared */
  CircView view;
  Term
      *own; /* by kind: the variable of its threads with their share; 0: they have none */
  bool *born;  /* by kind: its threads begin with one, which who starts them gives away */
  bool awake;  /* predicates are about it */
  bool broken; /* some thread does otherwise: it is a variable like others */
} CircCounter;

/* A thread is started. */
typedef struct {
  uint32_t kind;
  Term guard;
  /* CircKind.start_sets of the creator: what the new thread's locals begin with, beside
   * CircLocal.start. `variable` is one of the new thread's kind, `value` over the values before the
   * block, in the creator's names. */
  uint32_t first_set, set_count;
} CircStart;

typedef struct {
  uint32_t from,
      to;     /* locations of the automaton, cut points; to 0: the thread has ended */
  bool stops; /* nobody moves any more: the program ends, or an assertion failed */
  Term guard; /* it can be taken, and leads to `to` */
  uint32_t first_set, set_count;
  uint32_t first_input, input_count;
  uint32_t first_visit, visit_count;
  uint32_t first_event, event_count;
  uint32_t first_start, start_count;
} CircBlock;

/* A local that is always this number when a thread is at the location, or so much more than another local; blocks have
 * that instead. */
typedef struct {
  uint32_t location;
  CircLocal local; /* it may be none of CircKind.locals any more */
  Term value;
  CircLocal beside; /* the other one, which `value` is over; without a term: none */
} CircConstant;

typedef struct {
  uint32_t automaton; /* index in Automata.kinds */
  EdgeId site;        /* CREATE that starts it; 0: main */
  bool many;          /* there may be more than one at a time */
  uint64_t id;        /* a number that can be its id, if it is started once; 0: unknown */
  const char *name;
  Blocks *blocks;
  uint64_t *live; /* by location: which locals may be read from there on, as bits */
  VEC(CircLocal) locals;
  VEC(CircBlock)
  all; /* by `from`, ascending; a block of `blocks` may be several here */
  VEC(CircSet) sets;
  VEC(CircInput) inputs;
  VEC(CircVisit) visits;
  VEC(CircEvent) events;
  VEC(CircStart) starts;
  VEC(CircSet) start_sets; /* CircStart.first_set */
  VEC(CircConstant) constants;
} CircKind;

typedef struct {
  const Program *program; /* or a slice of it */
  const PointsTo *pointsto;
  const Flow *flow;     /* of the whole program */
  const uint8_t *asked; /* by EdgeId */
  ObjectId
      object; /* … the accesses race there, from this byte on; 0: nothing is known of that */
  uint64_t from;
  const uint8_t *racy; /* by ObjectId: may contain anything at any time; or NULL */
  bool
      fine; /* every step is a block of its own, as in the paper, instead of all between visible ones */
  /* Addresses of objects and functions, by their numbers, for who compares the model with a
   * machine; NULL: numbers of its own. */
  const uint64_t *objects, *functions;
  const volatile int *stop;
} CircQuestion;

typedef struct {
  CircQuestion question;
  Terms *terms;
  Automata *automata;
  VEC(CircShared) shared;
  VEC(CircKind)
  kinds; /* main first; then one for each CREATE and function that it may start */
  VEC(CircCounter) counters;
  /* Index in `shared` + 1 of the number of an element, which is any; 0: there is none. Events are then those at this
   * element of what is asked about, which begins at this byte of the object. See model_element.c. */
  uint32_t element;
  uint32_t element_begin, element_stride;
} CircModel;

/* CircShared.which of CircModel.element. */
#define CIRC_ELEMENT (GHOST_ALL + 2)
/* … and of: an object allocated at this place lies at the address that is looked at (model_heap.c). */
#define CIRC_MADE (GHOST_ALL + 3)

/* CircLocal.which of CircCounter.own. */
#define CIRC_COUNTS (GHOST_ALL + 1)

/* NULL: the program is out of reach, and `ret_why` (in the arena) says why. */
CircModel *circ_model_new(const CircQuestion *question, Arena *arena,
                          const char **ret_why);
void circ_model_free(CircModel *model);
void circ_model_print(const CircModel *model, Str *out);

/* What lies at an address of the model's own. */
typedef struct {
  FuncId function; /* or 0: */
  ObjectId object;
  uint64_t offset;
} CircMeans;
/* False: it is no such address. */
bool circ_address_means(const CircModel *model, uint64_t address, CircMeans *ret);
/* An address and bytes behind it. All low bits are 0 where objects begin, so terms are simplified to one number
 * in front of the other; that is true of the model's own numbers only. */
typedef struct {
  uint64_t address;
  Term high, low; /* of the bytes; no `high`: 0 */
} CircMoved;
bool circ_address_moved(const CircModel *model, Term term, CircMoved *ret);

/* The number of shares in a value, as wide as 32 bits or the value (model_view.c). */
Term circ_view(Terms *terms, const CircView *view, Term value);

/* What the counters that are awake say of a thread of this kind; of this and another one, whose variables
 * have these names: true before every step. */
Term circ_count_of(CircModel *model, uint32_t kind);
Term circ_count_of_two(CircModel *model, uint32_t kind, uint32_t other, Map *names);

/* The location is inside of an atomic section, and no step that may wait leaves it. */
bool circ_is_atomic(const CircModel *model, uint32_t kind, uint32_t location);

/* Some block from there on may read the local before it is set. What a dead one holds does not
 * matter: no block sets it. */
bool circ_is_live(const CircModel *model, uint32_t kind, uint32_t location,
                  uint32_t local);

#endif
