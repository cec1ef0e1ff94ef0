/* Readers of nets: .sml programs, mist .spec, LoLA and PNML.
 *
 * Each makes an indexed net from a text, or NULL after filling `err` with file, line,
 * column and remedy. No bytes crash a reader and nothing in the text is silently left
 * out: what has no meaning here is an error. */
#ifndef HEDDLE_NET_READ_H
#define HEDDLE_NET_READ_H

#include "base/err.h"
#include "net/net.h"

typedef enum {
  NET_FORMAT_SML,
  NET_FORMAT_MIST,
  NET_FORMAT_LOLA,
  NET_FORMAT_PNML
} NetFormat;

/* Reads a file; the format follows from the ending of its name (.sml, .spec, .lola or
 * .net, .pnml). With `target` (or NULL) the target is that formula instead of the file's
 * own: see net_read_target. A net without a target is refused. */
Net *net_read_file(const char *path, const char *target, Err *err);

/* The same from memory. `file` is used for messages. A target may be missing here. */
Net *net_read_text(NetFormat format, const char *file, const char *text, size_t length,
                   Err *err);

/* Replaces the target by a formula: `place >= 2, other >= 1` is one marking, alternatives
 * are separated by `or`; `and`, `>`, parentheses and the spellings of LoLA are
 * understood, too. */
bool net_read_target(Net *net, const char *formula, Err *err);

/* The whole content of a file, released with mem_free; NULL after filling `err`. Empty
 * files, directories and what is larger than 1 GiB are errors. */
char *net_slurp(const char *path, size_t *ret_length, Err *err);

#endif
