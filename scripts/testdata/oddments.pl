# oddments.pl ico|psd|amr|amr-wb|midi|7z IN OUT: formats that no tool at hand writes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($kind, $in, $out) = @ARGV;
my %kinds = (
  ico => sub {
    my $png = slurp($in);
    my ($width, $height) = unpack 'N2', substr($png, 16, 8);
    return pack('v3 C4 v2 V2', 0, 1, 1, $width, $height, 0, 0, 1, 32, length $png, 22) . $png;
  },
  psd => sub {
    my ($width, $height) = (48, 32);
    return '8BPS' . pack('n x6 n N N n n N3 n', 1, 3, $height, $width, 8, 3, 0, 0, 0, 0) . join '', map { chr($_) x ($width * $height) } 200, 120, 40;
  },
  # 4.75 kbit/s (mode 0): a header byte with the good-frame bit and 12 bytes of parameters, 50 times 20 ms. RFC 4867, 5.
  amr => sub {
    return "#!AMR\n" . join '', map { my $n = $_; "\x04" . pack 'C12', map { ($n * 29 + $_ * 53) % 256 } 1 .. 12 } 1 .. 50;
  },
  # 6.60 kbit/s (mode 0): the same with 17 bytes.
  'amr-wb' => sub {
    return "#!AMR-WB\n" . join '', map { my $n = $_; "\x04" . pack 'C17', map { ($n * 29 + $_ * 53) % 256 } 1 .. 17 } 1 .. 50;
  },
  # One track: a C major scale in quarters at 120 a minute.
  midi => sub {
    my $track = "\0\xFF\x51\x03\x07\xA1\x20" . join('', map { "\0\x90" . chr($_) . "\x60\x60\x80" . chr($_) . "\0" } 60, 62, 64, 65, 67, 69, 71, 72)
      . "\0\xFF\x2F\0";
    return 'MThd' . pack('N n3', 6, 0, 1, 96) . 'MTrk' . pack('N', length $track) . $track;
  },
  # The signature header of an archive without a body.
  '7z' => sub {
    my $start = "\0" x 20;
    return "7z\xBC\xAF\x27\x1C\0\x04" . pack('V', Compress::Zlib::crc32($start)) . $start;
  },
);
spew($out, $kinds{$kind}->());
