# pages.pl FORM OUT: small PDFs for the first page's picture. Forms: two, rotated, huge, password, open.
use strict;
use warnings;
use Digest::MD5 'md5';
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($form, $out) = @ARGV;
my $padding = pack 'H*', '28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A';

sub rc4 {
  my ($key, $data) = @_;
  my @s = 0 .. 255;
  my ($i, $j) = (0, 0);
  for $i (0 .. 255) {
    $j = ($j + $s[$i] + ord substr $key, $i % length $key, 1) % 256;
    @s[$i, $j] = @s[$j, $i];
  }
  ($i, $j) = (0, 0);
  return join '', map {
    $i = ($i + 1) % 256;
    $j = ($j + $s[$i]) % 256;
    @s[$i, $j] = @s[$j, $i];
    chr(ord($_) ^ $s[($s[$i] + $s[$j]) % 256])
  } split //, $data;
}

# A red field, low on the left; a green bar above; a line of text.
my $first = "1 0 0 rg 0 0 100 50 re f 0 0.5 0 rg 0 150 200 50 re f BT 0 0 0 rg /F1 24 Tf 20 80 Td (First page) Tj ET\n";
my $second = "0 0 1 rg 0 0 200 200 re f\n";
my ($box, $more) = ('[0 0 200 200]', '');
my @contents = ($first);
push @contents, $second if $form eq 'two';
($box, $more) = ('[0 0 300 200]', '/Rotate 90') if $form eq 'rotated';
if ($form eq 'huge') {
  $box = '[0 0 1000000 1000000]';
  @contents = ("1 0 0 rg 0 0 500000 1000000 re f\n");
}

# The standard security handler, revision 2: RC4 with a key of 40 bits, under a password of the user's own or none at all.
my ($key, $trailer, $encryption);
if ($form eq 'password' || $form eq 'open') {
  my ($user, $owner) = map { substr $_ . $padding, 0, 32 } $form eq 'open' ? '' : 'secret', 'owner';
  my $id = pack 'H*', '00112233445566778899AABBCCDDEEFF';
  my $o = rc4(substr(md5($owner), 0, 5), $user);
  $key = substr md5($user . $o . pack('V', 0xFFFFFFFC) . $id), 0, 5;
  my $hex = sub { '<' . uc(unpack 'H*', $_[0]) . '>' };
  $encryption = '<< /Filter /Standard /V 1 /R 2 /P -4 /O ' . $hex->($o) . ' /U ' . $hex->(rc4($key, $padding)) . ' >>';
  $trailer = '/ID [' . $hex->($id) . $hex->($id) . ']';
}

my $pages = @contents;
my @objects = (
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [' . join(' ', map { 4 + 2 * $_ . ' 0 R' } 0 .. $pages - 1) . "] /Count $pages >>",
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
);
for my $content (@contents) {
  my $number = @objects + 2;
  push @objects, "<< /Type /Page /Parent 2 0 R /MediaBox $box $more /Contents $number 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
  $content = rc4(substr(md5($key . substr(pack('V', $number), 0, 3) . "\0\0"), 0, 10), $content) if $key;
  push @objects, '<< /Length ' . length($content) . " >>\nstream\n$content\nendstream";
}
if ($encryption) {
  push @objects, $encryption;
  $trailer .= ' /Encrypt ' . @objects . ' 0 R';
}
my ($pdf, @offsets) = ("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
for my $index (0 .. $#objects) {
  push @offsets, length $pdf;
  $pdf .= ($index + 1) . " 0 obj\n$objects[$index]\nendobj\n";
}
my $xref = length $pdf;
$pdf .= 'xref' . "\n0 " . (1 + @objects) . "\n0000000000 65535 f \n" . join '', map { sprintf "%010d 00000 n \n", $_ } @offsets;
$pdf .= 'trailer << /Size ' . (1 + @objects) . ' /Root 1 0 R ' . ($trailer // '') . " >>\nstartxref\n$xref\n%%EOF\n";
spew($out, $pdf);
