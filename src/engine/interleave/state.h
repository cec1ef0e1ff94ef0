/* The states that the interleave engine explores, and their canonical form.
 *
 * A state is everything that decides how a program may go on: memory, threads, objects of
 * synchronisation, and what happens-before orders so far. Values are concrete, or TOP (any
 * value at all), so one state stands for every concrete state whose values agree.
 *
 * Memory is a list of instances (a global, one activation's stack object, one allocation).
 * Their contents are cells, sorted by instance and offset; bytes without a cell have the
 * instance's default.
 *
 * Happens-before is kept as knowledge and not as clocks. An Entry is an access that some
 * thread may not know of yet; its carriers are the threads and synchronisation objects
 * that have it in their past. An access conflicts with what its thread does not know.
 * An entry that every live thread knows is dropped, for nothing can race with it any
 * more.
 *
 * The packed form is canonical: what cannot be reached is left out, instances and threads
 * are numbered in the order in which they are found, dead registers are TOP, entries are
 * sorted. Equal packed forms are equal states (the converse need not hold). */
#ifndef HEDDLE_ENGINE_INTERLEAVE_STATE_H
#define HEDDLE_ENGINE_INTERLEAVE_STATE_H

#include "base/vec.h"
#include "engine/absvalue.h"
#include "engine/facts.h"
#include "model/program.h"
#include "model/sync.h"

#include <stdbool.h>

enum {
  IL_MAX_THREADS = 64, /* at the same time: a bit each */
  IL_MAX_SYNCS = 192,  /* carriers among the synchronisation objects */
  IL_SYNC_WORDS = IL_MAX_SYNCS / 64,
  IL_MAX_LANDINGS = 3, /* clean-up handlers of one function at a time */
};

/* ---- memory ---- */

typedef enum {
  DEFAULT_INITIAL, /* the object's initial value */
  DEFAULT_TOP,
  DEFAULT_ZERO,
} Default;

enum { SIZE_UNKNOWN = UINT32_MAX };

typedef struct {
  ObjectId object;
  uint32_t size;    /* bytes; SIZE_UNKNOWN: not known */
  uint8_t contents; /* Default */
  uint8_t dead;     /* freed, or its frame is left */
  uint8_t owner;    /* stack and thread-local ones: thread slot + 1; 0 for others */
  uint8_t common;   /* several members of a crowd share it: see coarse.h */
  uint32_t frame;   /* stack objects: index of the frame */
} Instance;

typedef struct {
  uint32_t instance, offset, size;
  uint32_t unused;
  AbsValue value; /* TOP, a number of `size` <= 8 bytes, or 8 bytes of address */
} Cell;

/* ---- synchronisation ---- */

/* Carriers of order that no operation of synchronisation works on, beside SyncKind. */
enum {
  SYNC_ATOMIC = SYNC_KIND_COUNT, /* an atomic location, or one of its messages: weak.c */
  SYNC_FENCES,                   /* the order of fences: carries messages only */
};

enum { OWNER_GONE = 0xff }; /* the owner has ended and left no trace but the lock */

enum { HAS_TYPE = 1, HAS_ENDED = 2 };

typedef struct {
  uint32_t instance, offset;
  uint8_t kind;     /* SyncKind, or a carrier; SYNC_NONE: a slot that is free */
  uint8_t type;     /* locks: MutexType */
  uint8_t has_type; /* HAS_TYPE: set by an initialisation; HAS_ENDED: destroyed */
  uint8_t owner;    /* locks, once: thread slot + 1; messages: who wrote it */
  uint32_t count;   /* lock depth; semaphore value; barrier size; once: it is done */
  /* locks: threads that read; barriers and conditions: that sleep there */
  uint64_t readers;
  uint32_t rank; /* locks: RobustState; messages: in modification order, from 0 on */
  /* messages */
  uint32_t size;
  uint32_t glued;    /* written by a read-modify-write of the one before */
  uint32_t in_order; /* by a sequentially consistent access */
  AbsValue value;
} Sync;

/* ---- threads ---- */

typedef enum {
  THREAD_FREE,
  THREAD_LIVE,
  THREAD_ENDED,   /* and not joined */
  THREAD_GONE,    /* joined, or detached and ended; its id may still be around */
  THREAD_STOPPED, /* it makes no more steps and keeps what it holds: the program is about
                     to end, or the execution is assumed away */
} ThreadStatus;

