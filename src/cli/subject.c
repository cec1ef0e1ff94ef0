/* See subject.h. */
#include "cli/subject.h"

#include "base/part.h"

#include <sys/stat.h>
#include <unistd.h>

bool subject_open(Subject *s, const OptStrings *words, Err *err) {
  *s = (Subject){.drive = {.input = -1}};
  if (words->len == 0)
    return err_input(err, NULL, "write it after --: heddle run -- ./prog",
                     "no program is given");
  for (uint32_t i = 0; i < words->len; i++) vec_push(&s->argv, words->data[i]);
  vec_push(&s->argv, NULL);
  s->path = drive_find(words->data[0], err);
  if (!s->path) return false;
  bool inside = drive_has_runtime(s->path, err);
  if (err->kind != ERR_NONE) return false;
  if (!inside && !(s->preload = part_find("libheddle-preload.so", err))) return false;
  s->drive.argv = s->argv.data;
  s->drive.preload = s->preload;
  return true;
}

void subject_close(Subject *s) {
  if (s->drive.input >= 0 && !s->keep) close(s->drive.input);
  keep_input_free(s->keep);
  vec_free(&s->argv);
  mem_free(s->path);
  mem_free(s->preload);
}

void subject_keep_input(Subject *s) {
  struct stat info;
  if (fstat(STDIN_FILENO, &info)) return;
  if (S_ISREG(info.st_mode))
    s->drive.input = dup(STDIN_FILENO);
  else if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
    s->keep = keep_input_begin(&s->drive.stream, &s->drive.input);
}

void subject_reuse_input(Subject *s) {
  keep_input_stop(s->keep);
  s->drive.stream = 0;
}
