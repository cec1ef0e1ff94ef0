/* The compiler driver without a compiler: command lines, records, ELF files, archives,
 * compilation databases. Every reader is also fed damaged bytes. */
#include "base/mem.h"
#include "base/proc.h"
#include "front/archive.h"
#include "front/bitsection.h"
#include "front/carried.h"
#include "front/cc.h"
#include "front/ccargs.h"
#include "front/clang.h"
#include "front/compdb.h"
#include "front/elffile.h"
#include "front/inputs.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- command lines --------------------------------------------------------------- */

static void parse(const char *line, CcArgs *args) {
  Arena *arena = arena_new();
  CcWords words = {0};
  ccargs_split(line, strlen(line), true, arena, &words);
  assert_true(ccargs_parse(words.data, words.len, NULL, args));
  vec_free(&words);
  arena_free(arena);
}

static char *join(const CcWords *words) {
  Str text = {0};
  for (uint32_t i = 0; i < words->len; i++)
    str_addf(&text, "%s%s", i ? " " : "", words->data[i]);
  return str_take(&text);
}

static const CcArg *nth_input(const CcArgs *args, int n) {
  for (uint32_t i = 0; i < args->args.len; i++)
    if (args->args.data[i].kind == CC_INPUT && n-- == 0) return &args->args.data[i];
  return NULL;
}

