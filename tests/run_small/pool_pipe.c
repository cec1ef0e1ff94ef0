/* Work comes through a pipe; the racy one touches it after sending. */
#include "small.h"

int ends[2];
typedef struct {
  int value;
} Job;
static void *work(void *a) {
  Job *job;
  if (read(ends[0], &job, sizeof job) == sizeof job) job->value++;
  return a;
}
int main(void) {
  static Job job;
  if (pipe(ends)) return 1;
  pthread_t t = start(work, NULL);
  Job *sent = &job;
  if (!RACY) job.value = 1;
  if (write(ends[1], &sent, sizeof sent) != sizeof sent) return 1;
  if (RACY) job.value = 1;
  finish(t);
  return 0;
}
