/* The server as a whole: its configuration, its loop, its end. */
#ifndef TFTPD_SERVER_H
#define TFTPD_SERVER_H

#include "config.h"

#include <stdbool.h>

/* Sets everything up; after that the configuration is fixed. On failure one line is on
 * stderr. */
bool server_start(const Config *config);

/* Serves until a signal asks for the end, then waits for the workers. */
void server_run(void);

/* What every thread may ask. */
const Config *server_config(void);
bool server_is_stopping(void);

#endif
