# Answers with format strings and shell syntax.
use strict;
use warnings;

$| = 1;
while (defined(my $line = <STDIN>)) {
    my ($players) = $line =~ /^(\d+)/;
    scalar <STDIN> for 1 .. 6 + 4 * $players;
    print '%d %s %n {} {0.__class__} $(id) \n', "\n";
}
