/* See report_files.h. */
#include "cli/report_files.h"

static bool is_stdout(const char *name) {
  return name && str_eq(name, "-");
}

/* How many reports take the place of the text. */
static int count_stdout(const ReportChoice *c) {
  int count = 0;
  for (int i = 0; i < REPORT_COUNT; i++) count += is_stdout(c->files[i]) + c->views[i];
  return count;
}

bool outputs_check(const ReportChoice *c, int also, Err *err) {
  int views = also;
  for (int i = 0; i < REPORT_COUNT; i++) views += c->views[i];
  if (views > 1)
    return err_input(err, NULL, "run heddle once for each",
                     "--guards and --explain exclude each other");
  return count_stdout(c) + also < 2 ||
         err_input(err, NULL, "give one of them the name of a file",
                   "only one result can go to standard output");
}

bool outputs_open(const ReportChoice *c, Outputs *ret, Err *err) {
  bool text = true;
  ret->root = c->root;
  for (int i = 0; i < REPORT_COUNT; i++) {
    if (c->files[i] && !(ret->files[i] = outfile_open(c->files[i], err))) return false;
    text = text && !is_stdout(c->files[i]);
  }
  return !text || (ret->text = outfile_open("-", err)) != NULL;
}

bool outputs_any(const Outputs *o) {
  for (int i = 0; i < REPORT_COUNT; i++)
    if (o->files[i]) return true;
  return false;
}

bool outputs_view(const ReportChoice *c, const CheckResult *result,
                  const ReportOrigin *origin, Str *out) {
  for (int i = 0; i < REPORT_COUNT; i++)
    if (c->views[i]) return reports[i].write(result, origin, json_to_str, out), true;
  return false;
}

bool outputs_write(const Outputs *o, const CheckResult *result,
                   const ReportOrigin *origin, Err *err) {
  ReportOrigin rooted = *origin;
  rooted.root = o->root;
  for (int i = 0; i < REPORT_COUNT; i++)
    if (o->files[i]) reports[i].write(result, &rooted, json_to_outfile, o->files[i]);
  for (int i = 0; i < REPORT_COUNT; i++)
    if (o->files[i] && !outfile_sync(o->files[i], err)) return false;
  return true;
}

static bool commit(Outfile **out, Err *err) {
  Outfile *finished = *out;
  *out = NULL;
  return !finished || outfile_commit(finished, err);
}

bool outputs_commit(Outputs *o, Err *err) {
  for (int i = 0; i < REPORT_COUNT; i++)
    if (!commit(&o->files[i], err)) return false;
  return commit(&o->text, err);
}

void outputs_discard(Outputs *o) {
  outfile_discard(o->text);
  for (int i = 0; i < REPORT_COUNT; i++) outfile_discard(o->files[i]);
}
