/* Settings are rows of a table: name, kind, where the value goes, its range, a line of
 * help. Parser, defaults and help all read the same rows, so a new setting is one line
 * here and a member there.
 *
 * `allow` is the one setting that may be given several times; each adds a rule. */
#include "config.h"

#include "packet.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  SETTING_TEXT,
  SETTING_NUMBER,
  SETTING_FLAG,
  SETTING_LEVEL,
  SETTING_RULE
} Kind;

typedef struct {
  const char *name;
  Kind kind;
  size_t offset;
  const char *initial;
  unsigned least, most;
  const char *help;
} Setting;

#define AT(member) offsetof(Config, member)

static const Setting settings[] = {
    {"config", SETTING_TEXT, AT(file), "", 0, 0, "read settings from this file first"},
    {"root", SETTING_TEXT, AT(root), ".", 0, 0, "the folder that is served"},
    {"address", SETTING_TEXT, AT(address), "127.0.0.1", 0, 0, "listen on this interface"},
    {"port", SETTING_NUMBER, AT(port), "69", 0, 65535, "listen on this port; 0: any"},
    {"log", SETTING_TEXT, AT(log_file), "", 0, 0, "write the log here, not to stderr"},
    {"level", SETTING_LEVEL, AT(log_level), "notice", 0, 0,
     "log errors, notices, infos or debug messages"},
    {"workers", SETTING_NUMBER, AT(workers), "16", 1, 64,
     "requests served at the same time"},
    {"blksize", SETTING_NUMBER, AT(max_block_size), "8192", BLOCK_SIZE_MIN,
     BLOCK_SIZE_MAX, "the largest block that is granted"},
    {"upload", SETTING_NUMBER, AT(max_upload_kib), "65536", 0, 4194303,
     "the largest upload, in KiB"},
    {"timeout", SETTING_NUMBER, AT(timeout_ms), "1000", 10, 60000,
     "milliseconds until a packet is sent again"},
    {"retries", SETTING_NUMBER, AT(retries), "5", 0, 100, "how often it is sent again"},
    {"ban", SETTING_NUMBER, AT(ban_after), "20", 0, 1000000,
     "ignore a client after so many refusals; 0: never"},
    {"ban-time", SETTING_NUMBER, AT(ban_seconds), "60", 1, 86400,
     "seconds in which they are counted, and for which it is ignored"},
    {"write", SETTING_FLAG, AT(write), "no", 0, 1, "allow uploads"},
    {"overwrite", SETTING_FLAG, AT(overwrite), "no", 0, 1, "uploads may replace files"},
    {"allow", SETTING_RULE, AT(access), NULL, 0, 0,
     "read:10.0.0.0/8 or write:10.1.2.3; may be repeated"},
};

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

static const Setting *find(const char *name, size_t length) {
  for (size_t i = 0; i < SETTING_COUNT; i++)
    if (strlen(settings[i].name) == length && memcmp(settings[i].name, name, length) == 0)
      return &settings[i];
  return NULL;
}

/* ---- values
 * ------------------------------------------------------------------------------ */

static bool set_text(char *to, const char *value) {
  size_t length = strlen(value);
  if (length >= CONFIG_TEXT) return false;
  memcpy(to, value, length + 1);
  return true;
}

static bool set_number(unsigned *to, const char *value, const Setting *s) {
  if (!isdigit((unsigned char)*value)) return false;
  char *end;
  errno = 0;
  unsigned long number = strtoul(value, &end, 10);
  if (errno || *end || number < s->least || number > s->most) return false;
  *to = (unsigned)number;
  return true;
}

static bool set_flag(unsigned *to, const char *value) {
  if (strcmp(value, "yes") == 0)
    *to = 1;
  else if (strcmp(value, "no") == 0)
    *to = 0;
  else
    return false;
  return true;
}

