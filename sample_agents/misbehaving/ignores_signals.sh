# Cannot be asked to leave: ignores SIGTERM, SIGINT and SIGHUP.
trap '' TERM INT HUP
while :; do
    sleep 1
done
