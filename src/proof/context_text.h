/* A certificate as lines of words, for those who read it (context_read.c, context_list.c). No bytes can do
 * any harm: nothing behind the end of the text is looked at, and each number is compared with the size of
 * the table that it is an index of. */
#ifndef HEDDLE_PROOF_CONTEXT_TEXT_H
#define HEDDLE_PROOF_CONTEXT_TEXT_H

#include "proof/context_internal.h"

typedef struct {
  Context *x;
  const char *at, *end; /* the rest of the text */
  const char *stop;     /* the end of the line */
} TextReader;

/* Rejects the certificate, for this reason at this line. */
bool text_fail(TextReader *r, const char *what);

bool text_next_line(TextReader *r);
void text_skip_line(TextReader *r);
/* Nothing follows in the line. */
bool text_at_end(TextReader *r);
/* The next word of the line; of length 0 behind the last. */
ContextToken text_next_word(TextReader *r);
bool text_is(ContextToken t, const char *text);

/* A number at *at, which moves behind it. */
bool text_digits(const char **at, const char *end, uint64_t *ret);
bool text_wide(TextReader *r, uint64_t *ret);
/* A number below `limit`. */
bool text_index(TextReader *r, uint64_t limit, uint32_t *ret);
/* Numbers up to the end of the line, each below `limit`. */
bool text_indices(TextReader *r, uint64_t limit, ContextRow *ret);

/* ---- context_list.c: lines of lists ---- */
bool context_read_predicate(TextReader *r);
bool context_read_group(TextReader *r);
bool context_read_group_value(TextReader *r);
bool context_read_begins(TextReader *r);
bool context_read_state(TextReader *r);
bool context_read_either(TextReader *r);
bool context_read_step(TextReader *r);
bool context_read_next(TextReader *r);
bool context_read_apart(TextReader *r);
bool context_read_breaks(TextReader *r);

#endif
