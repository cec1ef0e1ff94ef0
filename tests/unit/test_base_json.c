/* The JSON writer, read back by jansson. */
#include "base/json.h"
#include "base/mem.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t random_state;
static uint64_t next_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state >> 33;
}

static json_t *read_back(Str *text) {
  json_error_t error;
  json_t *value =
      json_loadb(text->data, text->len, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
  if (!value) fail_msg("%s at %d: %s", error.text, error.position, str_text(text));
  return value;
}

static void test_layout(void **state) {
  (void)state;
  Str text = {0};
  JsonWriter json;
  json_start(&json, json_to_str, &text);
  json_open_object(&json);
  json_key_string(&json, "name", "a\"b");
  json_key(&json, "list");
  json_open_array(&json);
  json_put_int(&json, -1);
  json_put_uint(&json, UINT64_MAX);
  json_open_object(&json);
  json_close_object(&json);
  json_open_array(&json);
  json_close_array(&json);
  json_close_array(&json);
  json_key_bool(&json, "yes", true);
  json_key_int(&json, "n", 3);
  json_key_string(&json, "none", NULL);
  json_close_object(&json);
  json_finish(&json);
  assert_string_equal(str_text(&text), "{\n"
                                       "  \"name\": \"a\\\"b\",\n"
                                       "  \"list\": [\n"
                                       "    -1,\n"
                                       "    18446744073709551615,\n"
                                       "    {},\n"
                                       "    []\n"
                                       "  ],\n"
                                       "  \"yes\": true,\n"
                                       "  \"n\": 3,\n"
                                       "  \"none\": null\n"
                                       "}\n");
  str_free(&text);
}

static void test_compact(void **state) {
  (void)state;
  Str text = {0};
  JsonWriter json;
  json_start(&json, json_to_str, &text);
  json.compact = true;
  json_open_array(&json);
  json_put_int(&json, 1);
  json_open_object(&json);
  json_key_int(&json, "a", 2);
  json_key_int(&json, "b", 3);
  json_close_object(&json);
  json_close_array(&json);
  json_finish(&json);
  assert_string_equal(str_text(&text), "[1, {\"a\": 2, \"b\": 3}]\n");
  str_free(&text);
}

/* Writes one string and returns what a reader makes of it. */
static void round_trip(const char *bytes, size_t length, Str *ret) {
  Str text = {0};
  JsonWriter json;
  json_start(&json, json_to_str, &text);
  json_put_bytes(&json, bytes, length);
  json_finish(&json);
  json_t *value = read_back(&text);
  str_clear(ret);
  str_add_bytes(ret, json_string_value(value), json_string_length(value));
  json_decref(value);
  str_free(&text);
}

static void test_every_character(void **state) {
  (void)state;
  Str back = {0};
  for (uint32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    char utf8[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (n == 1)
      utf8[0] = (char)c;
    else {
      static const uint32_t marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
      utf8[0] = (char)(marks[n] | c >> 6 * (n - 1));
      for (size_t i = 1; i < n; i++)
        utf8[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
    }
    round_trip(utf8, n, &back);
    assert_int_equal(back.len, n);
    assert_memory_equal(back.data, utf8, n);
  }
  str_free(&back);
}

static void test_broken_utf8(void **state) {
  (void)state;
#define R "\xef\xbf\xbd"
  static const char *const rows[][2] = {{"a\xff z", "a" R " z"},
                                        {"\x80", R},
                                        {"\xc3", R},
                                        {"\xc3(", R "("},
                                        {"\xc0\xaf", R R},
                                        {"\xe0\x80\x80", R R R},
                                        {"\xed\xa0\x80", R R R},
                                        {"\xf0\x9f\x98", R},
                                        {"\xf0\x9f\x98x", R "x"},
                                        {"\xf4\x90\x80\x80", R R R R},
                                        {"\xf8\x88\x80\x80\x80", R R R R R},
                                        {"\xe2\x82\xac", "\xe2\x82\xac"}};
#undef R
  Str back = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    round_trip(rows[i][0], strlen(rows[i][0]), &back);
    assert_string_equal(str_text(&back), rows[i][1]);
  }
  str_free(&back);
}

static void test_random_bytes(void **state) {
  (void)state;
  Str back = {0};
  random_state = 5;
  for (int round = 0; round < 20000; round++) {
    char bytes[24];
    size_t length = next_random() % sizeof bytes;
    for (size_t i = 0; i < length; i++)
      bytes[i] = (char)(next_random() % 3 ? 0xc0 | next_random() % 64 : next_random());
    round_trip(bytes, length, &back); /* whatever it is, it must be readable */
  }
  str_free(&back);
}

static void test_numbers(void **state) {
  (void)state;
  random_state = 6;
  for (int round = 0; round < 20000; round++) {
    uint64_t bits = next_random() << 33 ^ next_random() << 11 ^ next_random();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (round < 100) value = round / 10.0;
    Str text = {0};
    JsonWriter json;
    json_start(&json, json_to_str, &text);
    json_put_double(&json, value);
    json_finish(&json);
    json_t *back = read_back(&text);
    if (isfinite(value))
      assert_true(json_number_value(back) == value);
    else
      assert_true(json_is_null(back));
    json_decref(back);
    str_free(&text);
  }
}

/* A random document: what comes back has the same shape. */
static void write_random(JsonWriter *json, json_t **ret, int depth) {
  uint64_t kind = next_random() % (depth > 5 ? 4 : 6);
  if (kind == 0) {
    int64_t n = (int64_t)next_random() - (1 << 30);
    json_put_int(json, n);
    *ret = json_integer(n);
  } else if (kind == 1) {
    bool b = next_random() % 2;
    json_put_bool(json, b);
    *ret = json_boolean(b);
  } else if (kind == 2) {
    json_put_null(json);
    *ret = json_null();
  } else if (kind == 3) {
    char text[4] = {(char)(1 + next_random() % 127), (char)(1 + next_random() % 127), 0,
                    0};
    json_put_string(json, text);
    *ret = json_stringn(text, strlen(text));
  } else if (kind == 4) {
    json_open_array(json);
    *ret = json_array();
    for (uint64_t n = next_random() % 5; n; n--) {
      json_t *element;
      write_random(json, &element, depth + 1);
      json_array_append_new(*ret, element);
    }
    json_close_array(json);
  } else {
    json_open_object(json);
    *ret = json_object();
    for (uint64_t n = next_random() % 5; n; n--) {
      char key[2] = {(char)('a' + n), 0};
      json_t *element;
      json_key(json, key);
      write_random(json, &element, depth + 1);
      json_object_set_new(*ret, key, element);
    }
    json_close_object(json);
  }
}

static void test_random_documents(void **state) {
  (void)state;
  random_state = 7;
  for (int round = 0; round < 3000; round++) {
    Str text = {0};
    JsonWriter json;
    json_t *expected;
    json_start(&json, json_to_str, &text);
    json.compact = round % 2;
    write_random(&json, &expected, 0);
    json_finish(&json);
    json_t *back = read_back(&text);
    assert_true(json_equal(back, expected));
    json_decref(back);
    json_decref(expected);
    str_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layout),           cmocka_unit_test(test_compact),
      cmocka_unit_test(test_every_character),  cmocka_unit_test(test_broken_utf8),
      cmocka_unit_test(test_random_bytes),     cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_random_documents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
