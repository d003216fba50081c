# Sleeps through its turn.
exec sleep 3600
