# Writes one byte every 200 milliseconds and never ends the line.
use strict;
use warnings;

$| = 1;
while (1) {
    print "1";
    select undef, undef, undef, 0.2;
}
