/* Weak symbols and aliases: a weak default overridden, an undefined weak, function and
   data aliases. */
#include <stdio.h>

int limit(void);
extern int missing(int) __attribute__((weak));
extern int absent __attribute__((weak));

__attribute__((weak)) int policy(int v) {
  return v + 1;
}
__attribute__((weak)) int setting = 5;
__attribute__((weak)) int own(int v) {
  return v * 100;
}

static int real_work(int v) {
  return v * v;
}
int work(int) __attribute__((alias("real_work")));
int data = 17;
extern int data_alias __attribute__((alias("data")));
extern int weak_alias_fn(int) __attribute__((weak, alias("real_work")));

int main(void) {
  printf("%d %d\n", policy(1), setting);
  printf("%d\n", own(3));
  printf("%d %d\n", limit(), missing ? missing(3) : -1);
  printf("%d\n", &absent ? absent : -2);
  printf("%d %d %d\n", work(9), weak_alias_fn(4), work == real_work);
  data_alias++;
  printf("%d %d\n", data, &data == &data_alias);
  data = 3;
  printf("%d\n", data_alias);
  int (*p)(int) = missing;
  printf("%s\n", p ? "there" : "not there");
  return 0;
}
