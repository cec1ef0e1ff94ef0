/* Writers of nets, in the formats of read.h and as a Graphviz drawing.
 *
 * What a format cannot say is an error, never left out: mist and LoLA restrict the
 * letters of names, so names are spelt with what the format has, kept apart by a number
 * where needed; the reader gives back a net that is the same but for those names. */
#ifndef HEDDLE_NET_WRITE_H
#define HEDDLE_NET_WRITE_H

#include "base/outfile.h"
#include "net/net.h"

void net_write_mist(const Net *net, Outfile *out);
/* Any number of tokens, transfers and resets are written in the words that heddle adds to
 * the format (see read_lola.c). */
void net_write_lola(const Net *net, Outfile *out);
/* A place/transition net of PNML; the target and what PNML lacks are tool specific. */
void net_write_pnml(const Net *net, Outfile *out);
void net_write_dot(const Net *net, Outfile *out);

#endif
