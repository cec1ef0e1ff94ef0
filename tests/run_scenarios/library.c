/* What functions of the C library read and write. Each racing pair is behind a lock that
 * the other one passes. */
#include "scenario.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
SHARED char text[64] = "12 34";
SHARED int number;
SHARED long sum;

static void pass(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

/* The one function at once and then the lock, the other one later behind it. */
static void (*second)(void);
THREAD(passes_then_second) {
  later();
  pass();
  second();
  return NULL;
}
static void try_both(void (*one)(void), void (*two)(void)) {
  second = two;
  pthread_t t = start(passes_then_second, NULL);
  one();
  pass();
  finish(t);
}

static void change_text(void) {
  text[0] = '7';
}
static void change_far(void) {
  text[60] = '7';
}
static void change_number(void) {
  number++;
}

/* ---- formatted text ------------------------------------------------------------------ */

static void format_text(void) {
  snprintf(text, sizeof text, "%*d %.2f %ld %s", 3, 5, 1.5, 7L, "end");
}
static void print_text(void) {
  char line[80];
  snprintf(line, sizeof line, "%d%% of %5s, %.3s", 50, text, "abcdef");
  sum += line[0];
}
static void scan_number(void) {
  char word[8];
  sum += sscanf("17 x", "%d%7s", &number, word);
}
static void scan_nothing(void) {
  int other;
  sum += sscanf("17 x", "%d%*s%d", &other, &number);
}
SCENARIO(library_sprintf, RACE) {
  try_both(format_text, change_text);
}
SCENARIO(library_sprintf_shorter, CLEAN) {
  try_both(format_text, change_far);
}
SCENARIO(library_printed_string, RACE) {
  try_both(print_text, change_text);
}
SCENARIO(library_sscanf, RACE) {
  try_both(scan_number, change_number);
}
SCENARIO(library_sscanf_fails, CLEAN) {
  try_both(scan_nothing, change_number);
}

/* ---- words and numbers ---------------------------------------------------------------- */

static void split_text(void) {
  char *rest;
  sum += strtok_r(text, " ", &rest) != NULL;
}
static void split_own(void) {
  char own[] = "a b c";
  for (char *word = strtok(own, " "); word; word = strtok(NULL, " ")) sum++;
}
static void split_other(void) {
  char own[] = "d e f";
  for (char *word = strtok(own, " "); word; word = strtok(NULL, " ")) number++;
}
static void read_number(void) {
  sum += strtol(text, NULL, 10);
}
SCENARIO(library_strtok_r, RACE) {
  try_both(split_text, change_text);
}
SCENARIO(library_strtok, RACE) {
  try_both(split_own, split_other);
}
SCENARIO(library_strtol, RACE) {
  try_both(read_number, change_text);
}
SCENARIO(library_strtol_shorter, CLEAN) {
  try_both(read_number, change_far);
}

/* ---- sorting, lines, messages, the time ------------------------------------------------ */

SHARED int values[8] = {3, 1, 2, 8, 7, 6, 5, 4};
static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static void sort_values(void) {
  qsort(values, 8, sizeof *values, by_value);
}
static void read_value(void) {
  sum += values[3];
}
SCENARIO(library_qsort, RACE) {
  try_both(sort_values, read_value);
}

static FILE *file;
static char *line;
static size_t line_size;
static void read_line(void) {
  if (getline(&line, &line_size, file) < 0) abort();
}
SCENARIO(library_getline, RACE) {
  file = tmpfile();
  if (!file) abort();
  fputs("one\ntwo\n", file);
  rewind(file);
  try_both(read_line, read_line);
}

static void receive_parts(void) {
  char first[1];
  struct iovec parts[] = {{first, 1}, {text, 3}};
  if (readv(ends[0], parts, 2) != 4) abort();
}
SCENARIO(library_readv, RACE) {
  if (pipe(ends) || write(ends[1], "four", 4) != 4) abort();
  try_both(receive_parts, change_text);
}

static void send_parts(void) {
  struct iovec part = {text, 3};
  struct msghdr what = {.msg_iov = &part, .msg_iovlen = 1};
  if (sendmsg(ends[0], &what, 0) != 3) abort();
}
SCENARIO(library_sendmsg, RACE) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) abort();
  try_both(send_parts, change_text);
}

SHARED struct tm date;
static void make_date(void) {
  time_t day = 86400;
  gmtime_r(&day, &date);
}
static void read_date(void) {
  sum += date.tm_mday;
}
static void read_shared_date(void) {
  time_t day = 86400;
  sum += localtime(&day)->tm_mday;
}
static void read_another(void) {
  time_t day = 864000;
  number += localtime(&day)->tm_mday;
}
SCENARIO(library_gmtime_r, RACE) {
  try_both(make_date, read_date);
}
SCENARIO(library_localtime, RACE) {
  try_both(read_shared_date, read_another);
}

/* ---- what programs tell ThreadSanitizer ------------------------------------------------ */

__attribute__((weak)) void __tsan_acquire(void *object);
__attribute__((weak)) void __tsan_release(void *object);
THREAD(tells_release) {
  number++;
  if (__tsan_release) __tsan_release(&number);
  if (write(ends[1], "x", 1) != 1) abort();
  return NULL;
}
SCENARIO(library_told_order, CLEAN) {
  char byte;
  if (pipe(ends)) abort();
  pthread_t t = start(tells_release, NULL);
  if (read(ends[0], &byte, 1) != 1) abort();
  if (__tsan_acquire) __tsan_acquire(&number);
  number++;
  finish(t);
}
