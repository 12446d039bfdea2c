# hostile-exif.pl KIND IN.jpg OUT.jpg: puts an EXIF block into a JPEG that means harm in one way.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($kind, $in, $out) = @ARGV;
my ($make, $model, $taken) = (0x10F, 0x110, 0x9003);
# An entry that states an offset for its value.
sub far { my ($tag, $type, $count, $offset) = @_; return [$tag, $type, $count, pack 'V', $offset] }
sub date { return sub_ifds(0x8769, [ascii($taken, $_[0]), ascii(0x9004, $_[1] // $_[0])]) }
sub place {
  my ($latitude, $longitude, $altitude) = @_;
  return sub_ifds(0x8825, [ascii(1, 'N'), rational(2, @$latitude), ascii(3, 'E'), rational(4, @$longitude),
    bytes(5, 0), rational(6, @$altitude)]);
}

my %kinds = (
  loop => sub { tiff([[ascii($make, 'Loop')], [ascii($model, 'x')]], { last => 8 }) },
  # Both pointers name the first directory again.
  self => sub { tiff([[ascii($make, 'Self'), far(0x8769, 4, 1, 8), far(0x8825, 4, 1, 8)]]) },
  count => sub {
    tiff([[far($make, 2, 0xFFFFFFFF, 8), ascii($model, 'Counted'), sub_ifds(0x8769, [far($taken, 2, 0xFFFFFFF0, 8), far(0x927C, 7, 0x7FFFFFFF, 8)])]]);
  },
  offset => sub { tiff([[far($make, 2, 20, 0xFFFFFFF0), far($model, 2, 20, 0x7FFFFFFF), far(0x8769, 4, 1, 0xFFFFFFFF), far(0x8825, 4, 1, 60000)]]) },
  nul => sub { tiff([[[$make, 2, 13, "Before\0After\0"], [$model, 2, 6, "     \0"]]]) },
  utf8 => sub { tiff([[[$make, 2, 8, "K\xE9str\xFFl\0"], [$model, 2, 6, "\xC0\xAF\xED\xA0\x80\0"]]]) },
  'zero-date' => sub { tiff([[ascii(0x132, '    :  :     :  :  '), date('0000:00:00 00:00:00', '2023:02:30 12:00:00')]]) },
  'zero-place' => sub { tiff([[place([0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 1], [0, 1])]]) },
  'far-place' => sub { tiff([[place([200, 1, 0, 1, 0, 1], [10, 0, 0, 1, 0, 1], [5, 0])]]) },
  orientation => sub { tiff([[short(0x112, 9)]]) },
  thumbnail => sub { tiff([[short(0x112, 1)], [short(0x103, 6), far(0x201, 4, 1, 0x00FFFFFF), long(0x202, 5000)]]) },
);
spew($out, jpeg_insert(slurp($in), [0xE1, "Exif\0\0" . $kinds{$kind}->()]));
