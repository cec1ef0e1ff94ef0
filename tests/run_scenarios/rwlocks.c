/* Read-write locks. */
#include "scenario.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
SHARED int x, y;

#define READ()   pthread_rwlock_rdlock(&l)
#define WRITE()  pthread_rwlock_wrlock(&l)
#define UNLOCK() pthread_rwlock_unlock(&l)

THREAD(reader) {
  READ();
  volatile int seen = x;
  (void)seen;
  UNLOCK();
  return NULL;
}
THREAD(writer) {
  later();
  WRITE();
  x++;
  UNLOCK();
  return NULL;
}
SCENARIO(rw_reader_and_writer, CLEAN) {
  both(reader, writer);
}
SCENARIO(rw_two_writers, CLEAN) {
  both(writer, writer);
}
SCENARIO(rw_two_readers, CLEAN) {
  both(reader, reader);
}

THREAD(writes_as_reader) {
  READ();
  x++;
  UNLOCK();
  return NULL;
}
THREAD(late_writes_as_reader) {
  later();
  return writes_as_reader(NULL);
}
SCENARIO(rw_write_under_read_lock, RACE) {
  both(writes_as_reader, late_writes_as_reader);
}
SCENARIO(rw_read_lock_against_write_lock, CLEAN) {
  both(writes_as_reader, writer);
}

THREAD(write_section_then_x) {
  later();
  WRITE();
  y++;
  UNLOCK();
  x++;
  return NULL;
}
THREAD(x_then_write_section) {
  x++;
  WRITE();
  y++;
  UNLOCK();
  return NULL;
}
SCENARIO(rw_hidden_by_write_lock, RACE) {
  both(x_then_write_section, write_section_then_x);
}

THREAD(x_then_read_section) {
  x++;
  READ();
  UNLOCK();
  return NULL;
}
SCENARIO(rw_hidden_by_read_lock, RACE) {
  both(x_then_read_section, write_section_then_x);
}

THREAD(try_writer) {
  later();
  if (pthread_rwlock_trywrlock(&l) == 0) {
    x++;
    UNLOCK();
  }
  return NULL;
}
SCENARIO(rw_try_writer, CLEAN) {
  both(reader, try_writer);
}
THREAD(upgrade) {
  READ();
  int seen = x;
  UNLOCK();
  WRITE();
  x = seen + 1;
  UNLOCK();
  return NULL;
}
SCENARIO(rw_upgrade, CLEAN) {
  both(upgrade, upgrade);
}
THREAD(bare_reader) {
  later();
  volatile int seen = x;
  (void)seen;
  return NULL;
}
SCENARIO(rw_reader_without_lock, RACE) {
  both(writer, bare_reader);
}
