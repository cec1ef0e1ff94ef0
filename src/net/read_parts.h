/* What the readers of nets share among themselves. */
#ifndef HEDDLE_NET_READ_PARTS_H
#define HEDDLE_NET_READ_PARTS_H

#include "net/netlex.h"
#include "net/read.h"

bool read_mist(Net *net, const char *text, size_t length, Err *err);
bool read_lola(Net *net, const char *text, size_t length, Err *err);
bool read_pnml(Net *net, const char *text, size_t length, Err *err);
bool read_sml(Net *net, const char *text, size_t length, Err *err);

/* The place called by `word`, or an error that names it. */
bool read_place(Lex *lex, const Net *net, const LexWord *word, uint32_t *ret_place);
/* Declares it; twice is an error. */
bool read_new_place(Lex *lex, Net *net, const LexWord *word, uint32_t initial,
                    uint32_t *ret_place);

/* A formula over places in the words of `lex` (style LEX_FORMULA), up to the first word
 * that does not belong to it; its minimal markings become targets of the net. */
bool read_formula(Lex *lex, Net *net);

#endif
