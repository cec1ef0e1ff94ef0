/* The machine behind exec.h: what its parts share. Only files of this folder include
 * this.
 *
 * A thread is a stack of frames. A frame runs the code of one function; what happens when
 * it returns is its `on_return`: usually the caller goes on, but the frame may also be
 * the start of a thread, a constructor, a function that a native function called back,
 * and so on. */
#ifndef HEDDLE_MODEL_EXEC_MACHINE_H
#define HEDDLE_MODEL_EXEC_MACHINE_H

#include "base/map.h"
#include "base/vec.h"
#include "model/exec/exec.h"
#include "model/exec/memory.h"
#include "model/exec/native.h"

typedef struct Code Code;
typedef struct Ins Ins;
typedef struct Site Site;
typedef struct CallSite CallSite;
typedef struct Frame Frame;
typedef struct VaArgs VaArgs;
typedef struct SyncTable SyncTable;
typedef struct NativeFrame NativeFrame;

typedef enum {
  RETURN_CALLER,  /* the result goes to the caller's slot */
  RETURN_NATIVE,  /* to the native function that called back */
  RETURN_ONCE,    /* the function of a once flag: the flag is done */
  RETURN_STARTUP, /* constructor, main, exit handler, destructor: see machine_start.c */
  RETURN_THREAD, /* a thread's start function, cleanup or key destructor: see threads.c */
} ReturnKind;

struct Frame {
  Frame *up;
  const Code *code;
  const Ins *pc;        /* innermost: the current instruction; else where to go on */
  uint64_t stack;       /* address of its stack objects */
  uint64_t stack_mark;  /* top of the stack zone before the frame */
  const CallSite *site; /* RETURN_CALLER: where the result goes */
  VaArgs *va;           /* variable arguments, or NULL */
  NativeFrame *native;  /* RETURN_NATIVE: whom to enter again */
  uint64_t serial;      /* which activation this is, to know stale jump buffers */
  uint64_t once;        /* RETURN_ONCE: address of the flag */
  uint8_t on_return;
  uint64_t slots[];
};

/* Frames are stacked inside of chunks. */
typedef struct Chunk Chunk;
struct Chunk {
  Chunk *up;
  uint8_t *up_next; /* where the chunk below was left */
  uint8_t *end;
  _Alignas(16) uint8_t bytes[];
};

typedef struct {
  uint8_t kind; /* ExecWaitKind; WAIT_NONE when it does not wait */
  uint64_t address;
  uint32_t thread;   /* WAIT_JOIN */
  uint64_t deadline; /* exec_clock at which it ends by itself; UINT64_MAX: never */
} Wait;

/* Where a thread is inside of an operation that takes more than one step. */
typedef enum {
  PHASE_START,
  PHASE_QUEUED, /* waits for the event */
  PHASE_WOKEN,  /* the event came */
  PHASE_TIMED_OUT,
} Phase;

/* Where the end of the program or of a thread has got to. */
typedef enum {
  STAGE_CONSTRUCTORS,
  STAGE_MAIN,
  STAGE_HANDLERS,
  STAGE_DESTRUCTORS,
} Stage;

struct ExecThread {
  Exec *exec;
  uint32_t number;
  uint8_t state; /* ExecThreadState */
  uint8_t phase; /* Phase of the operation that it is in */
  bool detached, joined;
  bool cancel_asked, cancel_disabled, cancel_async, ending;
  uint32_t atomic_depth; /* atomic sections it is inside of */
  Frame *frame;          /* innermost */
  Chunk *chunk, *spare;
  uint8_t *chunk_next;
  uint64_t frame_bytes; /* in all chunks */
  StackZone zone;
  uint64_t tls; /* address of the thread-local block */
  uint64_t errno_address;
  uint64_t result;    /* of its start function, or of exit */
  uint64_t sync_high; /* one past the highest sync object on its stack */
  EdgeId created_at;
  uint32_t number_at_join; /* how many threads there had been when it was joined */
  Wait wait;
  uint32_t chosen;        /* SIGNAL: the waiter that the caller chose */
  VEC(uint64_t) keys;     /* values of thread-specific data */
  VEC(uint64_t) cleanups; /* addresses of registered cancellation buffers */
  uint32_t key_rounds;
  Stage stage; /* startup or end of the program, in the thread that runs it */
  uint32_t stage_index;
  NativeFrame *pending; /* a native function that waits inside of its call */
  char name[16];        /* pthread_setname_np */
  uint8_t outcome;      /* Outcome of a native function that answered NATIVE_JUMP */
};

/* A call of a native function, kept while it calls back or waits. */
struct NativeFrame {
  NativeCall call;
  const Native *native;
  const CallSite *site;
  FuncId function;   /* 0: no call of the program's */
  NativeFrame *next; /* free list, or the native function that called this one back */
  uint32_t room;     /* arguments that fit */
  uint64_t *args;
  const uint8_t **args_wide;
  uint32_t *arg_bits;
  uint8_t *arg_sort;
  Passing *arg_passing;
};

