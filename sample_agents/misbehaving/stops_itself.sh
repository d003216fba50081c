# Stops itself with SIGSTOP.
kill -STOP $$
echo 1 0
