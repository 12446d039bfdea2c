# heif-turn.pl IN OUT QUARTERS: adds an irot property of so many quarter turns anticlockwise to the primary item of a HEIF file.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($in, $out, $quarters) = @ARGV;
my $file = slurp($in);
my ($meta) = grep { $_->[0] eq 'meta' } find_boxes($file, 0, length $file);
my @inside = find_boxes($file, $meta->[1] + 12, $meta->[1] + $meta->[2]);
my %at = map { $_->[0] => $_ } @inside;
my $primary = unpack 'n', substr($file, $at{pitm}[1] + 12, 2);
my %property = map { $_->[0] => $_ } find_boxes($file, $at{iprp}[1] + 8, $at{iprp}[1] + $at{iprp}[2]);
my ($ipco, $ipma) = @property{qw(ipco ipma)};
my $index = 1 + scalar find_boxes($file, $ipco->[1] + 8, $ipco->[1] + $ipco->[2]);

# The new property and its association with the primary item, each in its box with the lengths of all boxes around it.
my $irot = box('irot', pack('C', $quarters));
my $association = substr($file, $ipma->[1], $ipma->[2]);
my ($flags, $count) = unpack 'N N', substr($association, 8, 8);
die "an unusual ipma\n" if $flags;
my $position = 16;
for (1 .. $count) {
  my ($item, $properties) = unpack 'n C', substr($association, $position, 3);
  if ($item == $primary) {
    substr($association, $position + 2, 1) = pack 'C', $properties + 1;
    substr($association, $position + 3 + $properties, 0) = pack 'C', 0x80 | $index;
    last;
  }
  $position += 3 + $properties;
}
substr($association, 0, 4) = pack 'N', length $association;
my $grown = length($irot) + length($association) - $ipma->[2];
my $iloc = locations($file, $at{iloc}, $grown);

substr($file, $ipma->[1], $ipma->[2]) = $association;
substr($file, $ipco->[1] + $ipco->[2], 0) = $irot;
substr($file, $ipco->[1], 4) = pack 'N', $ipco->[2] + length $irot;
substr($file, $_->[1], 4) = pack 'N', $_->[2] + $grown for $at{iprp}, $meta;
die "iloc has to stand before iprp\n" if $at{iloc}[1] > $at{iprp}[1];
substr($file, $at{iloc}[1], $at{iloc}[2]) = $iloc;
spew($out, $file);

# The iloc box with every offset moved on; only the plain form that libheif writes is known.
sub locations {
  my ($file, $box, $grown) = @_;
  my $iloc = substr($file, $box->[1], $box->[2]);
  my ($version, $sizes, $sizes2, $items) = unpack 'C x3 C C n', substr($iloc, 8, 8);
  my ($offset_size, $length_size, $base_size) = ($sizes >> 4, $sizes & 15, $sizes2 >> 4);
  die "an unusual iloc\n" if $version > 1 || $offset_size != 4 || $length_size != 4;
  my $at = 16;
  for (1 .. $items) {
    $at += 2;
    my $method = 0;
    if ($version == 1) { $method = unpack('n', substr($iloc, $at, 2)) & 15; $at += 2 }
    $at += 2;
    my $base = $base_size ? unpack('N', substr($iloc, $at, 4)) : 0;
    substr($iloc, $at, 4) = pack 'N', $base + $grown if $base && !$method;
    $at += $base_size;
    my $extents = unpack 'n', substr($iloc, $at, 2);
    $at += 2;
    for (1 .. $extents) {
      my $offset = unpack 'N', substr($iloc, $at, 4);
      substr($iloc, $at, 4) = pack 'N', $offset + $grown if !$base && !$method;
      $at += 8;
    }
  }
  return $iloc;
}
