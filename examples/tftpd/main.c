/* tftpd: a small TFTP server (RFC 1350, with the options blksize, timeout and tsize).
 *
 *   main ─▶ config ─▶ server ─┬─▶ listener ─▶ worker ─▶ terms, access, file ─▶ transfer
 *                             └─▶ signals                     session, stats, log
 *
 * See README.md for what it is an example of. */
#include "config.h"
#include "server.h"

#include <stdio.h>

int main(int argc, char **argv) {
  Config config;
  char problem[CONFIG_TEXT];
  switch (config_load(&config, argc, argv, problem)) {
  case CONFIG_HELP: config_show_help(stdout); return 0;
  case CONFIG_BAD:
    fprintf(stderr, "tftpd: %s; --help shows the settings\n", problem);
    return 2;
  case CONFIG_OK: break;
  }
  if (!server_start(&config)) return 1;
  server_run();
  return 0;
}
