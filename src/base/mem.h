/* Memory from the heap that is either there or ends the run in an orderly way.
 *
 * No caller in heddle checks for NULL: when the system has no memory left, the handler set by
 * the command line reports it, removes half-written output and exits with code 4. The test
 * hook makes the n-th allocation fail, so that this path is exercised and not only believed. */
#ifndef HEDDLE_BASE_MEM_H
#define HEDDLE_BASE_MEM_H

#include <stddef.h>

/* Each returns memory for `size` bytes (at least one), never NULL. Release with mem_free. */
void *mem_alloc(size_t size);
void *mem_alloc_zero(size_t size);
void *mem_realloc(void *old, size_t size);
void *mem_dup(const void *bytes, size_t size);
void mem_free(void *p);

/* What happens when memory is exhausted. The handler must not return; without one the process
 * aborts. */
typedef void MemExhausted(size_t wanted);
void mem_on_exhaustion(MemExhausted *handler);

/* From now on the n-th allocation (1 is the next) fails; 0 switches this off. Tests only. */
void mem_fail_at(unsigned long n);

#endif
