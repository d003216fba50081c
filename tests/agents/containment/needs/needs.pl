# Uses what an agent may use: processes, temporary files, its own data, a large file, and notes from one move to the next.
use strict;
use warnings;
use File::Basename;
use File::Temp;

$| = 1;

sub tell_of { print STDERR "kibitz tried: $_[0] ", $_[1] ? $_[1] : 'wrong', "\n" }

sub slurp {
    open my $file, '<', shift or return '';
    local $/;
    return <$file> // '';
}

sub use_it {
    my $total = 0;
    for my $child (1 .. 4) {
        open my $sum, '-|', $^X, '-e', 'my $s = 0; $s += $_ for 0 .. 999; print $s' or next;
        $total += <$sum> // 0;
        close $sum;
    }
    tell_of('threads', $total == 1998000 && 'ok');
    my $temporary = File::Temp->new;
    print $temporary 'x';
    close $temporary;
    tell_of('temporary', slurp($temporary->filename) eq 'x' && 'ok');
    my $beside = slurp(dirname(__FILE__) . '/data.txt');
    tell_of('data', slurp('data.txt') eq $beside && $beside eq "precomputed\n" && 'ok');
    open my $large, '<', 'large.bin';
    seek $large, 3 << 30, 0;
    tell_of('large', (getc $large // '') eq 'x' && 'ok');
    my $count = (slurp('state') || 0) + 1;
    open my $state, '>', 'state';
    print $state $count;
    close $state;
    tell_of('state', $count);
}

scalar <STDIN>;
while (defined(my $line = <STDIN>)) {
    use_it();
    print "1\n";
}
