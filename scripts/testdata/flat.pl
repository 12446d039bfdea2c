# flat.pl OUT.png WIDTH HEIGHT [1]: a PNG of one grey value, with 8 bits a pixel or with 1.
# Compressed row by row: the large ones would need hundreds of megabytes at once.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($out, $width, $height, $depth) = (@ARGV, 8);
my $row = "\0" . ($depth == 1 ? "\xFF" x int(($width + 7) / 8) : "\x80" x $width);
my ($deflate) = Compress::Zlib::deflateInit(-Level => 9);
my $data = '';
for (1 .. $height) {
  my ($part) = $deflate->deflate($row);
  $data .= $part;
}
my ($end) = $deflate->flush;
spew($out, "\x89PNG\r\n\x1a\n" . png_chunk('IHDR', pack 'N N C5', $width, $height, $depth, 0, 0, 0, 0)
  . png_chunk('IDAT', $data . $end) . png_chunk('IEND', ''));
