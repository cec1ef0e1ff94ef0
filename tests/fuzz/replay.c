/* Runs a fuzz target over files, without a fuzzer.
 *
 * In: the names of files on the command line. Each is read whole and handed to the target's
 * LLVMFuzzerTestOneInput, as libFuzzer would do. Out: nothing; a defect shows as a crash, a
 * sanitizer report or a failed assertion. So the corpus, which holds every input that ever went
 * wrong, is part of the ordinary tests and works with any compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(2);
  }
  long size = ftell(file);
  rewind(file);
  /* Exactly as many bytes as the input has, so that the sanitizer sees one byte too far. */
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  if (size < 0 || !data || fread(data, 1, (size_t)size, file) != (size_t)size) {
    perror(path);
    exit(2);
  }
  fclose(file);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) replay(argv[i]);
  return 0;
}
