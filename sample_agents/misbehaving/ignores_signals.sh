# Ignores SIGTERM, SIGINT and SIGHUP.
trap '' TERM INT HUP
while :; do
    sleep 1
done
