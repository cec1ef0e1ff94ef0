/* A block is handed over, and its maker goes on with it. */
#include "small.h"

int *mailbox;
Mutex m = MUTEX;
static void *work(void *a) {
  int *letter = calloc(2, sizeof *letter);
  if (!RACY) letter[1] = 5;
  lock(&m);
  mailbox = letter;
  unlock(&m);
  if (RACY) letter[1] = 5;
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL);
  int *letter = NULL;
  while (!letter) {
    lock(&m);
    letter = mailbox;
    unlock(&m);
  }
  int seen = letter[1];
  finish(t);
  return seen > 5;
}
