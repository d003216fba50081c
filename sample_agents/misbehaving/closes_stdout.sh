# Closes its standard output and keeps running.
exec 1>&-
exec sleep 3600
