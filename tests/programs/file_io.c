/* Files: write, read back, seek, append, binary records, fscanf, getline, rename and
   remove. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Record {
  int id;
  double value;
  char name[8];
};

int main(void) {
  char path[] = "/tmp/heddle-file-io-XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  FILE *f = fopen(path, "w+");
  fprintf(f, "%d %s %.2f\n", 42, "forty-two", 4.2);
  fputs("second line\n", f);
  fputs("7 8 9", f);
  printf("%ld\n", ftell(f));
  rewind(f);
  int n;
  char word[32];
  double d;
  printf("%d ", fscanf(f, "%d %31s %lf", &n, word, &d));
  printf("%d %s %g\n", n, word, d);
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, f) > 0) printf("[%s]", line);
  printf(" %d\n", feof(f) != 0);
  free(line);
  fseek(f, 3, SEEK_SET);
  printf("%c", fgetc(f));
  fseek(f, -1, SEEK_END);
  printf("%c", fgetc(f));
  fseek(f, -3, SEEK_CUR);
  printf("%c ", fgetc(f));
  printf("%d\n", ungetc('u', f) == 'u' && fgetc(f) == 'u');
  fclose(f);

  f = fopen(path, "a");
  fputs("\nappended", f);
  fclose(f);
  f = fopen(path, "r");
  int count = 0, c, last = 0;
  while ((c = getc(f)) != EOF) count += c == '\n', last = c;
  printf("%d %c\n", count, last);
  fclose(f);

  struct Record out[3] = {{1, 1.5, "one"}, {2, 2.5, "two"}, {3, 3.5, "three"}}, in;
  f = fopen(path, "wb+");
  printf("%zu\n", fwrite(out, sizeof *out, 3, f));
  fseek(f, (long)sizeof *out, SEEK_SET);
  printf("%zu ", fread(&in, sizeof in, 1, f));
  printf("%d %g %s\n", in.id, in.value, in.name);
  in.id = 20;
  fseek(f, (long)sizeof *out, SEEK_SET);
  fwrite(&in, sizeof in, 1, f);
  rewind(f);
  struct Record back[4];
  printf("%zu ", fread(back, sizeof *back, 4, f));
  printf("%d %d\n", back[1].id, feof(f) != 0);
  fclose(f);
  char moved[64];
  snprintf(moved, sizeof moved, "%s.moved", path);
  printf("%d ", rename(path, moved));
  printf("%d\n", access(path, F_OK));
  errno = 0;
  f = fopen(path, "r");
  printf("%d %d\n", f == NULL, errno == ENOENT);
  printf("%d ", remove(moved));
  printf("%d\n", remove(moved));
  char *text = NULL;
  size_t size = 0;
  f = open_memstream(&text, &size);
  for (int i = 0; i < 5; i++) fprintf(f, "<%d>", i * i);
  fclose(f);
  printf("%zu %s\n", size, text);
  free(text);
  return 0;
}
