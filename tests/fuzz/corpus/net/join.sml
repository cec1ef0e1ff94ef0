0# expect: safe
# main reads what the worker wrote after it has joined it.
shared result;
thread main { create worker; join worker; read result; write result; }
thread worker { write result; }
