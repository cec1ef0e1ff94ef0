/* The core functions of an SQL library. Faulty: a statement is finalised while another thread
 * may still step through it. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int open;
} sqlite3;
typedef struct {
  sqlite3 *db;
  int row, bound;
} sqlite3_stmt;

int sqlite3_open(const char *name, sqlite3 **ret) {
  *ret = calloc(1, sizeof **ret);
  (*ret)->open = name != NULL;
  return 0;
}
int sqlite3_prepare(sqlite3 *db, const char *text, int length, sqlite3_stmt **ret) {
  *ret = calloc(1, sizeof **ret);
  (*ret)->db = db;
  (*ret)->row = text[0] + length;
  return 0;
}
void sqlite3_bind(sqlite3_stmt *s, int value) {
  s->bound = value;
}
int sqlite3_step(sqlite3_stmt *s) {
  return s->row++;
}
int sqlite3_column(sqlite3_stmt *s) {
  return s->row;
}
void sqlite3_reset(sqlite3_stmt *s) {
  s->row = 0;
}
/* The memory stays, so that the faulty order is no crash. */
void sqlite3_finalize(sqlite3_stmt *s) {
  s->db = NULL;
}
void sqlite3_close(sqlite3 *db) {
  db->open = 0;
}

static void *reader(void *argument) {
  sqlite3_stmt *s = argument;
  for (int i = 0; i < 2; i++) {
    sqlite3_step(s);
    sqlite3_column(s);
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  sqlite3 *db;
  sqlite3_stmt *statement;
  sqlite3_open("orders.db", &db);
  sqlite3_prepare(db, "SELECT", 6, &statement);
  sqlite3_bind(statement, 3);
  pthread_create(&t, NULL, reader, statement);
#ifdef RIGHT
  pthread_join(t, NULL);
  sqlite3_reset(statement);
  sqlite3_finalize(statement);
#else
  usleep(20000);
  sqlite3_finalize(statement);
  pthread_join(t, NULL);
#endif
  sqlite3_close(db);
  return 0;
}
