/* Library functions inside the interpreter: the interface between the machine (threads,
 * memory, scheduling) and the functions of the C library that it can perform.
 *
 * A native function gets its evaluated arguments, works on the interpreted program's memory
 * through exec_read and exec_write, and leaves its result. It may ask for a call of a function
 * of the program (qsort's comparison, atexit handlers): it sets up the call, returns
 * NATIVE_CALL, and is entered again with `stage` increased and `returned` set. What it must
 * keep between stages lives in `state` (released by `drop` when the call ends).
 *
 * A function that is not in the table stops the run with its name and place. Nothing guesses. */
#ifndef HEDDLE_MODEL_EXEC_NATIVE_H
#define HEDDLE_MODEL_EXEC_NATIVE_H

#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Exec Exec;
typedef struct ExecThread ExecThread;

typedef enum {
  NATIVE_DONE, /* result is set (if the function has one) */
  NATIVE_CALL, /* call `callback` with callback_args, then enter again */
  NATIVE_STOP, /* exec_stop was called: misuse by the program or something not modelled */
  NATIVE_EXIT, /* exit(result): the exit handlers run, the buffers are flushed */
  NATIVE_QUIT, /* _exit(result): the program ends at once, buffers are lost */
  NATIVE_ABORT, /* abort(): likewise, by SIGABRT (`result` is the signal number) */
  NATIVE_BLOCK, /* the thread waits (threads*.c, sleep): enter again when it may go on */
  NATIVE_JUMP,  /* longjmp: the frames were already unwound, there is no result */
} NativeStatus;

enum { NATIVE_CALLBACK_ARGS = 4 };

typedef struct NativeCall NativeCall;
struct NativeCall {
  Exec *exec;
  ExecThread *thread;
  const Edge *edge;
  uint32_t argc;
  /* Integers and pointers, zero-extended from their width; floats as their bits (a double's 64
   * bits, a float's 32). For wide arguments (long double, __int128): args_wide[i] points to
   * their bytes (16 readable), else NULL. */
  const uint64_t *args;
  const uint8_t *const *args_wide;
  const uint32_t *arg_bits;
  const uint8_t *arg_sort; /* Sort: to tell double from long */
  const Passing *arg_passing;
  uint32_t result_bits; /* width the caller expects, 0: none */
  uint64_t result;      /* up to 64 bits */
  uint8_t
      result_wide[32]; /* more: long double, pairs of registers, long double complex */
  unsigned stage;      /* 0 at first, then counts the callbacks made */
  uint64_t returned;   /* what the last callback returned */
  uint64_t callback;   /* address of the function to call */
  uint64_t callback_args[NATIVE_CALLBACK_ARGS];
  uint32_t callback_argc;
  void *state;
  void (*drop)(void *state);
};

typedef NativeStatus NativeFn(NativeCall *call);

typedef struct {
  const char *name;
  NativeFn *run;
  uint8_t min_args;
} Native;

/* The table lookup; NULL if the function is not performed natively. */
const Native *native_find(const char *name);

/* ---- services of the machine (memory.c, machine.c) --------------------------------------- */

/* Copies n bytes of the program's memory; on an access outside of live objects they record the
 * stop (place, address, object) and return false: then return NATIVE_STOP. */
bool exec_read(Exec *exec, uint64_t address, void *to, size_t n);
bool exec_write(Exec *exec, uint64_t address, const void *from, size_t n);
/* A direct view of the object's bytes from `address` on; *ret_left is how many follow. NULL and
 * a recorded stop when the address is in no live object. Valid until the next allocation. */
uint8_t *exec_view(Exec *exec, uint64_t address, size_t *ret_left);
/* Says that the function has surely read these bytes, through a view of them. Without it only
 * the first byte of a view counts as read. */
void exec_note_read(Exec *exec, uint64_t address, size_t n);
/* Length of the NUL-terminated string at `address`, at most `limit`; false: stop recorded. */
bool exec_strlen(Exec *exec, uint64_t address, size_t limit, size_t *ret_length);