static void test_split(void **state) {
  (void)state;
  static const struct {
    const char *text, *shell, *response;
  } cases[] = {
      {"a  b\tc\n", "a|b|c|", "a|b|c|"},
      {"'a b' \"c d\"", "a b|c d|", "a b|c d|"},
      {"a\\ b \"\\\"\"", "a b|\"|", "a b|\"|"},
      {"'a\\b'", "a\\b|", "ab|"},
      {"-DX='\"y\"'", "-DX=\"y\"|", "-DX=\"y\"|"},
      {"'' a\"\"", "|a|", "|a|"},
      {"'open", "open|", "open|"},
      {"end\\", "end\\|", "end\\|"},
      {"", "", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int shell = 0; shell < 2; shell++) {
      Arena *arena = arena_new();
      CcWords words = {0};
      ccargs_split(cases[i].text, strlen(cases[i].text), shell, arena, &words);
      Str got = {0};
      for (uint32_t k = 0; k < words.len; k++) str_addf(&got, "%s|", words.data[k]);
      assert_string_equal(str_text(&got), shell ? cases[i].shell : cases[i].response);
      str_free(&got);
      vec_free(&words);
      arena_free(arena);
    }
}

static void test_modes(void **state) {
  (void)state;
  static const struct {
    const char *line;
    CcMode mode;
    const char *output;
    int inputs;
  } cases[] = {
      {"-c a.c", CC_COMPILE, NULL, 1},
      {"-c a.c -o b.o", CC_COMPILE, "b.o", 1},
      {"-c a.c -ob.o", CC_COMPILE, "b.o", 1},
      {"a.c --output=x", CC_LINK, "x", 1},
      {"a.c --output x", CC_LINK, "x", 1},
      {"a.c -o x -o y", CC_LINK, "y", 1},
      {"-E a.c", CC_STOP, NULL, 1},
      {"-c -S a.c", CC_STOP, NULL, 1},
      {"-M a.c", CC_STOP, NULL, 1},
      {"-MD -MF d -MT t -c a.c", CC_COMPILE, NULL, 1},
      {"--version", CC_STOP, NULL, 0},
      {"-print-prog-name=ld", CC_STOP, NULL, 0},
      {"-fsyntax-only a.c", CC_STOP, NULL, 1},
      {"-c x.h", CC_STOP, NULL, 1},
      {"-c -emit-llvm a.c", CC_STOP, NULL, 1},
      {"-I -c a.c", CC_LINK, NULL, 1}, /* -c is a directory here */
      {"-D -c -U -E -include -S a.c -l m -L dir -T script", CC_LINK, NULL, 1},
      {"-Xlinker -c -Xarch_x86_64 -c a.c", CC_LINK, NULL, 1},
      {"-c -- -E.c", CC_COMPILE, NULL, 1},
      {"-segprot a b c d.c", CC_LINK, NULL, 1},
      {"-v", CC_LINK, NULL, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CcArgs args;
    parse(cases[i].line, &args);
    assert_int_equal(args.mode, cases[i].mode);
    if (cases[i].output)
      assert_string_equal(args.output, cases[i].output);
    else
      assert_null(args.output);
    assert_true(!cases[i].inputs || nth_input(&args, cases[i].inputs - 1));
    assert_null(nth_input(&args, cases[i].inputs));
    ccargs_free(&args);
  }
}

static void test_languages(void **state) {
  (void)state;
  CcArgs args;
  parse("a.c b.o -x c++ c.o -x none d.S lib.a -xassembler e.c --language=c - f.cu",
        &args);
  const CcLanguage expected[] = {CC_LANG_SOURCE, CC_LANG_LINK,  CC_LANG_SOURCE,
                                 CC_LANG_ASM,    CC_LANG_LINK,  CC_LANG_ASM,
                                 CC_LANG_SOURCE, CC_LANG_SOURCE};
  for (int i = 0; i < 8; i++)
    assert_int_equal(nth_input(&args, i)->language, expected[i]);
  ccargs_free(&args);
  assert_int_equal(ccargs_language_of_name("dir.c/file"), CC_LANG_LINK);
  assert_int_equal(ccargs_language_of_name("x.f90"), CC_LANG_OTHER);
  assert_true(ccargs_name_is_cxx("a.cpp"));
  assert_false(ccargs_name_is_cxx("a.c"));
}

static void expect_model(const char *line, const char *expected) {
  CcArgs args;
  parse(line, &args);
  CcWords words = {0};
  ccargs_words_for_model(&args, nth_input(&args, 0), &words);
  char *text = join(&words);
  char *own = strstr(text, "-O0 -g -Xclang");
  assert_non_null(own);
  if (own > text) own[-1] = 0;
  *own = 0;
  assert_string_equal(text, expected);
  mem_free(text);
  vec_free(&words);
  ccargs_free(&args);
}

static void test_words_for_model(void **state) {
  (void)state;
  expect_model("-O2 -g3 -c a.c -o x -Wall -Werror -I inc -DX=1",
               "a.c -Wall -I inc -DX=1");
  expect_model("-MMD -MP -MT a -MF b -MJ c a.c -MDx", "a.c");
  expect_model("a.c b.c c.o -lm -Wl,-z,now -L.", "a.c -lm");
  expect_model(
      "-flto=thin -fsanitize=address,undefined -fprofile-arcs -pg --coverage a.c", "a.c");
  expect_model("-Wp,-MD,x.d,-DY=1,-D_FORTIFY_SOURCE=2 a.c", "-Wp,-DY=1 a.c");
  expect_model("-Wp,-MMD,x.d a.c", "a.c");
  expect_model("-Xpreprocessor -MD -Xpreprocessor f -Xpreprocessor -DZ a.c",
               "-Xpreprocessor -DZ a.c");
  expect_model("-Xclang -dependency-file -Xclang x -Xclang -foo a.c", "-Xclang -foo a.c");
  expect_model("-ffile-prefix-map=/a=b -fdebug-prefix-map=/c=d a.c",
               "-fmacro-prefix-map=/a=b a.c");
  expect_model("-save-temps=obj -ftime-trace -fstack-usage -gsplit-dwarf a.c", "a.c");
  expect_model("-ObjC -x c -march=native -fno-builtin -pthread -std=gnu99 a.c",
               "-ObjC -x c -march=native -fno-builtin -pthread -std=gnu99 a.c");
  expect_model("-E -S -M a.c", "a.c");
}

static void test_words_after_dashes(void **state) {
  (void)state;
  CcArgs args;
  parse("-c -- a.c b.c", &args);
  CcWords words = {0};
  ccargs_words_for_model(&args, nth_input(&args, 1), &words);
  assert_true(words.len > 3);
  assert_string_equal(words.data[words.len - 1], "b.c");
  assert_string_equal(words.data[words.len - 2], "--");
  assert_string_equal(words.data[words.len - 3], "-");
  vec_free(&words);
  ccargs_free(&args);
}

static void test_words_without_lto(void **state) {
  (void)state;
  CcArgs args;
  parse("-O2 -flto=auto -ffat-lto-objects -fsanitize=cfi,undefined -fsanitize=cfi-icall "
        "-fsanitize-cfi-cross-dso -Wl,-plugin-opt=O2,-z,now -Wl,--lto-O3 a.c",
        &args);
  assert_true(args.lto);
  CcWords words = {0};
  ccargs_words_without_lto(&args, &words);
  char *text = join(&words);
  assert_string_equal(text, "-O2 -fsanitize=undefined -Wl,-z,now a.c");
  mem_free(text);
  vec_free(&words);
  ccargs_free(&args);
}

static void test_object_names(void **state) {
  (void)state;
  CcArgs args;
  parse("-c dir/a.b.c noext -x c -", &args);
  assert_string_equal(ccargs_object_name(&args, nth_input(&args, 0)), "a.b.o");
  assert_string_equal(ccargs_object_name(&args, nth_input(&args, 1)), "noext.o");
  assert_string_equal(ccargs_object_name(&args, nth_input(&args, 2)), "-.o");
  ccargs_free(&args);
  assert_int_equal(front_cc_alias("/usr/bin/heddle-cc"), 'c');
  assert_int_equal(front_cc_alias("heddle-c++"), '+');
  assert_int_equal(front_cc_alias("/opt/heddle-cc/heddle"), 0);
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void test_response_files(void **state) {
  (void)state;
  char dir[] = "/tmp/heddle-test-XXXXXX";
  assert_non_null(mkdtemp(dir));
  char *outer = str_printf("%s/outer", dir), *loop = str_printf("%s/loop", dir);
  write_file(outer, "-c 'a b.c' @inner @missing\n");
  char *inner = str_printf("%s/inner", dir);
  write_file(inner, "-DX=\\\"y\\\"");
  write_file(loop, "@loop @loop");
  CcArgs args;
  assert_true(ccargs_parse((const char *const[]){"@outer"}, 1, dir, &args));
  char *text = join(&args.words);
  assert_string_equal(text, "-c a b.c -DX=\"y\" @missing");
  assert_true(args.expanded);
  assert_int_equal(args.words.len, 4);
  mem_free(text);
  ccargs_free(&args);
  assert_false(ccargs_parse((const char *const[]){"@loop"}, 1, dir, &args));
  assert_int_equal(args.mode, CC_STOP);
  ccargs_free(&args);
  unlink(outer), unlink(inner), unlink(loop), rmdir(dir);
  mem_free(outer), mem_free(inner), mem_free(loop);
}

/* ---- records --------------------------------------------------------------------- */

typedef struct {
  int count;
  char bitcode[2][4096];
  size_t size[2];
  BitRecordKind kind[8];
} Seen;

static bool see(void *user, const BitRecord *record, Err *err) {
  Seen *seen = user;
  assert_true(seen->count < 8);
  seen->kind[seen->count] = record->kind;
  assert_string_equal(record->directory, "/work");
  if (record->kind == BIT_UNIT) {
    assert_string_equal(record->source, "dir/a b.c");
    assert_int_equal(record->arguments.len, 3);
    assert_string_equal(record->arguments.data[0], "-c");
    assert_string_equal(record->arguments.data[1], "");
    assert_string_equal(record->arguments.data[2], "dir/a b.c");
    char *bytes = bit_bitcode(record, "x", err);
    if (!bytes) return false;
    int n = seen->count > 0;
    memcpy(seen->bitcode[n], bytes, record->size);
    seen->size[n] = record->size;
    mem_free(bytes);
  } else if (record->kind == BIT_NONE) {
    assert_string_equal(record->reason, "assembly source");
  }
  seen->count++;
  return true;
}

static void write_section(Str *out) {
  char big[4000];
  memset(big, 'x', sizeof big); /* compresses; the other does not */
  CcWords words = {0};
  vec_push(&words, "-c");
  vec_push(&words, "");
  vec_push(&words, "dir/a b.c");
  bit_write(&(BitRecord){.kind = BIT_UNIT,
                         .source = "dir/a b.c",
                         .directory = "/work",
                         .arguments = words,
                         .bytes = "BC\xC0\xDE",
                         .size = 4},
            out);
  str_add_bytes(out, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  bit_write(&(BitRecord){.kind = BIT_UNIT,
                         .source = "dir/a b.c",
                         .directory = "/work",
                         .arguments = words,
                         .bytes = big,
                         .size = sizeof big},
            out);
  vec_free(&words);
  bit_write(&(BitRecord){.kind = BIT_NONE,
                         .source = "s.S",
                         .directory = "/work",
                         .reason = "assembly source"},
            out);
}

static void test_records(void **state) {
  (void)state;
  Str section = {0};
  write_section(&section);
  Seen seen = {0};
  Err err = {0};
  assert_true(bit_each(section.data, section.len, "x", see, &seen, &err));
  assert_int_equal(seen.count, 3);
  assert_int_equal(seen.size[0], 4);
  assert_memory_equal(seen.bitcode[0], "BC\xC0\xDE", 4);
  assert_int_equal(seen.size[1], 4000);
  assert_int_equal(seen.bitcode[1][3999], 'x');
  assert_int_equal(seen.kind[2], BIT_NONE);
  str_free(&section);
}

static bool ignore(void *user, const BitRecord *record, Err *err) {
  (void)user;
  if (record->kind == BIT_UNIT) {
    void *bytes = bit_bitcode(record, "x", err);
    mem_free(bytes);
    return bytes != NULL;
  }
  return true;
}

/* Every flipped byte and every length: an error or the same records, never a crash. */
static void test_damaged_records(void **state) {
  (void)state;
  Str section = {0};
  write_section(&section);
  for (size_t i = 0; i < section.len; i++) {
    Err err = {0};
    char *cut = mem_dup(section.data, i);
    bit_each(cut, i, "x", ignore, NULL, &err);
    err_free(&err);
    mem_free(cut);
    for (int bit = 0; bit < 8; bit += 7) {
      section.data[i] ^= (char)(1 << bit);
      bit_each(section.data, section.len, "x", ignore, NULL, &err);
      err_free(&err);
      section.data[i] ^= (char)(1 << bit);
    }
  }
  str_free(&section);
}

/* ---- ELF ------------------------------------------------------------------------- */

/* A minimal 64-bit (or 32-bit, big-endian) file with a null section and its names. */
static size_t tiny_elf(unsigned char *out) {
  Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
                       .e_type = ET_REL,
                       .e_version = 1,
                       .e_shoff = sizeof header + 16,
                       .e_ehsize = sizeof header,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = 2,
                       .e_shstrndx = 1};
  Elf64_Shdr sections[2] = {
      {0},
      {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = sizeof header, .sh_size = 11}};
  memcpy(out, &header, sizeof header);
  memcpy(out + sizeof header, "\0.shstrtab", 11);
  memcpy(out + sizeof header + 16, sections, sizeof sections);
  return sizeof header + 16 + sizeof sections;
}

static void test_append_section(void **state) {
  (void)state;
  unsigned char elf[1024] = {0};
  size_t size = tiny_elf(elf);
  int fd = proc_memory_file(elf, size);
  Err err = {0};
  assert_true(elf_append_section(fd, "x", ".heddle.bc", "one", 3, &err));
  assert_true(elf_append_section(fd, "x", ".heddle.bc", "three", 5, &err));
  const void *data;
  assert_true(proc_map_fd(fd, &data, &size));
  ElfFile file;
  assert_true(elf_open(data, size, &file));
  assert_int_equal(file.count, 4);
  ElfSection section;
  assert_true(elf_section(&file, 1, &section));
  assert_string_equal(section.name, ".shstrtab");
  assert_true(elf_section(&file, 2, &section));
  assert_string_equal(section.name, ".heddle.bc");
  assert_int_equal(section.size, 3);
  assert_memory_equal(section.data, "one", 3);
  assert_true(elf_section(&file, 3, &section));
  assert_string_equal(section.name, ".heddle.bc");
  assert_memory_equal(section.data, "three", 5);
  assert_false(elf_section(&file, 4, &section));
  proc_unmap(data, size);
  close(fd);

  fd = proc_memory_file("no ELF", 6);
  assert_false(elf_append_section(fd, "x", ".heddle.bc", "one", 3, &err));
  assert_int_equal(err.kind, ERR_INPUT);
  err_free(&err);
  close(fd);
}

static void nothing(void *user, int tag, const char *text) {
  (void)tag;
  *(size_t *)user += strlen(text);
}

static void read_any(const void *data, size_t size) {
  ElfFile file;
  if (!elf_open(data, size, &file)) return;
  size_t total = 0;
  for (uint32_t i = 0; i < file.count && i < 100; i++) {
    ElfSection section;
    if (elf_section(&file, i, &section)) {
      total += strlen(section.name);
      for (size_t k = 0; k < section.size; k++) total += section.data[k];
    }
  }
  elf_each_dynamic(&file, nothing, &total);
}

static void test_damaged_elf(void **state) {
  (void)state;
  unsigned char elf[1024] = {0};
  size_t size = tiny_elf(elf);
  for (size_t i = 0; i < size; i++) {
    unsigned char *cut = mem_dup(elf, i);
    read_any(cut, i);
    mem_free(cut);
    for (int value = 0; value < 256; value += 51) {
      unsigned char *copy = mem_dup(elf, size);
      copy[i] = (unsigned char)value;
      read_any(copy, size);
      int fd = proc_memory_file(copy, size);
      Err err = {0};
      elf_append_section(fd, "x", ".heddle.bc", "bytes", 5, &err);
      err_free(&err);
      close(fd);
      mem_free(copy);
    }
  }
}

/* ---- archives -------------------------------------------------------------------- */

static bool list_member(void *user, const char *member, const void *data, size_t size,
                        Err *err) {
  (void)err;
  str_addf(user, "%s=%.*s;", member, (int)size, (const char *)data);
  return true;
}

static const char archive[] =
    "!<arch>\n"
    "/               0           0     0     0       4         `\n"
    "symb"
    "//              0           0     0     0       22        `\n"
    "a-very-long-name.o/\n\n\n"
    "short.o/        0           0     0     644     3         `\n"
    "abc\n"
    "/0              0           0     0     644     2         `\n"
    "de"
    "#1/4            0           0     0     644     6         `\n"
    "bsd\0fg";

static void test_archive(void **state) {
  (void)state;
  Str text = {0};
  Err err = {0};
  assert_true(archive_each(archive, sizeof archive - 1, "x.a", list_member, &text, &err));
  assert_string_equal(str_text(&text), "short.o=abc;a-very-long-name.o=de;bsd=fg;");
  str_free(&text);
}

static void test_damaged_archive(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof archive; i++) {
    char *cut = mem_dup(archive, i);
    Str text = {0};
    Err err = {0};
    archive_each(cut, i, "x.a", list_member, &text, &err);
    err_free(&err);
    mem_free(cut);
    for (int value = '/'; value < 60; value += 3) {
      char *copy = mem_dup(archive, sizeof archive - 1);
      if (i < sizeof archive - 1) copy[i] = (char)value;
      archive_each(copy, sizeof archive - 1, "x.a", list_member, &text, &err);
      err_free(&err);
      mem_free(copy);
    }
    str_free(&text);
  }
}

/* ---- compilation databases ------------------------------------------------------- */

static void test_compdb(void **state) {
  (void)state;
  static const char text[] =
      "[{\"directory\": \"/d\", \"file\": \"a.c\", \"arguments\": [\"/usr/bin/cc\", \"-c\", "
      "\"a.c\"]},\n"
      " {\"directory\": \"sub\", \"file\": \"b.cc\", \"output\": \"b.o\", "
      "\"command\": \"ccache g++ -DX='a b' -c b.cc\"},\n"
      " {\"file\": \"c.c\", \"command\": \"/opt/heddle cc -c c.c\"}]\n"
      "{\"directory\": \"/d\", \"file\": \"l.c\", \"arguments\": [\"clang-19\", \"l.c\"]}\n"
      "{\"directory\": \"/d\", \"file\": \"m.c\", \"arguments\": [\"clang-19\", \"m.c\"]}\n";
  Compdb compdb;
  Err err = {0};
  assert_true(
      compdb_read("build/compile_commands.json", text, strlen(text), &compdb, &err));
  assert_int_equal(compdb.entries.len, 5);
  const CompdbEntry *e = compdb.entries.data;
  assert_string_equal(e[0].directory, "/d");
  assert_int_equal(e[0].words.len, 2);
  assert_false(e[0].cxx);
  assert_string_equal(e[1].directory, "build/sub");
  assert_true(e[1].cxx);
  assert_string_equal(e[1].words.data[0], "-DX=a b");
  assert_string_equal(e[2].directory, "build");
  assert_string_equal(e[2].words.data[0], "-c");
  assert_string_equal(e[4].file, "m.c");
  compdb_free(&compdb);
}

static void test_bad_compdb(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int line;
  } cases[] = {
      {"", "no entries", 0},
      {"[]", "no entries", 0},
      {"17", "no compilation database", 0},
      {"[\n{\"file\" 3}]", "no valid JSON", 2},
      {"[1]", "entry 1 is no object", 0},
      {"[{}]", "entry 1 has no string \"file\"", 0},
      {"[{\"file\": \"a.c\"}]", "neither a list", 0},
      {"[{\"file\": \"a.c\", \"command\": \" \"}]", "empty command", 0},
      {"[{\"file\": \"a.c\", \"command\": \"ccache\"}]", "without a compiler", 0},
      {"[{\"file\": \"a.c\", \"arguments\": [3]}]", "no string", 0},
      {"[{\"file\": \"a.c\", \"directory\": 1, \"command\": \"cc a.c\"}]", "no string",
       0},
      {"{\"file\": \"a.c\", \"command\": \"cc a.c\"}\n\nrubbish", "no valid JSON", 3},
      {"[{\"file\": \"\xff.c\"}]", "no valid JSON", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Compdb compdb;
    Err err = {0};
    size_t length = strlen(cases[i].text);
    assert_false(compdb_read("x.json", cases[i].text, length, &compdb, &err));
    assert_non_null(strstr(err.message, cases[i].message));
    assert_int_equal(err.line, cases[i].line);
    assert_int_equal(err_exit_code(&err), 3);
    err_free(&err);
    compdb_free(&compdb);
  }
}

/* ---- what clang says ------------------------------------------------------------- */

static void test_first_error(void **state) {
  (void)state;
  static const struct {
    const char *said, *file, *message;
    int line, column;
  } cases[] = {
      {"a.c:3:7: warning: no error: here\nb:c.h:12:5: error: bad thing\nx.c:1:1: error: y\n",
       "/d/b:c.h", "bad thing", 12, 5},
      {"/x.c:4:2: fatal error: 'no.h' file not found\n", "/x.c", "'no.h' file not found",
       4, 2},
      {"clang-19: error: unknown argument: '-foo'\n", "s.c", "unknown argument: '-foo'",
       0, 0},
      {"error: unable to open output file\n", "s.c", "unable to open output file", 0, 0},
      {"", "s.c", "clang failed without saying why", 0, 0},
      {"<stdin>:1:1: error: z", "<stdin>", "z", 1, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Err err = {0};
    clang_first_error(cases[i].said, "s.c", "/d", &err);
    assert_string_equal(err.file, cases[i].file);
    assert_string_equal(err.message, cases[i].message);
    assert_int_equal(err.line, cases[i].line);
    assert_int_equal(err.column, cases[i].column);
    assert_non_null(err.remedy);
    err_free(&err);
  }
}

/* ---- inputs, with programs that only pretend to be clang
 * ------------------------------- */

static const struct {
  const char *name, *script;
} pretenders[] = {
    {"hangs", "#!/bin/sh\nexec sleep 100\n"},
    {"dies", "#!/bin/sh\nkill -SEGV $$\n"},
    {"crashes", "#!/bin/sh\necho 'PLEASE submit a bug report' >&2\nexit 139\n"},
    {"silent", "#!/bin/sh\nexit 0\n"},
    {"mute", "#!/bin/sh\nexit 1\n"},
    {"refuses", "#!/bin/sh\necho \"$0: error: unknown argument: '-fodd'\" >&2\nexit 1\n"},
    {"works", "#!/bin/sh\nprintf 'BC\\300\\336 some bitcode'\n"},
};

typedef struct {
  char dir[32];
  char *source;
} Folder;

static int make_folder(void **state) {
  static Folder folder;
  strcpy(folder.dir, "/tmp/heddle-test-XXXXXX");
  assert_non_null(mkdtemp(folder.dir));
  for (size_t i = 0; i < sizeof pretenders / sizeof *pretenders; i++) {
    char *path = str_printf("%s/%s", folder.dir, pretenders[i].name);
    write_file(path, pretenders[i].script);
    chmod(path, 0755);
    mem_free(path);
  }
  folder.source = str_printf("%s/x.c", folder.dir);
  write_file(folder.source, "int x;\n");
  *state = &folder;
  return 0;
}

static int remove_folder(void **state) {
  Folder *folder = *state;
  for (size_t i = 0; i < sizeof pretenders / sizeof *pretenders; i++) {
    char *path = str_printf("%s/%s", folder->dir, pretenders[i].name);
    unlink(path);
    mem_free(path);
  }
  unlink(folder->source);
  mem_free(folder->source);
  rmdir(folder->dir);
  unsetenv("HEDDLE_CLANG");
  return 0;
}

static void expect_input(const Folder *folder, const char *name, ErrKind kind,
                         const char *message) {
  char *path = str_printf("%s/%s", folder->dir, name);
  setenv("HEDDLE_CLANG", path, 1);
  mem_free(path);
  InputsRequest request = {.paths = (const char *const[]){folder->source},
                           .path_count = 1,
                           .flags = (const char *const[]){"-fodd"},
                           .flag_count = 1,
                           .timeout = 0.3};
  if (kind == ERR_NONE) request.timeout = 20;
  Inputs inputs;
  Err err = {0};
  assert_int_equal(inputs_prepare(&request, &inputs, &err), kind == ERR_NONE);
  assert_int_equal(err.kind, kind);
  if (kind != ERR_NONE) {
    assert_non_null(strstr(err.message, message));
  } else {
    assert_int_equal(inputs.units.len, 1);
    assert_string_equal(inputs.units.data[0].name, folder->source);
    assert_string_equal((char *)inputs.units.data[0].bytes + 5, message);
  }
  err_free(&err);
  inputs_free(&inputs);
}

static void test_pretenders(void **state) {
  expect_input(*state, "hangs", ERR_LIMIT, "did not finish");
  expect_input(*state, "missing", ERR_INPUT, "HEDDLE_CLANG: there is no program");
  expect_input(*state, "works", ERR_NONE, "some bitcode");
}

/* The time limit of expect_input must not hit these on a busy machine. */
static void test_broken_compilers(void **state) {
  const Folder *folder = *state;
  static const struct {
    const char *name, *message;
    ErrKind kind;
  } cases[] = {{"dies", "crashed", ERR_INTERNAL},
               {"crashes", "crashed", ERR_INTERNAL},
               {"silent", "no bitcode", ERR_INTERNAL},
               {"mute", "without saying why", ERR_INPUT},
               {"refuses", "unknown argument", ERR_INPUT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *path = str_printf("%s/%s", folder->dir, cases[i].name);
    setenv("HEDDLE_CLANG", path, 1);
    mem_free(path);
    Inputs inputs;
    Err err = {0};
    assert_false(inputs_prepare(
        &(InputsRequest){.paths = (const char *const[]){folder->source}, .path_count = 1},
        &inputs, &err));
    assert_int_equal(err.kind, cases[i].kind);
    assert_non_null(strstr(err.message, cases[i].message));
    assert_non_null(strstr(err.file, "x.c"));
    err_free(&err);
    inputs_free(&inputs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_split),
      cmocka_unit_test(test_modes),
      cmocka_unit_test(test_languages),
      cmocka_unit_test(test_words_for_model),
      cmocka_unit_test(test_words_after_dashes),
      cmocka_unit_test(test_words_without_lto),
      cmocka_unit_test(test_object_names),
      cmocka_unit_test(test_response_files),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_damaged_records),
      cmocka_unit_test(test_append_section),
      cmocka_unit_test(test_damaged_elf),
      cmocka_unit_test(test_archive),
      cmocka_unit_test(test_damaged_archive),
      cmocka_unit_test(test_compdb),
      cmocka_unit_test(test_bad_compdb),
      cmocka_unit_test(test_first_error),
      cmocka_unit_test_setup_teardown(test_pretenders, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_broken_compilers, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
