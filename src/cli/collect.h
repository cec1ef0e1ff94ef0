/* A folder with the results of many runs (`heddle run --collect`), and one result of all. */
#ifndef HEDDLE_CLI_COLLECT_H
#define HEDDLE_CLI_COLLECT_H

#include "base/opt.h"
#include "verdict/result.h"

/* The name of a new file in `folder`, which is made when it is not there, for a run of
 * `program`. NULL after filling `err`; mem_free. */
char *collect_name(const char *folder, const char *program, Err *err);

typedef struct {
  CheckResult result;       /* each finding once, with the runs that show it */
  VEC(CheckResult) parts;   /* the results themselves, which own the texts */
  VEC(const char *) failed; /* "./test 3: exit status 1" */
  uint32_t runs;
} Collection;

/* Reads every NAME.json of the folder, in the order of their names. False after filling
 * `err`; collection_free in either case. */
bool collection_read(const char *folder, Collection *ret, Err *err);
void collection_free(Collection *collection);

#endif
