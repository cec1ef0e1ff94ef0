# expect: safe
# Any number of readers and nobody who writes; a second variable belongs to one thread.
shared table, log;
thread reader* { while (*) { read table; } }
thread main { write log; read log; create reader; write log; }
