# Makes legal moves, and each time leaves a child behind in its own session (setsid), with standard output open.
use strict;
use warnings;
use POSIX ();

$| = 1;
while (defined(my $line = <STDIN>)) {
    my ($players) = $line =~ /^(\d+)/;
    scalar <STDIN> for 1 .. 6 + 4 * $players;
    if (!fork) {
        POSIX::setsid();
        sleep 3600;
        exit;
    }
    print "1 0\n";
}
