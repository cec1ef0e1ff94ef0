/* See progress.h. The line shows itself only after a quarter of a second, so that short
 * work does not flicker; from then on each new phase is announced at once, since it may
 * be one that cannot report steps. */
#include "base/clock.h"
#include "base/progress.h"

#include "base/str.h"

#include <inttypes.h>

#define NS_PER_SECOND 1000000000u
static const uint64_t quiet_time = NS_PER_SECOND / 4, redraw_time = NS_PER_SECOND / 10;

static uint64_t now(void) {
  return (uint64_t)(clock_now() * NS_PER_SECOND);
}

void progress_init(Progress *progress, ProgressDraw *draw, void *user) {
  *progress = (Progress){.draw = draw, .user = user};
}

static void draw_line(Progress *progress, uint64_t time, const char *detail) {
  Str line = {0};
  str_addf(&line, "%-10s %6.1f s", progress->phase,
           (double)(time - progress->start) / NS_PER_SECOND);
  if (progress->total)
    str_addf(&line, "  %" PRIu64 "/%" PRIu64, progress->done, progress->total);
  else if (progress->done)
    str_addf(&line, "  %" PRIu64, progress->done);
  if (detail) str_addf(&line, "  %s", detail);
  progress->draw(progress->user, str_text(&line));
  str_free(&line);
  progress->visible = true;
  progress->last_draw = time;
}

void progress_phase(Progress *progress, const char *name, uint64_t total) {
  if (!progress || !progress->draw) return;
  uint64_t time = now();
  if (!progress->phase) progress->start = time;
  progress->phase = name;
  progress->done = 0;
  progress->total = total;
  if (time - progress->start >= quiet_time) draw_line(progress, time, NULL);
}

void progress_step(Progress *progress, uint64_t count, const char *detail) {
  if (!progress || !progress->draw || !progress->phase) return;
  progress->done += count;
  uint64_t time = now();
  if (time - progress->start >= quiet_time && time - progress->last_draw >= redraw_time)
    draw_line(progress, time, detail);
}

void progress_hide(Progress *progress) {
  if (!progress || !progress->visible) return;
  progress->draw(progress->user, "");
  progress->visible = false;
}

void progress_end(Progress *progress) {
  progress_hide(progress);
  if (progress) progress->phase = NULL;
}
