/* localtime returns the address of a variable of the library. */
#include "small.h"

static int year(time_t at) {
  struct tm own;
  return (RACY ? localtime(&at) : localtime_r(&at, &own))->tm_year;
}
static void *work(void *a) {
  return year(0) > 999 ? a : NULL;
}
int main(void) {
  pthread_t t = start(work, NULL);
  int seen = year(100000000);
  finish(t);
  return seen > 999;
}
