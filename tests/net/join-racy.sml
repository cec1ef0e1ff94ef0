# expect: unsafe threads 3
# Two workers, one join: the other may still write.
shared result;
thread main { create worker; create worker; join worker; read result; }
thread worker { write result; }