/* The heap. `align` is a power of two; 0 is returned when the limit on memory is reached.
 * exec_heap_size gives the requested size of a live heap object's start address. */
uint64_t exec_heap_alloc(Exec *exec, uint64_t size, uint64_t align, bool zero);
bool exec_heap_free(Exec *exec, uint64_t address);
bool exec_heap_size(Exec *exec, uint64_t address, uint64_t *ret_size);
/* Makes an object at this very address, which nothing else is at; false: it cannot be there. And
 * whether all these bytes are of one live object of the heap. */
bool exec_heap_alloc_at(Exec *exec, uint64_t address, uint64_t size);
bool exec_heap_covers(Exec *exec, uint64_t address, uint64_t size);

void exec_set_errno(Exec *exec, ExecThread *thread, int value);
int exec_get_errno(Exec *exec, ExecThread *thread);

/* Ends the run: the text names what happened; the place is the current edge. */
void exec_stop(Exec *exec, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a use of synchronisation that is undefined; `what` is constant. */
void exec_misuse(Exec *exec, const char *what);

/* What the program prints and reads. fd 0..2 are heddle's own descriptors. */
void exec_output(Exec *exec, int fd, const void *bytes, size_t n);
/* True when the run may touch nothing outside (ExecOptions.isolated): whatever opens, creates, removes or renames fails with EACCES, but for the null device. */
bool exec_isolated(const Exec *exec);
/* What such a run finds at its standard input, and its environment up to NULL. */
const char *exec_input(const Exec *exec);
const char *const *exec_environment(const Exec *exec);
/* Extra state that native functions keep for the whole run (open files, atexit list, strtok
 * position per thread…): one slot each, freed by `drop` at the end. */
typedef struct LibcState LibcState;
LibcState *exec_libc(Exec *exec);
LibcState *libc_state_new(void);        /* provided by the library side (libc*.c) */
void libc_state_free(LibcState *state); /* likewise: flushes nothing, frees everything */
/* Flushes stdio buffers at exit (library side); called by the machine when the program ends. */
void libc_flush(Exec *exec, LibcState *state);
/* Writes the initial value of external library objects (stdin, stdout, stderr, environ, …);
 * false when the name is not one it knows (library side). `bytes` is the object's storage. */
bool libc_init_object(Exec *exec, LibcState *state, const char *name, uint8_t *bytes,
                      uint64_t size);
/* The next function to call at exit(status), last registered first, and its arguments; false
 * when none is left. Handlers may register more: ask again after each (library side). */
bool libc_next_exit_handler(LibcState *state, int status, uint64_t *ret_function,
                            uint64_t ret_args[NATIVE_CALLBACK_ARGS], uint32_t *ret_argc);
/* Address of the NULL-terminated environment array, for main's third parameter; 0 when memory
 * is exhausted (library side). */
uint64_t libc_environ(Exec *exec, LibcState *state);
/* Address of a global object (optind, environ, …); 0 when it has none. */
uint64_t exec_object_address(Exec *exec, ObjectId id);
/* Address of the function `id`, and back (0 when it is none). */
uint64_t exec_function_address(Exec *exec, FuncId id);
FuncId exec_function_at(Exec *exec, uint64_t address);
const Program *exec_program(const Exec *exec);
uint32_t exec_thread_number(const ExecThread *thread); /* 1 is main */
/* Program arguments as given to exec_run. */
int exec_argc(const Exec *exec);
const char *const *exec_argv(const Exec *exec);
/* Virtual nanoseconds since the start: advances with every step, deterministic. CLOCK_REALTIME
 * (also for deadlines of timed waits) is EXEC_EPOCH seconds plus this clock, CLOCK_MONOTONIC is
 * this clock itself. */
enum { EXEC_EPOCH = 1704067200 }; /* 2024-01-01 00:00:00 UTC */
uint64_t exec_clock(const Exec *exec);

#endif