typedef struct {
  uint64_t address; /* of the buffer; 0: unused */
  uint32_t thread;
  uint64_t frame;         /* Frame.serial */
  const Ins *pc;          /* the instruction after setjmp's call */
  uint32_t dst, dst_bits; /* its result's slot in the frame; 0: none */
} JumpTarget;

typedef struct {
  bool used;
  uint64_t destructor;
} Key;

typedef struct {
  char *name; /* NULL: unlinked */
  uint64_t address;
  uint32_t opened; /* how often; the memory goes with the last close of an unlinked one */
} NamedSem;

struct Exec {
  const Program *program;
  ExecOptions options;
  bool stepwise;
  Memory memory;
  Code **codes;             /* by FuncId */
  const Native **natives;   /* by FuncId, looked up at the first call */
  uint64_t *object_address; /* by ObjectId: globals; TLS: offset in the thread's block */
  uint64_t tls_size, tls_align;
  VEC(ObjectId) tls_objects; /* ascending offsets */
  uint32_t *memo;            /* translation: slot of each expression, 0 none */
  VEC(ExecThread *) threads; /* number n is at n - 1 */
  VEC(ExecThread *) active;  /* those that have not ended, in order of their numbers */
  ExecThread *current;       /* the thread that runs */
  ExecThread *last;          /* the thread that ran in the last quantum */
  bool switch_now;           /* the operation just done is a good point to switch */
  bool alone; /* the running thread was the only one ready: it has no quantum */
  uint64_t random;
  uint64_t steps;
  uint64_t switches; /* quanta drawn so far */
  uint64_t skipped;  /* nanoseconds that the clock has jumped */
  uint64_t frame_serial;
  SyncTable *sync;
  VEC(Key) keys;
  VEC(JumpTarget) jumps;
  VEC(NamedSem) named; /* sync_named.c */
  NativeFrame *free_natives;
  LibcState *libc;
  VEC(ExecChoice) choices;
  ExecResult result;
  Str text;
  uint64_t main_args[3]; /* argc, argv, envp */
  int exit_status;
  bool exiting, flushed;
  bool in_library;    /* a library function runs: event_library */
  bool library_locks; /* it locks something by itself */
  uint8_t cancels;    /* circle.c: whether the program can cancel threads */
};

/* What became of an operation that is done outside of the loop. */
typedef enum {
  OUT_NEXT,  /* done: go on behind it */
  OUT_FRAME, /* the thread's frame changed: go on at its pc */
  OUT_BLOCK, /* the thread waits; the same instruction runs again later */
  OUT_END,   /* the thread has ended */
  OUT_STOP,  /* the program has ended */
} Outcome;

/* ---- machine.c: run, scheduling ---- */
uint64_t exec_random(Exec *exec);
/* Ends the run; the first end wins. */
Outcome exec_end(Exec *exec, ExecEnd end, int status, ExecThread *thread, EdgeId edge);
EdgeId thread_edge(const ExecThread *thread); /* of its current instruction, 0 if none */
void exec_place(const Exec *exec, EdgeId edge, Str *out); /* "prog.c:12:5: " or "" */
void thread_block(ExecThread *thread, ExecWaitKind kind, uint64_t address,
                  uint64_t deadline);
void thread_wake(ExecThread *thread);
/* The earliest deadline of all waiting threads, UINT64_MAX if there is none. */
uint64_t exec_earliest(const Exec *exec);
/* One more thread can run: a thread that ran alone gets a quantum. */
void exec_more_ready(Exec *exec);
/* The operation just done is a good point for another thread to run. */
void exec_may_switch(Exec *exec);
static inline ExecThread *exec_thread(const Exec *exec, uint32_t number) {
  return number && number <= exec->threads.len ? exec->threads.data[number - 1] : NULL;
}

/* ---- machine_ops.c ---- */
/* Does an edge that the loop does not do itself. */
Outcome slow_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);
/* Stops: the operation came to a part of the machine that does not do it. */
Outcome slow_not_here(Exec *exec, const Site *site);
/* The atomic section begins or ends; sections nest. */
void section_enter(Exec *exec, ExecThread *thread);
void section_leave(Exec *exec, ExecThread *thread);
/* A value for HAVOC. */
void exec_havoc(Exec *exec, EdgeId edge, uint32_t bits, uint64_t *words);
/* What the edge asks for is refused, this time. */
bool exec_refuses(Exec *exec, EdgeId edge);
/* Which of the possible edges of a node with a real choice to take: an index below count.
 */
uint32_t exec_pick(Exec *exec, uint32_t count);
/* Nothing can be taken from here: an assumption, or the end of a function that must not
 * end. */
Outcome exec_stuck(Exec *exec, ExecThread *thread, EdgeId edge);

/* ---- machine_call.c: frames, calls, returns ---- */
/* A new frame on top; its slots are zero where they must be. NULL: overflow, run ended.
 */
Frame *frame_push(Exec *exec, ExecThread *thread, Code *code);
void frame_pop(Exec *exec, ExecThread *thread);
/* Enters the function at this address with plain arguments. NULL when the run has ended.
 */
Frame *call_simple(Exec *exec, ExecThread *thread, uint64_t function,
                   const uint64_t *args, uint32_t argc, ReturnKind on_return);