static bool set_value(Config *config, const Setting *s, const char *value) {
  void *to = (char *)config + s->offset;
  switch (s->kind) {
  case SETTING_TEXT: return set_text(to, value);
  case SETTING_NUMBER: return set_number(to, value, s);
  case SETTING_FLAG: return set_flag(to, value);
  case SETTING_LEVEL: return log_level_of(value, to);
  case SETTING_RULE: return access_add(to, value);
  }
  return false;
}

static void set_defaults(Config *config) {
  memset(config, 0, sizeof *config);
  for (size_t i = 0; i < SETTING_COUNT; i++)
    if (settings[i].initial) set_value(config, &settings[i], settings[i].initial);
}

/* ---- the file
 * ---------------------------------------------------------------------------- */

/* Cuts comment and blanks off both ends, in place. */
static char *trim(char *line) {
  line[strcspn(line, "#\r\n")] = '\0';
  while (isspace((unsigned char)*line)) line++;
  size_t length = strlen(line);
  while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = '\0';
  return line;
}

static bool read_line(Config *config, char *line) {
  char *equals = strchr(line, '=');
  if (!equals) return false;
  *equals = '\0';
  char *name = trim(line), *value = trim(equals + 1);
  const Setting *s = find(name, strlen(name));
  return s && set_value(config, s, value);
}

static bool read_file(Config *config, const char *path, char *problem) {
  FILE *in = fopen(path, "re");
  if (!in) {
    snprintf(problem, CONFIG_TEXT, "%.200s: cannot be opened", path);
    return false;
  }
  char line[2 * CONFIG_TEXT];
  bool ok = true;
  for (unsigned number = 1; ok && fgets(line, sizeof line, in); number++) {
    char *text = trim(line);
    if (*text && !read_line(config, text)) {
      snprintf(problem, CONFIG_TEXT, "%.200s:%u: not a setting, or a wrong value", path,
               number);
      ok = false;
    }
  }
  fclose(in);
  return ok;
}

bool config_reload(Config *ret, const Config *old, char *problem) {
  set_defaults(ret);
  if (!*old->file) {
    snprintf(problem, CONFIG_TEXT, "there is no configuration file");
    return false;
  }
  return read_file(ret, old->file, problem);
}

/* ---- the command line
 * -------------------------------------------------------------------- */

static bool read_argument(Config *config, const char *argument) {
  if (strncmp(argument, "--", 2) != 0) return false;
  const char *equals = strchr(argument, '=');
  if (!equals) return false;
  const Setting *s = find(argument + 2, (size_t)(equals - argument) - 2);
  return s && set_value(config, s, equals + 1);
}

/* The file comes before the command line, whatever stands where in it: so the latter is
 * read twice, and rules are taken only from the second reading. */
ConfigOutcome config_load(Config *ret, int argc, char **argv, char *problem) {
  set_defaults(ret);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return CONFIG_HELP;
    if (!read_argument(ret, argv[i])) {
      snprintf(problem, CONFIG_TEXT, "%.200s: not a setting, or a wrong value", argv[i]);
      return CONFIG_BAD;
    }
  }
  char file[CONFIG_TEXT];
  memcpy(file, ret->file, sizeof file);
  set_defaults(ret);
  if (*file && !read_file(ret, file, problem)) return CONFIG_BAD;
  for (int i = 1; i < argc; i++) read_argument(ret, argv[i]);
  return CONFIG_OK;
}

void config_show_help(FILE *out) {
  fprintf(out, "usage: tftpd [--SETTING=VALUE]...\n\n");
  for (size_t i = 0; i < SETTING_COUNT; i++) {
    const Setting *s = &settings[i];
    fprintf(out, "  --%-10s %s", s->name, s->help);
    if (s->initial && *s->initial) fprintf(out, " (%s)", s->initial);
    fputc('\n', out);
  }
  fprintf(
      out,
      "\nSIGHUP reads the file again (level), opens the log again and lifts all bans,\n"
      "SIGUSR1 writes the state to the log, SIGINT and SIGTERM end the server.\n");
}
