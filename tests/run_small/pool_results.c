/* Workers of a pool write their results behind one index. */
#include "small.h"

enum { JOBS = 12 };
atomic_int next_job;
int results[JOBS], used;
static void *work(void *a) {
  for (int job; (job = next_job++) < JOBS;) {
    int at = RACY ? used++ : job;
    if (at < JOBS) results[at] = job * job;
  }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) t[i] = start(work, NULL);
  for (int i = 0; i < 3; i++) finish(t[i]);
  return 0;
}
