/* What the native C library keeps for one run of the interpreted program.
 *
 * One LibcState belongs to one Exec. Memory that the library hands out to the program
 * (the environment, the buffer of strerror, the table behind isalpha) lives in the
 * program's own heap, so that the program reaches it like any other object; `owned`
 * remembers it, because the program must not free it. */
#ifndef HEDDLE_MODEL_EXEC_LIBC_STATE_H
#define HEDDLE_MODEL_EXEC_LIBC_STATE_H

#include "base/map.h"
#include "base/vec.h"
#include "model/exec/native.h"

#include <stdlib.h>
#include <signal.h>

typedef struct LibcFile LibcFile; /* libc_file.h */

/* A descriptor of the program. Its own numbers are given as a kernel does, the lowest
 * free one first, whatever heddle itself has open. */
typedef struct {
  int host;   /* heddle's descriptor; -1: not open */
  int output; /* 1 or 2: what is written goes through exec_output; else 0 */
  bool close; /* heddle's descriptor belongs to the program alone */
  uint32_t from,
      to; /* an end of a pipe or socket: numbers of channels, from 1 on, else 0 */
} LibcFd;

/* `host` of an end of a channel: open, and nothing of heddle's. */
enum { LIBC_NO_HOST = 0x7fffffff };

/* Bytes on their way through a pipe or a socket. */
typedef struct {
  VEC(uint8_t) bytes;
  uint32_t at; /* so many were read */
} LibcChannel;

/* A state of random that the program has made: its address, and heddle's own array. */
typedef struct {
  uint64_t address;
  char *table;
} RandomState;

/* A directory that the program has opened. */
typedef struct {
  uint64_t address;  /* of its DIR */
  void *host;        /* DIR *, or NULL */
  bool empty;        /* of an isolated run: it has nothing but itself and its parent */
  uint32_t empty_at; /* … how many of the two were read */
} LibcDir;

typedef enum {
  HANDLER_PLAIN,
  HANDLER_STATUS,
  HANDLER_ARG
} ExitKind; /* atexit, on_exit, cxa */

typedef struct {
  ExitKind kind;
  uint64_t function, arg;
} ExitHandler;

enum {
  LIBC_SIGNALS = 65,
  LIBC_SIGACTION_BYTES = 152,
  LIBC_ENV_SPARE = 1024,
  LIBC_PROCESS = 1000
};

static const uint64_t LIBC_TEXT_LANGINFO = UINT64_C(1) << 32;

/* Buffers with static storage duration inside the library, made when first needed. */
typedef enum {
  STATIC_STRERROR, /* for numbers that are no error */
  STATIC_STRSIGNAL,
  STATIC_TM,
  STATIC_ASCTIME,
  STATIC_ZONE_UTC,
  STATIC_ZONE_GMT,
  STATIC_CTYPE_B,
  STATIC_CTYPE_LOWER,
  STATIC_CTYPE_UPPER,
  STATIC_CTYPE_B_POINTER,
  STATIC_CTYPE_LOWER_POINTER,
  STATIC_CTYPE_UPPER_POINTER,
  STATIC_LOCALE,
  STATIC_LOCALECONV,
  STATIC_BASENAME,
  STATIC_SEED48,
  STATIC_TMPNAM,
  STATIC_PROGRAM_NAME,
  STATIC_PASSWD,
  STATIC_SIGINFO,
  STATIC_UCONTEXT,
  STATIC_RANDOM,
  STATIC_HASH_TABLE,
  STATIC_COUNT
} LibcStatic;

