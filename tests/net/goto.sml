# expect: safe
# The example of the interface, with a lock that is held on both ways out.
shared counter, buffer;  lock L;  cond full, empty;
thread main { create worker; create worker; }
thread worker* {
  acquire L;
  while (*) { wait full, L; read buffer; signal empty; }
  if (*) { write counter; } else { goto out; }
out: release L;
}
