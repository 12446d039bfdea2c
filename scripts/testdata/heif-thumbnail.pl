# heif-thumbnail.pl PICTURE THUMBNAIL OUT [broken|exif|collection]: a HEIC or AVIF of the first one's picture with the second one's as its
# embedded thumbnail; broken: whose coded bytes are all zero; exif: the second one is an EXIF block, which describes the picture;
# collection: the second one is a picture of its own.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($picture, $thumbnail, $out, $how) = @ARGV;
$how //= '';
my $is_exif = $how eq 'exif';
my @parts = (coded($picture), $is_exif ? { data => "\0" x 4 . slurp($thumbnail), type => 'Exif' } : coded($thumbnail));
$parts[1]{data} = "\0" x length $parts[1]{data} if $how eq 'broken';
my $brand = $parts[0]{type} eq 'av01' ? 'avif' : 'heic';

sub full { my ($type, $version, $payload) = @_; return box($type, pack('C x3', $version) . $payload) }
sub infe { return full('infe', 2, pack('n n a4', $_[0], 0, $parts[$_[0] - 1]{type}) . "\0") }
# Two properties each: the decoder's configuration, which is essential, and the size. EXIF has none.
sub associations {
  my $first = pack 'n C C2', 1, 2, 0x81, 2;
  return $is_exif ? pack('N', 1) . $first : pack('N', 2) . $first . pack 'n C C2', 2, 2, 0x83, 4;
}
# The boxes around the data, once with any place for it and once with the right one.
sub boxes {
  my ($at) = @_;
  my @places = ($at, $at + length $parts[0]{data});
  my $locations = join '', map { pack 'n n n N N', $_ + 1, 0, 1, $places[$_], length $parts[$_]{data} } 0, 1;
  return box('ftyp', $brand . "\0" x 4 . "mif1$brand") . full('meta', 0,
    full('hdlr', 0, "\0" x 4 . 'pict' . "\0" x 13) . full('pitm', 0, pack 'n', 1)
    . full('iloc', 0, pack('C2 n', 0x44, 0, 2) . $locations) . full('iinf', 0, pack('n', 2) . infe(1) . infe(2))
    . ($how eq 'collection' ? '' : full('iref', 0, box($is_exif ? 'cdsc' : 'thmb', pack 'n3', 2, 1, 1)))
    . box('iprp', box('ipco', join '', map { ($_->{config} // '') . ($_->{ispe} // '') } @parts) . full('ipma', 0, associations())));
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
  my ($config) = grep { $ipco{$_} } qw(hvcC av1C);
  return {
    type => $config eq 'av1C' ? 'av01' : 'hvc1',
    data => substr($file, $top{mdat}[1] + 8, $top{mdat}[2] - 8),
    config => substr($file, $ipco{$config}[1], $ipco{$config}[2]),
    ispe => substr($file, $ipco{ispe}[1], $ipco{ispe}[2]),
  };
}
