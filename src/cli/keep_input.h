/* Standard input that is no file is needed again and again, too: while the first run reads it,
 * it is kept, and every replay gets it from the beginning. What the program has not read when
 * it ends may still have been taken from the pipe, up to a few pages. */
#ifndef HEDDLE_CLI_KEEP_INPUT_H
#define HEDDLE_CLI_KEEP_INPUT_H

typedef struct KeepInput KeepInput;

/* Begins to copy standard input, which is a pipe or a socket. `ret_stream` is what the program
 * reads, `ret_kept` a file in memory that grows; both stay the keeper's. NULL when the system
 * refuses: then nothing was read. */
KeepInput *keep_input_begin(int *ret_stream, int *ret_kept);
/* The program has ended: no more is read. The kept file stays open. */
void keep_input_stop(KeepInput *keep);
void keep_input_free(KeepInput *keep); /* may be NULL */

#endif
