/* Output that was not flushed is lost at _exit, block by block as glibc writes it. */
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char b[5000];
  for (int i = 0; i < 5000; i++) b[i] = 'a' + i % 26;
  fwrite(b, 1, 100, stdout);
  fwrite(b, 1, 4500, stdout);
  printf("%s%d\n", "abc", 5);
  putchar('x');
  _exit(3);
}
