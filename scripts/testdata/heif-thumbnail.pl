# heif-thumbnail.pl PICTURE.heic THUMBNAIL.heic OUT [broken]: a HEIC of the first one's picture with the second one's as its
# embedded thumbnail; broken: whose coded bytes are all zero.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($picture, $thumbnail, $out, $broken) = @ARGV;
my @parts = map { coded($_) } $picture, $thumbnail;
$parts[1]{data} = "\0" x length $parts[1]{data} if $broken;

sub full { my ($type, $version, $payload) = @_; return box($type, pack('C x3', $version) . $payload) }
sub infe { return full('infe', 2, pack('n n a4', $_[0], 0, 'hvc1') . "\0") }
# The boxes around the data, once with any place for it and once with the right one.
sub boxes {
  my ($at) = @_;
  my @places = ($at, $at + length $parts[0]{data});
  my $locations = join '', map { pack 'n n n N N', $_ + 1, 0, 1, $places[$_], length $parts[$_]{data} } 0, 1;
  return box('ftyp', 'heic' . "\0" x 4 . 'mif1heic') . full('meta', 0,
    full('hdlr', 0, "\0" x 4 . 'pict' . "\0" x 13) . full('pitm', 0, pack 'n', 1)
    . full('iloc', 0, pack('C2 n', 0x44, 0, 2) . $locations) . full('iinf', 0, pack('n', 2) . infe(1) . infe(2))
    . full('iref', 0, box('thmb', pack 'n3', 2, 1, 1))
    . box('iprp', box('ipco', join '', map { $_->{hvcC} . $_->{ispe} } @parts)
      . full('ipma', 0, pack 'N n C C2 n C C2', 2, 1, 2, 0x81, 2, 2, 2, 0x83, 4)));
}
my $header = boxes(0);
spew($out, boxes(8 + length $header) . box('mdat', join '', map { $_->{data} } @parts));

# The decoder's configuration, the size and the coded bytes of the only picture of a file that libheif wrote.
sub coded {
  my $file = slurp($_[0]);
  my %top = map { $_->[0] => $_ } find_boxes($file, 0, length $file);
  my %meta = map { $_->[0] => $_ } find_boxes($file, $top{meta}[1] + 12, $top{meta}[1] + $top{meta}[2]);
  my %iprp = map { $_->[0] => $_ } find_boxes($file, $meta{iprp}[1] + 8, $meta{iprp}[1] + $meta{iprp}[2]);
  my %ipco = map { $_->[0] => $_ } find_boxes($file, $iprp{ipco}[1] + 8, $iprp{ipco}[1] + $iprp{ipco}[2]);
  return {
    data => substr($file, $top{mdat}[1] + 8, $top{mdat}[2] - 8),
    map { $_ => substr($file, $ipco{$_}[1], $ipco{$_}[2]) } qw(hvcC ispe),
  };
}
