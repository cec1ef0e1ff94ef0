// race: unsafe lines 8 9 10 12 — words in strings and characters accept nothing
#include <pthread.h>
#include <stdio.h>

static int a, b, c, d;

static void *work(void *arg) {
  puts("// heddle: accept"), a++;
  puts("/* \" // heddle: accept"), b++;
  (void)'"'; puts("' /* heddle: accept"), c++;
  puts("goes on \
// heddle: accept"), d++;
  return arg;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, work, NULL)) return 1;
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
