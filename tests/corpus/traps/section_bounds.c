// race: safe — the table of a section is written by its bounds, and by a name in it when the thread has ended
#include <pthread.h>

#define ENTRY __attribute__((section("table"), used))

ENTRY static int first;
ENTRY static int second;

/* The linker gives the section these names. */
extern int __start_table[], __stop_table[];

static void *clear(void *arg) {
  for (int *entry = __start_table; entry < __stop_table; entry++)
    *entry = 0;
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
  pthread_join(thread, 0);
  second = first + 1;
  return 0;
}
