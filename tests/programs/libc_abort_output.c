/* Output that was not flushed is lost at abort. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  for (int i = 0; i < 700; i++) printf("line %d of text\n", i);
  fprintf(stderr, "x");
  abort();
}
