# Makes a legal move, but only after LATE_MS milliseconds (environment variable, default 1000).
use strict;
use warnings;

$| = 1;
while (defined(my $line = <STDIN>)) {
    my ($players) = $line =~ /^(\d+)/;
    scalar <STDIN> for 1 .. 6 + 4 * $players;
    select undef, undef, undef, ($ENV{LATE_MS} // 1000) / 1000;
    print "1 0\n";
}
