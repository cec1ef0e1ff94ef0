/* See registry.h. */
#include "report/registry.h"

void report_guards_to(const CheckResult *result, const ReportOrigin *origin,
                      JsonSink *sink, void *user) {
  (void)origin;
  Str text = {0};
  report_guards(result, &text);
  sink(user, str_text(&text), text.len);
  str_free(&text);
}

#define ROW(id, option, help, function) [REPORT_##id] = {option, help, function},
const Report reports[REPORT_COUNT] = {FILE_REPORTS(ROW) VIEW_REPORTS(ROW)};
