/* Text of any program as text of HTML. Internal to src/report/html. */
#ifndef HEDDLE_REPORT_HTML_ESCAPE_H
#define HEDDLE_REPORT_HTML_ESCAPE_H

#include "base/str.h"

/* Appends `length` bytes so that they are shown as they are, between tags or inside a quoted
 * attribute, whatever they hold. What has no shape of its own gets one: control characters
 * become their pictures, bytes that are not UTF-8 become U+FFFD, and characters that only
 * turn the direction of others, with which a line can look like another, are written as
 * numbers. */
void html_escape(const char *text, size_t length, Str *out);

#endif
