# pdf.pl OUT TITLE TEXT: a PDF of one A5 page with true offsets.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my ($out, $title, $text) = @ARGV;
my $content = "0.18 0.36 0.31 rg 0 495 420 100 re f BT 1 1 1 rg /F1 28 Tf 30 530 Td ($title) Tj ET\n"
  . "BT 0 0 0 rg /F1 15 Tf 30 440 Td ($text) Tj ET\n"
  . join '', map { (30 + 6 * $_) . ' 60 ' . (1 + $_ * 7 % 4) . " 90 re f\n" } 0 .. 59;
my @objects = (
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  '<< /Length ' . length($content) . " >>\nstream\n${content}endstream",
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
);
my ($pdf, @offsets) = ("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
for my $index (0 .. $#objects) {
  push @offsets, length $pdf;
  $pdf .= ($index + 1) . " 0 obj\n$objects[$index]\nendobj\n";
}
my $xref = length $pdf;
$pdf .= 'xref' . "\n0 " . (1 + @objects) . "\n0000000000 65535 f \n" . join '', map { sprintf "%010d 00000 n \n", $_ } @offsets;
$pdf .= 'trailer << /Size ' . (1 + @objects) . " /Root 1 0 R >>\nstartxref\n$xref\n%%EOF\n";
spew($out, $pdf);
