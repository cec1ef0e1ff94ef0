/* See json.h. UTF-8 is checked as the Unicode standard's table of well-formed sequences
 * has it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_to_str(void *user, const char *bytes, size_t length) {
  str_add_bytes(user, bytes, length);
}

void json_to_outfile(void *user, const char *bytes, size_t length) {
  outfile_write(user, bytes, length);
}

static void put(JsonWriter *json, const char *text) {
  json->sink(json->user, text, strlen(text));
}

void json_start(JsonWriter *json, JsonSink *sink, void *user) {
  *json = (JsonWriter){.sink = sink, .user = user, .first = true};
}

void json_finish(JsonWriter *json) {
  assert(json->open.len == 0 && !json->after_key && !json->first);
  put(json, "\n");
  str_free(&json->open);
}

static char innermost(const JsonWriter *json) {
  return json->open.len ? json->open.data[json->open.len - 1] : 0;
}

static void new_line(JsonWriter *json) {
  if (json->compact) return;
  put(json, "\n");
  for (size_t i = 0; i < json->open.len; i++) put(json, "  ");
}

/* The comma and the line break that come before an element or a key. */
static void separate(JsonWriter *json) {
  if (!json->first) put(json, json->compact && innermost(json) ? ", " : ",");
  if (innermost(json)) new_line(json);
  json->first = false;
}

static void before_value(JsonWriter *json) {
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  assert(innermost(json) != '{' && "a value inside an object needs a key");
  assert((innermost(json) || json->first) && "a document is one value");
  separate(json);
}

static void open_bracket(JsonWriter *json, char bracket) {
  before_value(json);
  str_add_char(&json->open, bracket);
  json->sink(json->user, &bracket, 1);
  json->first = true;
}

static void close_bracket(JsonWriter *json, char bracket, const char *closing) {
  assert(innermost(json) == bracket && !json->after_key);
  (void)bracket;
  json->open.data[--json->open.len] = 0;
  if (!json->first) new_line(json);
  put(json, closing);
  json->first = false;
}

void json_open_object(JsonWriter *json) {
  open_bracket(json, '{');
}
void json_close_object(JsonWriter *json) {
  close_bracket(json, '{', "}");
}
void json_open_array(JsonWriter *json) {
  open_bracket(json, '[');
}
void json_close_array(JsonWriter *json) {
  close_bracket(json, '[', "]");
}

/* Length of the well-formed sequence at `p` (0 when there is none), and in `ret_bad` how
 * many bytes one replacement character stands for then: the longest valid beginning, at
 * least one. */
static size_t sequence_length(const unsigned char *p, size_t left, size_t *ret_bad) {
  unsigned char low = 0x80, high = 0xbf;
  size_t length;
  *ret_bad = 1;
  if (p[0] < 0x80) return 1;
  if (p[0] >= 0xc2 && p[0] <= 0xdf)
    length = 2;
  else if (p[0] >= 0xe0 && p[0] <= 0xef)
    length = 3;
  else if (p[0] >= 0xf0 && p[0] <= 0xf4)
    length = 4;
  else
    return 0;
  if (p[0] == 0xe0)
    low = 0xa0; /* shorter forms exist */
  else if (p[0] == 0xed)
    high = 0x9f; /* surrogates */
  else if (p[0] == 0xf0)
    low = 0x90;
  else if (p[0] == 0xf4)
    high = 0x8f; /* beyond the last code point */
  for (size_t i = 1; i < length; i++) {
    if (i >= left || p[i] < low || p[i] > high) {
      *ret_bad = i;
      return 0;
    }
    low = 0x80, high = 0xbf;
  }
  return length;
}

static void escape(JsonWriter *json, unsigned char c) {
  static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* pairs: byte, letter */
  for (const char *p = letters; *p; p += 2) {
    if ((unsigned char)*p == c) {
      char text[2] = {'\\', p[1]};
      json->sink(json->user, text, 2);
      return;
    }
  }
  char text[8];
  snprintf(text, sizeof text, "\\u%04x", c);
  put(json, text);
}

static void quoted(JsonWriter *json, const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text;
  size_t plain = 0; /* where the run of bytes that need no change begins */
  put(json, "\"");
  for (size_t i = 0; i < length;) {
    size_t bad, n = sequence_length(p + i, length - i, &bad);
    bool special = n == 1 && (p[i] < 0x20 || p[i] == '"' || p[i] == '\\' || p[i] == 0x7f);
    if (n && !special) {
      i += n;
      continue;
    }
    json->sink(json->user, text + plain, i - plain);
    if (special)
      escape(json, p[i]);
    else
      put(json, "\xef\xbf\xbd");
    i += special ? 1 : bad;
    plain = i;
  }
  json->sink(json->user, text + plain, length - plain);
  put(json, "\"");
}

void json_key(JsonWriter *json, const char *key) {
  assert(innermost(json) == '{' && !json->after_key);
  separate(json);
  quoted(json, key, strlen(key));
  put(json, ": ");
  json->after_key = true;
}

void json_put_bytes(JsonWriter *json, const char *text, size_t length) {
  before_value(json);
  quoted(json, text, length);
}

void json_put_string(JsonWriter *json, const char *text) {
  if (text)
    json_put_bytes(json, text, strlen(text));
  else
    json_put_null(json);
}

void json_put_int(JsonWriter *json, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  before_value(json);
  put(json, text);
}

void json_put_uint(JsonWriter *json, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  before_value(json);
  put(json, text);
}

void json_put_double(JsonWriter *json, double value) {
  if (!isfinite(value)) {
    json_put_null(json);
    return;
  }
  char text[64];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  /* A locale with a decimal comma must not reach the file. */
  char *comma = strchr(text, ',');
  if (comma) *comma = '.';
  before_value(json);
  put(json, text);
}

void json_put_bool(JsonWriter *json, bool value) {
  before_value(json);
  put(json, value ? "true" : "false");
}

void json_put_null(JsonWriter *json) {
  before_value(json);
  put(json, "null");
}

void json_key_string(JsonWriter *json, const char *key, const char *text) {
  json_key(json, key);
  json_put_string(json, text);
}

void json_key_int(JsonWriter *json, const char *key, int64_t value) {
  json_key(json, key);
  json_put_int(json, value);
}

void json_key_bool(JsonWriter *json, const char *key, bool value) {
  json_key(json, key);
  json_put_bool(json, value);
}
