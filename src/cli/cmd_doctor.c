/* heddle doctor: what heddle needs at run time, whether it is here, and how to get it.
 *
 * Each row of the table is one need with its Debian package and a probe. A probe looks at
 * the machine itself (it runs the compiler on a few lines rather than asking the package
 * system), so that hand-made installations count. Exit code 0 when everything needed is
 * there, 2 when something is missing; what only some commands need is reported but does
 * not count. */
#include "cli/cli.h"

#include "base/mem.h"
#include "base/proc.h"
#include "base/temp.h"
#include "front/clang.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
} DoctorOptions;

static const Option options[] = {COMMON_OPTIONS(DoctorOptions, common), {0}};

static const OptPair examples[] = {
    {"heddle doctor",
     "List what is found and what is missing, with the line to install it."},
    {0}};

static const OptCommand table = {
    .name = "doctor",
    .summary = "list what is installed, what is missing and how to get it",
    .usage = "",
    .description =
        "Looks for everything that heddle needs while it runs: the compiler, its "
        "headers, memory and room for temporary files. The exit code is 0 when all "
        "is there and 2 when something is missing.",
    .options = options,
    .examples = examples,
};

/* A probe fills `detail` with what it found, or with what went wrong, and says which. */
typedef bool Probe(Str *detail);

typedef struct {
  const char *name;
  const char *package; /* Debian's, or NULL when no package helps */
  Probe *probe;
  bool optional;
} Need;

/* ---- probes ----------------------------------------------------------------------- */

enum { PROBE_SECONDS = 20, MEMORY_MIB = 1024, ROOM_MIB = 64 };

static void add_first_line(Str *out, const char *text) {
  str_add_bytes(out, text, strcspn(text, "\n"));
}

/* The compiler that the front would run, and whether it is the version it must be. */
static bool probe_clang(Str *detail) {
  Err err = {0};
  char *name = clang_find(false, &err);
  if (!name) {
    str_add(detail, err.message);
    err_free(&err);
    return false;
  }
  char *path = proc_find(name);
  const char *argv[] = {name, "--version", NULL};
  ProcRequest request = {
      .argv = argv, .out = {.kind = PROC_CAPTURE}, .timeout = PROBE_SECONDS};
  ProcResult result;
  proc_run(&request, &result);
  bool ok = proc_ok(&result);
  str_addf(detail, "%s, ", path ? path : name);
  if (ok)
    add_first_line(detail, str_text(&result.out));
  else {
    str_add(detail, "does not run: ");
    proc_describe(&result, detail);
  }
  if (ok && !strstr(str_text(&result.out), "clang version 19.")) {
    str_add(detail, ", which is not version 19");
    ok = false;
  }
  proc_result_free(&result);
  mem_free(path);
  mem_free(name);
  return ok;
}

/* Compiles `source`, handed over in a memory file, and links it when `link` is set. */
static bool probe_compile(const char *source, const char *language, bool link,
                          Str *detail) {
  Err err = {0};
  int fd = proc_memory_file(source, strlen(source));
  char *directory = fd >= 0 ? temp_dir_new(&err) : NULL;
  if (!directory) {
    str_add(detail, err.message ? err.message : strerror(errno));
    err_free(&err);
    if (fd >= 0) close(fd);
    return false;
  }
  char *clang = clang_find(false, NULL);
  char *program = str_printf("%s/probe", directory);
  temp_register(program);
  const char *argv[] = {clang ? clang : "clang-19",
                        "-x",
                        language,
                        "-pthread",
                        "-",
                        link ? "-o" : "-fsyntax-only",
                        link ? program : NULL,
                        NULL};
  ProcRequest request = {.argv = argv,
                         .in = {.kind = PROC_FD, .fd = fd},
                         .err = {.kind = PROC_CAPTURE},
                         .timeout = PROBE_SECONDS};
  ProcResult result;
  proc_run(&request, &result);
  bool ok = proc_ok(&result);
  if (!ok && result.err.len)
    add_first_line(detail, str_text(&result.err));
  else if (!ok)
    proc_describe(&result, detail);
  proc_result_free(&result);
  close(fd);
  temp_remove(program);
  temp_remove(directory);
  mem_free(program);
  mem_free(clang);
  mem_free(directory);
  return ok;
}

static bool probe_headers(Str *detail) {
  bool ok = probe_compile("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                          "#include <unistd.h>\nint main(void) { return 0; }\n",
                          "c", false, detail);
  if (ok) str_add(detail, "stdio.h, stdlib.h, string.h and unistd.h compile");
  return ok;
}

static bool probe_threads(Str *detail) {
  bool ok =
      probe_compile("#include <pthread.h>\n#include <threads.h>\n#include <semaphore.h>\n"
                    "#include <stdatomic.h>\nstatic void *run(void *p) { return p; }\n"
                    "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
                    "  return pthread_join(t, 0); }\n",
                    "c", false, detail);
  if (ok) str_add(detail, "pthread.h, threads.h, semaphore.h and stdatomic.h compile");
  return ok;
}