struct LibcState {
  /* streams and descriptors */
  Map files; /* address of the FILE → LibcFile * (0: closed) */
  VEC(LibcFile *) streams;
  uint64_t standard[3]; /* addresses of stdin, stdout, stderr; 0 until first used */
  VEC(LibcFd) fds;
  VEC(LibcChannel) channels;
  VEC(LibcDir) dirs;
  size_t input_at; /* of an isolated run's standard input, read so far */
  unsigned names;  /* that tmpnam has made */
  bool umask_changed;
  unsigned umask, host_umask; /* the program's, and what to restore */
  /* memory lent to the program */
  uint64_t statics[STATIC_COUNT];
  Map owned; /* address → which object of the model it is, + 1 */
  Map texts; /* error number, or LIBC_TEXT_LANGINFO + item → its text */
  /* environment */
  uint64_t environment; /* address of the array; 0 until first used */
  uint32_t environment_room;
  /* the end of the program */
  VEC(ExitHandler) exits;
  VEC(uint64_t) quick_exits; /* at_quick_exit */
  bool abandoned;            /* _exit or abort: nothing is flushed any more */
  /* positions and generators */
  uint64_t strtok_next;
  struct random_data random;
  char random_table[128];
  uint64_t random_at; /* the program's name for the present state; 0: the first one */
  VEC(RandomState) random_states;
  struct drand48_data rand48;
  /* signals: the program's struct sigaction for each, zero: default */
  uint8_t actions[LIBC_SIGNALS][LIBC_SIGACTION_BYTES];
  uint64_t signal_mask;
  /* getopt: its variables where the program does not name them itself, the place inside
   * an argument of several letters (0: none), and the operands skipped so far */
  int optind, opterr, optopt;
  uint64_t optarg;
  uint64_t getopt_rest;
  int getopt_first, getopt_last;
  bool getopt_started, getopt_in_order, getopt_permute;
};

/* A library buffer of `size` bytes: made, filled with `bytes` (zero when NULL) and kept
 * when it is first asked for. 0 when the program's memory is exhausted. */
uint64_t libc_static(Exec *exec, LibcState *state, LibcStatic which, const void *bytes,
                     uint64_t size);
/* A new object of the library in the program's memory, or 0. */
uint64_t libc_lend(Exec *exec, LibcState *state, const void *bytes, uint64_t size);
/* Whether this address is such an object, which the program may not free. */
bool libc_is_lent(const LibcState *state, uint64_t address);
/* Which state of the library such an object is, when the library table has told; 0: nobody has. */
void libc_name_lent(LibcState *state, uint64_t address, ObjectId object);
ObjectId libc_lent_object(const LibcState *state, uint64_t address);

/* Closes the host's side. */
void libc_dir_close(LibcDir *dir);

/* Address of a variable of the library that the program names (optind, signgam); 0: it
 * does not. */
uint64_t libc_variable(Exec *exec, const char *name);

/* Addresses of what __ctype_b_loc and its siblings return. */
uint64_t libc_ctype_pointer(Exec *exec, LibcState *state, LibcStatic which);
/* The table itself (address of the entry for character 0). */
uint64_t libc_ctype_table(Exec *exec, LibcState *state, LibcStatic which);

/* The tables of native functions, one for each file, sorted by name. */
typedef struct {
  const Native *natives;
  size_t count;
} NativeTable;

/* clang-format off */
#define LIBC_TABLES(T)                                                                   \
  T(channel) T(complex)                                                                  \
  T(ctype)                                                                               \
  T(dir)                                                                                 \
  T(environ)                                                                             \
  T(err)                                                                                 \
  T(fd) T(fenv) T(getopt) T(math) T(math_float) T(math_wide) T(memory) T(misc) T(mman)   \
      T(multibyte) T(path) T(number) T(printf) T(random) T(scan) T(search) T(signal) T(sort) T(stdio)      \
          T(string) T(string_copy) T(time) T(wide)
/* clang-format on */

#define T(name) extern const NativeTable libc_natives_##name;
LIBC_TABLES(T)
#undef T

#define NATIVE_TABLE(name, natives)                                                      \
  const NativeTable libc_natives_##name = {natives, sizeof natives / sizeof *natives}

#endif
