/* A streaming JSON writer: two-space indentation, correct escapes, always valid output.
 *
 *   JsonWriter json;
 *   json_start(&json, json_to_str, &text);
 *   json_open_object(&json);
 *   json_key(&json, "name");  json_put_string(&json, "prog.c");
 *   json_key(&json, "lines"); json_open_array(&json); json_put_int(&json, 3);
 *   json_close_array(&json);
 *   json_close_object(&json);
 *   json_finish(&json);
 *
 * The caller keeps the grammar (a key before each value of an object, brackets in pairs);
 * assertions check it. Strings may hold any bytes: what is not UTF-8 becomes U+FFFD, one
 * per broken sequence, so readers never see an invalid document. Nothing is ever
 * truncated. */
#ifndef HEDDLE_BASE_JSON_H
#define HEDDLE_BASE_JSON_H

#include "base/outfile.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void JsonSink(void *user, const char *bytes, size_t length);

typedef struct {
  JsonSink *sink;
  void *user;
  Str open;       /* one '{' or '[' per open bracket */
  bool first;     /* nothing was written yet inside the innermost bracket */
  bool after_key; /* a key waits for its value */
  bool compact;   /* set after json_start to write everything on one line */
} JsonWriter;

/* The two usual sinks: `user` is a `Str *` or an `Outfile *`. */
JsonSink json_to_str, json_to_outfile;

void json_start(JsonWriter *json, JsonSink *sink, void *user);
/* Ends the document with a line break and releases what the writer held. */
void json_finish(JsonWriter *json);

void json_open_object(JsonWriter *json);
void json_close_object(JsonWriter *json);
void json_open_array(JsonWriter *json);
void json_close_array(JsonWriter *json);
void json_key(JsonWriter *json, const char *key);

void json_put_string(JsonWriter *json, const char *text); /* NULL writes null */
void json_put_bytes(JsonWriter *json, const char *text, size_t length);
void json_put_int(JsonWriter *json, int64_t value);
void json_put_uint(JsonWriter *json, uint64_t value);
/* The shortest text that reads back as the same number; infinities and NaN become null.
 */
void json_put_double(JsonWriter *json, double value);
void json_put_bool(JsonWriter *json, bool value);
void json_put_null(JsonWriter *json);

/* Key and value in one call. */
void json_key_string(JsonWriter *json, const char *key, const char *text);
void json_key_int(JsonWriter *json, const char *key, int64_t value);
void json_key_bool(JsonWriter *json, const char *key, bool value);

#endif
