/* Standard output in all its ways: puts, putchar, fputs, fwrite, fprintf to both streams,
   fputc. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  puts("puts");
  putchar('p');
  putc('c', stdout);
  fputc('\n', stdout);
  fputs("fputs\n", stdout);
  size_t n = fwrite("fwrite\0binary\n", 1, 14, stdout);
  printf("%zu\n", n);
  fprintf(stderr, "to the error stream %d\n", 1);
  fprintf(stdout, "%s %d\n", "fprintf", 2);
  int items[3] = {0x41424344, 0x45464748, 0x0a494a4b};
  printf("%zu\n", fwrite(items, sizeof *items, 3, stdout));
  perror("perror");
  errno = ENOENT;
  printf("%d %s\n", errno, strerror(errno));
  int wrote = puts("") >= 0;
  wrote += putchar('x') == 'x';
  printf("%d\n", wrote);
  fflush(stdout);
  fflush(NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("no newline");
  dprintf(1, "%s", "");
  return 3;
}
