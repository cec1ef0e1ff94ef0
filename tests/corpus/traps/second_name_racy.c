// race: unsafe — assembly at file level gives the variable a second name
#include <pthread.h>

int count;
extern int number;
__asm__(".globl number\n.set number, count\n");
static void *work(void *arg) {
  number = 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  count = 2;
  pthread_join(thread, 0);
  return 0;
}
