/* The log: one line for each message, with the time, the level and the number of the
 * request. Lines of different threads never mix. */
#ifndef TFTPD_LOG_H
#define TFTPD_LOG_H

#include <stdbool.h>

typedef enum { LEVEL_ERROR, LEVEL_NOTICE, LEVEL_INFO, LEVEL_DEBUG } LogLevel;

enum { LOG_SERVER = 0 }; /* the number of a message that belongs to no request */

/* The level of that name. */
bool log_level_of(const char *name, unsigned *ret);

/* Opens the file; the empty name is standard error. Called before there are threads. */
bool log_open(const char *file, LogLevel level);

/* Opens the same file again, under its name: someone may have moved the old one away. */
bool log_reopen(const char *file);

/* From now on messages above this level are not written. */
void log_set_level(LogLevel level);

__attribute__((format(printf, 3, 4))) void log_message(LogLevel level, unsigned request,
                                                       const char *format, ...);

/* How many lines were written. */
unsigned long log_lines(void);

void log_close(void);

#endif
