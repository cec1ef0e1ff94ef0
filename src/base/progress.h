/* Progress of long work: phases with counts, shown as one live line by whoever owns a
 * terminal.
 *
 * The work calls progress_phase and progress_step as often as it likes; the line is
 * redrawn at most ten times a second. Nothing here writes: the line goes to a draw
 * function given by the command line, which is NULL (silence) unless standard error is a
 * terminal. Every function accepts a NULL Progress. One Progress belongs to one thread.
 */
#ifndef HEDDLE_BASE_PROGRESS_H
#define HEDDLE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Shows `line` in place of the line before; an empty one erases it. */
typedef void ProgressDraw(void *user, const char *line);

typedef struct {
  ProgressDraw *draw;
  void *user;
  const char *phase;         /* NULL between phases; not owned */
  uint64_t done, total;      /* total 0: not known */
  uint64_t start, last_draw; /* of the first phase; nanoseconds, monotonic */
  bool visible;              /* a line is on the screen */
} Progress;

void progress_init(Progress *progress, ProgressDraw *draw, void *user);

/* Ends the phase before and begins one. `name` must live until the phase ends. */
void progress_phase(Progress *progress, const char *name, uint64_t total);

/* `count` more units are done; `detail` (or NULL) says at what the work is. */
void progress_step(Progress *progress, uint64_t count, const char *detail);

/* Erases the line for the time being, before something else is printed. */
void progress_hide(Progress *progress);

/* Ends the last phase and erases the line. */
void progress_end(Progress *progress);

#endif
