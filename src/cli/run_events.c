/* See run_events.h.
 *
 * `heddle cc` leaves in each unit how many places an event has there, as lines of a section
 * (src/front/llvm/weave.c): FILE:LINE:COLUMN, the number, the target. The linker puts those of all units
 * together. An event without a place anywhere is a mistake of its file: a name that is written wrong
 * would otherwise look like a property that holds. */
#include "cli/run_events.h"

#include "base/map.h"
#include "base/proc.h"
#include "front/elffile.h"
#include "front/events.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FILE:LINE:COLUMN and the target → how many places there are. */
static void add_line(const char *line, const char *end, StrMap *places) {
  const char *number = memchr(line, '\t', (size_t)(end - line));
  const char *target =
      number ? memchr(number + 1, '\t', (size_t)(end - number - 1)) : NULL;
  if (!target) return;
  Str key = {0};
  str_add_bytes(&key, line, (size_t)(number - line));
  str_add_bytes(&key, target, (size_t)(end - target));
  *strmap_at(places, key.data, key.len) += strtoul(number + 1, NULL, 10);
  str_free(&key);
}

static void add_section(const ElfSection *s, StrMap *places) {
  const char *at = (const char *)s->data, *end = at + s->size;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) return;
    while (at < stop && !*at) at++; /* between the parts of two units */
    add_line(at, stop, places);
    at = stop + 1;
  }
}

static void add_file(const char *path, StrMap *places) {
  const void *bytes;
  size_t size;
  ElfFile file;
  ElfSection section;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool mapped = fd >= 0 && proc_map_fd(fd, &bytes, &size);
  if (fd >= 0) close(fd);
  if (!mapped) return;
  for (uint32_t i = 0; elf_open(bytes, size, &file) && i < file.count; i++)
    if (elf_section(&file, i, &section) && section.data &&
        str_eq(section.name, EVENTS_PLACES))
      add_section(&section, places);
  proc_unmap(bytes, size);
}

/* Says which event has no place: "FILE:LINE:COLUMN<tab>target". */
static bool has_no_place(const char *key, Err *err) {
  const char *target = strchr(key, '\t');
  char *place = str_ndup(key, (size_t)(target - key));
  char *column = strrchr(place, ':'), *line = NULL;
  if (column) *column++ = 0;
  if (column) line = strrchr(place, ':');
  if (line) *line++ = 0;
  err_set(err, ERR_INPUT, place, line ? atoi(line) : 0, column ? atoi(column) : 0,
          "correct the name, or write optional behind it",
          "%s matches nothing in the program and its libraries", target + 1);
  mem_free(place);
  return false;
}

static bool check_places(const Trace *trace, Err *err) {
  StrMap places = {0};
  bool ok = true;
  for (uint32_t i = 0; i < trace->modules.len; i++)
    add_file(trace->modules.data[i].path, &places);
  for (uint32_t i = 0; ok && i < places.len; i++)
    if (!places.entries[i].value) ok = has_no_place(places.entries[i].key, err);
  strmap_free(&places);
  return ok;
}

/* The events that the user counts on must be in the program. */
static bool check_events(const char *path, const Trace *trace, Err *err) {
  Events events = {0};
  bool ok = events_read(path, &events, err);
  for (uint32_t i = 0; ok && i < events.orders.len; i++) {
    const EventOrder *order = &events.orders.data[i];
    bool found = false;
    for (uint32_t k = 0; k < trace->kinds.len; k++)
      found |= str_eq(trace->kinds.data[k].text, order->text);
    if (!found)
      ok = err_set(err, ERR_INPUT, path, order->place, 1,
                   "build it with `heddle cc --events FILE`",
                   "the program was not built with the event %s", order->name);
  }
  events_free(&events);
  return ok;
}

bool run_check_events(const char *path, const Trace *trace, Err *err) {
  return (!path || check_events(path, trace, err)) && check_places(trace, err);
}
