/* The configuration: defaults, then a file, then the command line, each over the one
 * before.
 *
 * The file has one setting in a line, `name = value`; # begins a comment. On the command
 * line the same settings are written --name=value. `config_show_help` lists them.
 *
 * A Config is plain data, filled once before any thread runs and never changed
 * afterwards. When the server is told to read its file again it fills another one and
 * takes from it what can change. */
#ifndef TFTPD_CONFIG_H
#define TFTPD_CONFIG_H

#include "access.h"
#include "log.h"

#include <stdbool.h>
#include <stdio.h>

enum { CONFIG_TEXT = 256 };

typedef struct {
  char file[CONFIG_TEXT];     /* where the settings come from; empty: no file */
  char root[CONFIG_TEXT];     /* the folder that is served */
  char address[CONFIG_TEXT];  /* of the interface to listen on */
  char log_file[CONFIG_TEXT]; /* empty: standard error */
  unsigned log_level;
  unsigned port;           /* 0: the system chooses */
  unsigned workers;        /* requests that are served at the same time */
  unsigned max_block_size; /* the largest that is granted */
  unsigned max_upload_kib; /* larger uploads are refused */
  unsigned timeout_ms;     /* until a packet is sent again */
  unsigned ban_after;      /* refusals; 0: nobody is banned */
  unsigned ban_seconds;    /* in which they are counted, and how long a ban lasts */
  unsigned retries;        /* how often it is sent again */
  unsigned write;          /* uploads are allowed */
  unsigned overwrite;      /* and may replace files */
  AccessList access;       /* who may do what; empty: everyone everything */
} Config;

typedef enum { CONFIG_OK, CONFIG_HELP, CONFIG_BAD } ConfigOutcome;

/* Fills *ret. If that fails, `problem` (of CONFIG_TEXT bytes) says what and where. */
ConfigOutcome config_load(Config *ret, int argc, char **argv, char *problem);

/* Reads only the file of an older configuration, over the defaults. */
bool config_reload(Config *ret, const Config *old, char *problem);

void config_show_help(FILE *out);

#endif