/* Where it is in its operation: LowerPhase, as far as anybody can notice it. */
typedef enum {
  PHASE_START,
  PHASE_ASLEEP, /* at a condition or a barrier */
  PHASE_WOKEN,
  PHASE_CHOSEN, /* … as the one that a barrier chooses */
} ThreadPhase;

/* FRAME_STARTUP: a function that the library calls; the frame below goes on as if nothing
 * had happened, at the call that called back or at the beginning of main. */
typedef enum { FRAME_CALL, FRAME_BOTTOM, FRAME_STARTUP, FRAME_ONCE } FrameKind;

typedef struct {
  FuncId function;
  NodeId node;   /* where it is; of a caller, where its call edge begins */
  EdgeId call;   /* FRAME_CALL, FRAME_ONCE: the caller's edge */
  uint32_t regs; /* index of its first register */
  uint32_t kind; /* FrameKind */
  uint32_t once_instance, once_offset;
  uint32_t allocas; /* dynamic stack objects alive */
  /* clean-up handlers that are registered: where each lands (engine/cleanup.h); behind, 0 */
  EdgeId landings[IL_MAX_LANDINGS];
  uint32_t landing_count;
} ThreadFrame;

/* See coarse.h. A thread that was in a crowd has no id that anybody knows. */
typedef enum { CROWD_NOT, CROWD_ONE, CROWD_MANY } Crowd;

typedef struct {
  uint8_t status, phase, detached, section;
  uint8_t cancelled; /* somebody has asked it to end */
  uint8_t ending;    /* it runs its clean-up handlers, and `result` is known */
  uint32_t crowd;    /* Crowd */
  EdgeId created;    /* where; 0: the main thread */
  AbsValue result;
  VEC(ThreadFrame) frames;
  VEC(AbsValue) regs;
} AbsThread;

/* ---- happens-before ---- */

enum {
  ACCESS_READ = 0,
  ACCESS_WRITE = 1,
  ACCESS_ATOMIC = 2, /* two atomic ones do not race */
  ACCESS_SYNCED = 4, /* nor do two that the library makes under its own lock */
  /* alone, and no accesses that could race: see weak.c */
  ACCESS_MESSAGE = 8, /* the message `rank` of an atomic location */
  ACCESS_MARK = 16,   /* a read that might not synchronise with the write that it reads */
};

/* `from` of a mark on memory that is gone. */
enum { MARK_GONE = UINT32_MAX - 1 };

typedef struct {
  uint32_t instance, from, to; /* bytes from ≤ b < to */
  uint32_t kind;
  uint64_t threads;
  uint64_t syncs[IL_SYNC_WORDS];
  uint64_t pending; /* threads that will know of it after an acquire fence */
  uint64_t fenced;  /* threads that knew of it at their last release fence */
  uint32_t rank;    /* ACCESS_MESSAGE */
  EdgeId edge;      /* where, for reports: no part of the canonical form */
} Entry;

/* ---- the whole ---- */

typedef struct {
  VEC(Instance) instances; /* those of globals come first, in fixed places */
  VEC(Cell) cells;
  VEC(Sync) syncs;
  VEC(Entry) entries;
  AbsThread threads[IL_MAX_THREADS];
  uint32_t thread_count;  /* slots in use: all behind are free */
  uint32_t section_owner; /* thread slot + 1 inside of an atomic section */
  bool lost;              /* an address may be hidden in a TOP */
} State;

void state_free(State *state);
/* Instances of globals and library objects only; no thread. */
void state_start(State *state, const Facts *facts);

uint64_t state_live_threads(const State *state);

typedef VEC(uint8_t) ByteVec;

typedef struct {
  uint8_t *data;
  uint32_t len;         /* all bytes */
  uint32_t canonical;   /* the first ones: equal in equal states */
  const uint32_t *cuts; /* where parts of the canonical ones end, ascending */
  uint32_t cut_count;
} Packed;

/* Scratch space of packing, kept between calls. Zero-initialise; release with
 * packer_free. */
typedef struct Packer Packer;
/* `joins`: ended threads matter even if nobody has their id. */
Packer *packer_new(bool joins);
void packer_free(Packer *packer);

/* The canonical form, owned by the packer until the next call. The state itself is
 * unchanged in meaning. */
Packed state_pack(Packer *packer, const Facts *facts, const State *state);
/* The threads of the state packed last that its packed form has, in the same order. */
uint64_t packer_kept_threads(const Packer *packer);
/* The slot that a thread of it has in the packed form; UINT32_MAX: none. */
uint32_t packer_new_slot(const Packer *packer, uint32_t slot);
void state_unpack(State *state, const uint8_t *bytes);

#endif
