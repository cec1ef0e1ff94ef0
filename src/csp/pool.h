/* Memory of a search: the tables and records of its states, and what is on its way there.
 *
 * Several threads take and give blocks while the search runs. Nothing goes back to the
 * system before the end: that would make every core forget its translations of addresses,
 * and what one table leaves behind is what the next ones need. Large regions are asked
 * for in huge pages, because the tables are read in no order at all. */
#ifndef HEDDLE_CSP_POOL_H
#define HEDDLE_CSP_POOL_H

#include <stddef.h>

typedef struct CspPool CspPool;

CspPool *csp_pool_new(void);
void csp_pool_free(CspPool *pool); /* and all of its blocks; accepts NULL */

/* A block for at least `size` bytes, on a cache line of its own; what is in it is not
 * defined. Thread-safe, as all below. */
void *csp_pool_take(CspPool *pool, size_t size);
void *csp_pool_take_zero(CspPool *pool, size_t size);
/* Gives a block back that was taken with this size; accepts NULL. */
void csp_pool_give(CspPool *pool, void *block, size_t size);
/* A block that stays until the end: it is cut as small as it can be. */
void *csp_pool_keep(CspPool *pool, size_t size);

/* Memory that one thread writes all the time, zeroed, on cache lines that it shares with
 * nothing else: two cores that write into the same line wait for each other at every
 * write. Grown and freed with the functions below only. */
void *csp_lines_new(size_t size);
void *csp_lines_grow(void *lines, size_t old_size, size_t size);
void csp_lines_free(void *lines); /* accepts NULL */

#endif
