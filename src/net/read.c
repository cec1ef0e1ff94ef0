/* See read.h: files, formats, and what the readers share. */
#include "net/read.h"

#include "base/mem.h"
#include "net/read_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_FILE ((size_t)1 << 30)

/* ---- files ------------------------------------------------------------------------ */

static bool read_all(int fd, const char *path, Str *out, Err *err) {
  char buffer[65536];
  for (;;) {
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return err_input(err, path, "give the name of a readable file", "%s",
                       strerror(errno));
    if (got == 0) return true;
    if (out->len + (size_t)got > LARGEST_FILE)
      return err_input(err, path, "give a smaller net", "the file is larger than 1 GiB");
    str_add_bytes(out, buffer, (size_t)got);
  }
}

char *net_slurp(const char *path, size_t *ret_length, Err *err) {
  struct stat info;
  Str text = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0;
  if (!ok)
    err_input(err, path, "give the name of a readable file", "%s", strerror(errno));
  else if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
    ok = err_input(err, path, "give the name of a file", "Is a directory");
  ok = ok && read_all(fd, path, &text, err);
  if (ok && text.len == 0)
    ok = err_input(err, path, "give a file with a net in it", "the file is empty");
  if (fd >= 0) close(fd);
  if (!ok) {
    str_free(&text);
    return NULL;
  }
  *ret_length = text.len;
  return str_take(&text);
}

static bool format_of(const char *path, NetFormat *ret_format, Err *err) {
  static const struct {
    const char *ending;
    NetFormat format;
  } endings[] = {{".sml", NET_FORMAT_SML},   {".spec", NET_FORMAT_MIST},
                 {".lola", NET_FORMAT_LOLA}, {".net", NET_FORMAT_LOLA},
                 {".pnml", NET_FORMAT_PNML}, {".xml", NET_FORMAT_PNML}};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (str_ends(path, endings[i].ending)) {
      *ret_format = endings[i].format;
      return true;
    }
  return err_input(err, path, "nets are .sml, .spec, .lola or .pnml files",
                   "the ending of the name says nothing of the format");
}

Net *net_read_text(NetFormat format, const char *file, const char *text, size_t length,
                   Err *err) {
  typedef bool Reader(Net *, const char *, size_t, Err *);
  static Reader *const readers[] = {[NET_FORMAT_SML] = read_sml,
                                    [NET_FORMAT_MIST] = read_mist,
                                    [NET_FORMAT_LOLA] = read_lola,
                                    [NET_FORMAT_PNML] = read_pnml};
  Net *net = net_new(file);
  if (!readers[format](net, text, length, err)) {
    net_free(net);
    return NULL;
  }
  net_index(net);
  return net;
}

Net *net_read_file(const char *path, const char *target, Err *err) {
  NetFormat format = NET_FORMAT_SML;
  size_t length;
  char *text = net_slurp(path, &length, err);
  if (!text) return NULL;
  Net *net = format_of(path, &format, err)
                 ? net_read_text(format, path, text, length, err)
                 : NULL;
  mem_free(text);
  bool ok = net && (!target || net_read_target(net, target, err));
  /* A program without a write to shared data has no races: nothing to cover is fine. */
  if (ok && net->targets.len == 0 && !net->programs)
    ok = err_input(err, path, "name one with --target 'place >= 1'",
                   "the net has no target");
  if (ok) return net;
  net_free(net);
  return NULL;
}

/* ---- places ----------------------------------------------------------------------- */

bool read_place(Lex *lex, const Net *net, const LexWord *word, uint32_t *ret_place) {
  *ret_place = net_find_place(net, word->at, word->len);
  return *ret_place != NET_NONE ||
         netlex_fail_at(lex, word, "declare it first", "there is no place '%.*s'",
                        (int)word->len, word->at);
}

bool read_new_place(Lex *lex, Net *net, const LexWord *word, uint32_t initial,
                    uint32_t *ret_place) {
  if (net_find_place(net, word->at, word->len) != NET_NONE)
    return netlex_fail_at(lex, word, "give each place a name of its own",
                          "the place '%.*s' is declared twice", (int)word->len, word->at);
  char *name = str_ndup(word->at, word->len);
  *ret_place = net_add_place(net, name, initial);
  mem_free(name);
  return true;
}
