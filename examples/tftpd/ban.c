/* The table of refused clients, by address, in no order. Every request reads it and few
 * write it: so a read-write lock guards it, and threads that only look do not wait for
 * each other.
 *
 * An entry is a window of time in which refusals are counted. When it is over the entry
 * is free; when the count reaches the limit the window starts anew, now as a ban. A full
 * table forgets the entry whose window ends first. */
#include "ban.h"

#include <pthread.h>
#include <string.h>

enum { ENTRIES = 128 };

typedef struct {
  uint32_t client; /* as in the address, in network order */
  unsigned refusals;
  uint64_t ends_ms; /* of the window; 0: a free entry */
  bool banned;
} Entry;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static Entry table[ENTRIES];      /* guarded by lock */
static unsigned refusals_allowed; /* fixed before there are threads */
static uint64_t window_ms;        /* fixed before there are threads */

void ban_start(unsigned limit, unsigned seconds) {
  refusals_allowed = limit;
  window_ms = (uint64_t)seconds * 1000;
}

/* The entry of the client, or NULL. The caller holds the lock, at least for reading. */
static Entry *find(const Address *client, uint64_t now) {
  for (int i = 0; i < ENTRIES; i++)
    if (table[i].client == client->sin_addr.s_addr && table[i].ends_ms > now)
      return &table[i];
  return NULL;
}

bool ban_includes(const Address *client) {
  if (refusals_allowed == 0) return false;
  uint64_t now = net_now_ms();
  pthread_rwlock_rdlock(&lock);
  const Entry *entry = find(client, now);
  bool result = entry && entry->banned;
  pthread_rwlock_unlock(&lock);
  return result;
}

/* The entry that is free, or the one that will be first. The caller holds the lock for
 * writing. */
static Entry *replaceable(void) {
  Entry *oldest = &table[0];
  for (int i = 1; i < ENTRIES; i++)
    if (table[i].ends_ms < oldest->ends_ms) oldest = &table[i];
  return oldest;
}

bool ban_note_refusal(const Address *client) {
  if (refusals_allowed == 0) return false;
  uint64_t now = net_now_ms();
  pthread_rwlock_wrlock(&lock);
  Entry *entry = find(client, now);
  if (!entry) {
    entry = replaceable();
    memset(entry, 0, sizeof *entry);
    entry->client = client->sin_addr.s_addr;
    entry->ends_ms = now + window_ms;
  }
  entry->refusals++;
  bool newly = !entry->banned && entry->refusals >= refusals_allowed;
  if (newly) {
    entry->banned = true;
    entry->ends_ms = now + window_ms;
  }
  pthread_rwlock_unlock(&lock);
  return newly;
}

void ban_clear(void) {
  pthread_rwlock_wrlock(&lock);
  memset(table, 0, sizeof table);
  pthread_rwlock_unlock(&lock);
}

unsigned ban_count(void) {
  unsigned count = 0;
  uint64_t now = net_now_ms();
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < ENTRIES; i++) count += table[i].banned && table[i].ends_ms > now;
  pthread_rwlock_unlock(&lock);
  return count;
}
