/* getopt and getopt_long on the program's own arguments. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static const struct option options[] = {{"verbose", no_argument, NULL, 'v'},
                                          {"count", required_argument, NULL, 'c'},
                                          {"mode", optional_argument, NULL, 'm'},
                                          {NULL, 0, NULL, 0}};
  int verbose = 0, count = 0, c;
  opterr = 0;
  while ((c = getopt_long(argc, argv, "vc:m::", options, NULL)) != -1) switch (c) {
    case 'v': verbose++; break;
    case 'c': count = atoi(optarg); break;
    case 'm': printf("mode %s\n", optarg ? optarg : "default"); break;
    default: printf("unknown %c\n", optopt ? optopt : '?'); break;
    }
  printf("verbose %d count %d\n", verbose, count);
  for (int i = optind; i < argc; i++) printf("operand %s\n", argv[i]);
  return count;
}
