/* Why work has to end early, and how much memory it may take.
 *
 * Long work looks at a flag, a `const volatile int *stop`, in every loop that the input can make
 * long, and ends when it is no longer 0. Whoever owns the flag stores one of the reasons below.
 * Time and interrupts are the command line's business; memory is counted by base/mem.h, which
 * raises the flag when the limit is passed. The work that sees it frees what it has, and what
 * is not known by then is `unknown`. Work that goes on until a quarter and 256 MiB more are in
 * use ends the process as if the machine's memory were exhausted (mem_on_exhaustion): before the kernel does
 * it without a word. */
#ifndef HEDDLE_BASE_LIMIT_H
#define HEDDLE_BASE_LIMIT_H

#include <stddef.h>

typedef enum {
  STOP_NOT,
  STOP_TIME,
  STOP_INTERRUPT,
  STOP_MEMORY,
} StopReason;

/* From now on this process may have `bytes` on its heap (0: any number). When they are passed
 * *stop, if `stop` is not NULL and it is still STOP_NOT, becomes STOP_MEMORY. */
void limit_memory(size_t bytes, volatile int *stop);

/* What was set last. */
size_t limit_memory_bytes(void);

/* Bytes of address space for a child that may use as much memory as this process: also room
 * for its libraries. 0: none, for sanitizers reserve far more than any limit. */
size_t limit_child_bytes(void);

/* From now on this process gets no more address space than so many bytes (0: any number), for a
 * library that does not count what it takes. */
void limit_address_space(size_t bytes);

/* The memory of the machine, or of the control group that this process is in, if that is
 * less; 0: not known. */
size_t limit_machine_bytes(void);

/* Bytes on the heap now, as they are counted. */
size_t limit_memory_used(void);

#endif