static bool probe_link(Str *detail) {
  bool ok = probe_compile(
      "#include <pthread.h>\nint main(void) { return pthread_self() == 0; }\n", "c", true,
      detail);
  if (ok) str_add(detail, "a program with threads links");
  return ok;
}

static bool probe_cxx(Str *detail) {
  bool ok =
      probe_compile("#include <thread>\n#include <vector>\nint main() { return 0; }\n",
                    "c++", false, detail);
  if (ok) str_add(detail, "thread and vector compile");
  return ok;
}

static bool probe_memory(Str *detail) {
  FILE *file = fopen("/proc/meminfo", "r");
  char line[256];
  unsigned long long kib = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1) break;
  if (file) fclose(file);
  if (!kib) {
    str_add(detail, "/proc/meminfo does not say how much is free");
    return true; /* not known is not missing */
  }
  str_addf(detail, "%llu MiB available", kib / 1024);
  if (kib / 1024 < MEMORY_MIB)
    str_addf(detail, ", less than the %d MiB that real programs take", MEMORY_MIB);
  return kib / 1024 >= MEMORY_MIB;
}

static bool probe_room(Str *detail) {
  Err err = {0};
  char *directory = temp_dir_new(&err);
  if (!directory) {
    err_format(&err, detail);
    err_free(&err);
    return false;
  }
  struct statvfs fs;
  bool known = statvfs(directory, &fs) == 0;
  unsigned long long mib =
      known ? (unsigned long long)fs.f_bavail * fs.f_frsize / (1024 * 1024) : 0;
  temp_remove(directory);
  char *slash = strrchr(directory, '/');
  *slash = 0;
  str_addf(detail, "%s can be written", directory);
  if (known) str_addf(detail, ", %llu MiB free", mib);
  mem_free(directory);
  return !known || mib >= ROOM_MIB;
}

static bool probe_cores(Str *detail) {
  str_addf(detail, "%ld in use", sysconf(_SC_NPROCESSORS_ONLN));
  return true;
}

static const Need needs[] = {
    {"clang-19", "clang-19", probe_clang, false},
    {"C headers", "libc6-dev", probe_headers, false},
    {"thread headers", "libc6-dev", probe_threads, false},
    {"linking", "libc6-dev binutils gcc", probe_link, false},
    {"C++ headers", "g++", probe_cxx, true},
    {"memory", NULL, probe_memory, false},
    {"temporary files", NULL, probe_room, false},
    {"processors", NULL, probe_cores, false},
};

/* ---- the report ------------------------------------------------------------------- */

/* Adds the packages of one need that are not in the list yet. */
static void add_packages(Str *list, const char *packages) {
  while (*packages) {
    size_t length = strcspn(packages, " ");
    char *one = str_printf(" %.*s ", (int)length, packages);
    char *padded = str_printf(" %s ", str_text(list));
    if (!strstr(padded, one))
      str_addf(list, "%s%.*s", list->len ? " " : "", (int)length, packages);
    mem_free(padded);
    mem_free(one);
    packages += length + (packages[length] == ' ');
  }
}

static void add_row(Str *out, const Need *need, bool found, const char *detail,
                    bool color) {
  const char *word = found ? "found" : need->optional ? "optional" : "missing";
  const char *shade = found ? "\033[32m" : need->optional ? "\033[33m" : "\033[1;31m";
  str_addf(out, "%s%-9s%s%-16s %s\n", color ? shade : "", word, color ? "\033[0m" : "",
           need->name, detail);
  if (!found && need->package)
    str_addf(out, "%25s get it with: apt-get install %s\n", "", need->package);
}

static int examine(const DoctorOptions *values) {
  Str text = {0}, packages = {0}, detail = {0};
  bool color = cli_color((ColorChoice)values->common.color, STDOUT_FILENO);
  int missing = 0;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    const Need *need = &needs[i];
    str_clear(&detail);
    bool found = need->probe(&detail);
    if (!found && !need->optional) missing++;
    if (!found && !need->optional && need->package)
      add_packages(&packages, need->package);
    if (!found || !values->common.quiet)
      add_row(&text, need, found, str_text(&detail), color);
  }
  if (!missing && !values->common.quiet)
    str_add(&text, "\nEverything that heddle needs is here.\n");
  else if (missing)
    str_addf(&text, "\n%d of the things that heddle needs %s missing.\n", missing,
             missing == 1 ? "is" : "are");
  if (packages.len)
    str_addf(&text, "Get what packages provide with: %sapt-get install %s\n",
             geteuid() == 0 ? "" : "sudo ", str_text(&packages));
  int code = cli_print(str_text(&text));
  str_free(&text);
  str_free(&packages);
  str_free(&detail);
  return code ? code : missing ? EXIT_UNDECIDED : EXIT_HOLDS;
}

static int run(int argc, char **argv) {
  DoctorOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = examine(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_doctor = {&table, run};
