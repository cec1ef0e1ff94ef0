/* bad: both into the shared one. */
#include <pthread.h>
#include <stdio.h>
char buf[2][32];
static void *w(void *q) { 
  snprintf(buf[0], 32, "thread %ld", (long)q);
  return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, (void *)0L); pthread_create(&t, 0, w, (void *)1L); pthread_join(s, 0); pthread_join(t, 0); puts(buf[0]); return 0; }
