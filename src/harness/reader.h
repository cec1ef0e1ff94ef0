/* The state of the reader of harness files. Only the C files of this folder include it.
 *
 * read.c reads the declarations, read_events.c those of interrupts and tasks. Functions
 * that return bool have set the error when they return false; those called take_ ask. */
#ifndef HEDDLE_HARNESS_READER_H
#define HEDDLE_HARNESS_READER_H

#include "harness/harness.h"
#include "rules/lex.h"

typedef struct {
  Lexer lexer;
  Token token; /* the next one */
  Harness *harness;
  Err *err;
} Reader;

HarnessPlace reader_place(const Token *token);
bool reader_fail(Reader *r, HarnessPlace place, const char *remedy, const char *message);
/* The error that the next token is not `what`. */
bool reader_expected(Reader *r, const char *what, const char *remedy);

void reader_advance(Reader *r);
/* Steps over the next token if it is this one. */
bool reader_take_word(Reader *r, const char *word);
bool reader_take_punct(Reader *r, char c);
/* The declaration ends here. */
bool reader_at_end(const Reader *r);

/* The text of a token, which lives as long as the harness. */
const char *reader_keep(Reader *r, const Token *token);
/* Any word; in messages it is `what`. */
bool reader_word(Reader *r, const char *what, const char *remedy, const char **ret);
/* Steps over the end of a declaration. */
bool reader_ended(Reader *r, const char *remedy);

/* One call, with arguments and promises; *ret is its index in Harness.calls. */
bool reader_call(Reader *r, uint32_t *ret);

/* interrupt CALL CLAUSES, task CALL CLAUSES (read_events.c). */
bool reader_interrupt(Reader *r, HarnessPlace place);
bool reader_task(Reader *r, HarnessPlace place);

#endif
