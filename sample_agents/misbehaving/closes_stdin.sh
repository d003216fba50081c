# Closes its standard input unread, makes a good move and ends.
exec 0<&-
echo 1 0
