/* What the server did since it started. */
#ifndef TFTPD_STATS_H
#define TFTPD_STATS_H

#include "packet.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  unsigned long requests;       /* that were served, well or not */
  unsigned long reads, writes;  /* files that went out and came in completely */
  unsigned long failures;       /* transfers that ended early */
  unsigned long refusals;       /* requests that never became a transfer */
  unsigned long resent;         /* packets that were sent more than once */
  uint64_t bytes_out, bytes_in; /* of complete and of broken transfers */
} Stats;

/* Starts the clock. Called before there are threads. */
void stats_start(void);

void stats_count_refusal(void);
void stats_count_transfer(Opcode opcode, uint64_t bytes, bool complete);
void stats_count_resent(void);

/* The numbers of this moment, and for how many seconds they were counted. */
void stats_get(Stats *ret, uint64_t *ret_seconds);

#endif
