# Closes its standard input unread, makes a legal move and exits.
exec 0<&-
echo 1 0