Outcome call_execute(Exec *exec, ExecThread *thread, CallSite *site);
/* The innermost frame returns `words` (NULL: nothing). */
Outcome call_return(Exec *exec, ExecThread *thread, const uint64_t *words);
/* Drops the frames above `down_to` (NULL: all). */
void frames_unwind(Exec *exec, ExecThread *thread, Frame *down_to);

/* ---- machine_native.c: calls of library functions ---- */
/* The function by its rule alone (machine_described.c); NULL: the rule leaves too much open. */
const Native *native_described(const Exec *exec, FuncId function);
/* The native function of this name, or NULL. */
const Native *native_lookup(Exec *exec, FuncId function);
/* Performs the call; OUT_NEXT: done, its result is in the caller's slot. */
Outcome native_execute(Exec *exec, ExecThread *thread, const CallSite *site,
                       const Native *native, FuncId function);
/* Performs a library function without arguments or result that no edge calls. */
Outcome native_begin(Exec *exec, ExecThread *thread, const Native *native);
/* Goes on with one that called back or waited. */
Outcome native_resume(Exec *exec, ExecThread *thread, NativeFrame *native,
                      uint64_t returned);
/* A call from inside of the machine, with plain arguments, of a function that must be
 * done at once; false: the run has ended. */
bool native_now(Exec *exec, ExecThread *thread, FuncId function, const uint64_t *args,
                uint32_t argc, uint64_t *ret_result);
void native_drop(Exec *exec, NativeFrame *native);
void natives_free(Exec *exec);

/* ---- machine_start.c: the program's start and end ---- */
void start_program(Exec *exec);
/* The next constructor, main, handler or destructor; called when the one before has
 * returned. */
Outcome start_next(Exec *exec, ExecThread *thread, uint64_t returned);
Outcome start_exit(Exec *exec, ExecThread *thread, int status);

/* ---- machine_jump.c: setjmp and longjmp ---- */
const Native *jump_native(const char *name);
/* Jumps to the buffer; false when it is stale (no stop recorded). */
bool jump_to(Exec *exec, ExecThread *thread, uint64_t buffer, uint64_t value);

/* ---- memory_init.c ---- */
bool memory_load(Exec *exec); /* globals; false: the run has ended */
bool memory_load_tls(Exec *exec, ExecThread *thread);
uint64_t exec_label_address(const Exec *exec, uint32_t label);
uint64_t exec_errno_address(Exec *exec, ExecThread *thread); /* 0: memory is exhausted */

/* ---- memory_access.c: operations on memory outside of the loop ---- */
Outcome memory_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);
/* Records the stop of a bad access. */
Outcome memory_fault(Exec *exec, const char *what, uint64_t address, uint64_t size);

/* ---- atomic.c ---- */
Outcome atomic_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);

/* ---- va.c ---- */
VaArgs *va_capture(Exec *exec, const Code *callee, const CallSite *site,
                   const Code *caller, const uint64_t *slots);
void va_free(VaArgs *va);
Outcome va_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);

/* ---- sync*.c ---- */
SyncTable *sync_new(void);
void sync_free(SyncTable *table);
void named_free(Exec *exec);
Outcome sync_execute(Exec *exec, ExecThread *thread, const Site *site, uint64_t *slots);
/* Would this edge block right now? (for listing choices) */
bool sync_would_block(Exec *exec, ExecThread *thread, EdgeId edge);
/* The memory of these objects is gone. */
void sync_forget(Exec *exec, uint64_t from, uint64_t to);
/* The waiters of a condition variable, in order of arrival. */
size_t sync_waiters(Exec *exec, uint64_t cond, const uint32_t **ret_threads);
void sync_once_done(Exec *exec, ExecThread *thread, uint64_t flag);
/* Its function was left by a jump or by cancellation: the flag is as if it had not begun.
 */
void sync_once_left(Exec *exec, uint64_t flag);
/* The thread's wait ends without its event. */
void sync_timeout(Exec *exec, ExecThread *thread, Phase phase);
uint32_t sync_holder(const Exec *exec, uint64_t address);

/* ---- threads*.c ---- */
ExecThread *thread_new(Exec *exec);
/* One that runs the function, as of now; NULL: a stop is recorded. */
ExecThread *thread_start(Exec *exec, ExecThread *creator, uint64_t function,
                         uint64_t argument);
void thread_free(ExecThread *thread);
/* Which thread a value of type pthread_t means, NULL if none. */
ExecThread *thread_of_id(const Exec *exec, uint64_t id);
uint64_t thread_id(const ExecThread *thread);
Outcome threads_execute(Exec *exec, ExecThread *thread, const Site *site,
                        uint64_t *slots);
/* The thread's start function (or one of its last callbacks) has returned. */
Outcome thread_finish(Exec *exec, ExecThread *thread);
/* Acts on a pending cancellation at a cancellation point; OUT_NEXT when there is none. */
Outcome thread_test_cancel(Exec *exec, ExecThread *thread);
static inline bool thread_cancel_pending(const ExecThread *t) {
  return t->cancel_asked && !t->cancel_disabled && !t->ending;
}
const Native *thread_native(const char *name);

#endif
