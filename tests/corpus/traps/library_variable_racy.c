// race: unsafe lines 12 17 — getopt moves optind while another thread looks at it
#define _GNU_SOURCE
#include <getopt.h>
#include <pthread.h>

static char name[] = "program", option[] = "-a";
static char *words[] = {name, option, 0};
static int seen;

static void *reader(void *unused) {
  (void)unused;
  seen = optind;
  return 0;
}

static void *parser(void *unused) {
  while (getopt(2, words, "a") != -1)
    ;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, parser, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return seen < 0;
}
