/* See fingerprint.h. */
#include "report/fingerprint.h"

#include "verdict/key.h"

#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash_text(const char *text, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* Without what an editor changes at both ends. */
static uint64_t hash_line(Lines *sources, const SourcePlace *place) {
  size_t length;
  const char *text = place_is_known(place)
                         ? lines_get(sources, place->file, place->line, &length)
                         : NULL;
  if (!text) return 0;
  while (length && strchr(" \t", *text)) text++, length--;
  while (length && strchr(" \t\r", text[length - 1])) length--;
  return hash_text(text, length);
}

void fingerprint_add(Fingerprints *all, const Finding *f, Str *out) {
  Str key = {0}, text = {0};
  finding_add_key(f, false, &key);
  uint64_t hash = hash_text(str_text(&key), key.len);
  /* in whichever order the accesses are listed */
  for (uint32_t i = 0; i < f->access_count; i++)
    hash += hash_line(all->sources, &f->accesses[i].place);
  str_addf(&text, "%s:%016llx", property_text(f->property), (unsigned long long)hash);
  uint64_t count = ++*strmap_at(&all->given, text.data, text.len);
  str_addf(out, "%s:%llu", str_text(&text), (unsigned long long)count);
  str_free(&key);
  str_free(&text);
}
