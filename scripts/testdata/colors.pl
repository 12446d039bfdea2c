# colors.pl FORM OUT.png: six flat patches, three by two, 64 pixels each, stored in that form.
# colors.pl answers TOLERANCE [grey|bilevel|inks|hdr] [transparent]: what the upright sRGB picture shows in their centres, as JSON.
# colors.pl inks OUT.raw and ink-profile OUT.icc: patches in CMYK and the profile that says what they look like.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bytes;

my @patches = ([200, 40, 40], [50, 160, 70], [40, 70, 190], [224, 172, 105], [128, 128, 128], [250, 250, 250]);
my @greys = (20, 70, 110, 150, 200, 250);

# In fifths, at the nodes of the profile's grid. The profile's inks are odd ones: what is called cyan absorbs green, magenta
# absorbs blue and yellow absorbs red, so that a reader who ignores the profile shows other colours.
my @inks = ([4, 1, 0, 0], [0, 4, 4, 0], [1, 0, 4, 1], [0, 2, 1, 0], [0, 0, 0, 3], [0, 0, 0, 0]);
sub ink_rgb { my ($c, $m, $y, $k) = map { 1 - $_ / 5 } @_; return map { 255 * $_ * $k } $y, $c, $m }

# Primaries as xy; the transfer function is sRGB's for P3 and a pure gamma of 563/256 for Adobe RGB.
my @srgb = (0.64, 0.33, 0.30, 0.60, 0.15, 0.06);
my @p3 = (0.680, 0.320, 0.265, 0.690, 0.150, 0.060);
my @bt2020 = (0.708, 0.292, 0.170, 0.797, 0.131, 0.046);
my @adobe = (0.64, 0.33, 0.21, 0.71, 0.15, 0.06);

# High dynamic range: the patches lit so many times as bright as on a sheet of paper, which has 203 cd/m².
my @lit = (1, 1, 0.5, 2, 0.3, 4);
# The constants of SMPTE ST 2084.
my ($m1, $m2, $c1, $c2, $c3) = (2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128);

my ($form, $out, @more) = @ARGV;
if ($form eq 'answers') {
  my %is = map { $_ => 1 } @more;
  my @json = map {
    my $rgb = $is{grey} ? [($greys[$_]) x 3] : $is{bilevel} ? [($_ % 2 ? 255 : 0) x 3]
      : $is{inks} ? [rounded(ink_rgb(@{ $inks[$_] }))] : $is{hdr} ? tone_mapped($_) : $patches[$_];
    my $place = '"x":' . (32 + 64 * ($_ % 3)) . ',"y":' . (32 + 64 * int($_ / 3));
    $is{transparent} && $_ == 5 ? "{$place,\"alpha\":0}" : "{$place,\"rgb\":[" . join(',', @$rgb) . "],\"tolerance\":$out}";
  } 0 .. 5;
  print '[', join(',', @json), "]\n";
  exit;
}

sub linear { my $c = $_[0] / 255; return $c <= 0.04045 ? $c / 12.92 : (($c + 0.055) / 1.055)**2.4 }
sub srgb_code { my $l = $_[0]; return 255 * ($l <= 0.0031308 ? 12.92 * $l : 1.055 * $l**(1 / 2.4) - 0.055) }
sub rounded { return map { int($_ + 0.5) } @_ }

# The same colour in a space with other primaries and the same white point.
sub convert {
  my ($to, $code, $rgb) = @_;
  return [rounded(map { $code->($_) } in_primaries($to, map { linear($_) } @$rgb))];
}

# In cd/m².
sub light { my ($index) = @_; return map { 203 * $lit[$index] * linear($_) } @{ $patches[$index] } }

# SMPTE ST 2084, from light to signal and back.
sub pq { my $y = ($_[0] / 10000)**$m1; return (($c1 + $c2 * $y) / (1 + $c3 * $y))**$m2 }
sub pq_light { my $e = $_[0]**(1 / $m2); return 10000 * (($e > $c1 ? $e - $c1 : 0) / ($c2 - $c3 * $e))**(1 / $m1) }

# What a standard display of 203 cd/m² shows of them: ITU-R BT.2390, 5.4.1, for a peak of 1000 cd/m², by the brightest channel.
sub tone_mapped {
  my @light = light($_[0]);
  my ($most) = sort { $b <=> $a } @light;
  my ($e, $top) = (pq($most) / pq(1000), pq(203) / pq(1000));
  my $knee = 1.5 * $top - 0.5;
  if ($e > $knee) {
    my $t = ($e - $knee) / (1 - $knee);
    $e = (2 * $t**3 - 3 * $t**2 + 1) * $knee + ($t**3 - 2 * $t**2 + $t) * (1 - $knee) + (-2 * $t**3 + 3 * $t**2) * $top;
  }
  my $gain = pq_light($e * pq(1000)) / $most;
  return [rounded(map { srgb_code($_ * $gain / 203) } @light)];
}

# The light in other primaries, then as signals from 0 to 1.
sub pq_signals { my ($to, $index) = @_; return map { pq($_) } in_primaries($to, light($index)) }
# ARIB STD-B67 for a display of 1000 cd/m², whose system gamma is 1.2 (ITU-R BT.2100).
sub hlg_signals {
  my ($to, $index) = @_;
  my @light = light($index);
  my $luminance = 0.2126 * $light[0] + 0.7152 * $light[1] + 0.0722 * $light[2];
  my $scene = ($luminance / 1000)**(1 / 1.2);
  return map {
    my $e = $_ / (1000 * $scene**0.2);
    $e <= 1 / 12 ? sqrt(3 * $e) : 0.17883277 * log(12 * $e - 0.28466892) + 0.55991073;
  } in_primaries($to, @light);
}
sub in_primaries {
  my ($to, @l) = @_;
  my @from = Bytes::adapted_columns(0.31270, 0.32900, @srgb);
  my @target = Bytes::adapted_columns(0.31270, 0.32900, @$to);
  my @xyz = map { my $row = $_; $from[0][$row] * $l[0] + $from[1][$row] * $l[1] + $from[2][$row] * $l[2] } 0 .. 2;
  my @m = map { my $row = $_; [map { $target[$_][$row] } 0 .. 2] } 0 .. 2;
  return map { $_ < 0 ? 0 : $_ } Bytes::solve(\@m, \@xyz);
}
# A PNG of them whose cICP chunk names primaries and transfer by ITU-T H.273.
sub signalled {
  my ($primaries, $transfer, $to, $signals) = @_;
  my @samples = map { pack 'n3', rounded(map { 65535 * $_ } $signals->($to, $_)) } 0 .. 5;
  return picture(\@samples, depth => 16, chunks => png_chunk('cICP', pack 'C4', $primaries, $transfer, 0, 1));
}

# 192 by 128 pixels out of six packed samples.
sub picture {
  my ($samples, %options) = @_;
  my @rows;
  for my $half (0, 1) {
    push @rows, (join '', map { $samples->[$half * 3 + $_] x 64 } 0 .. 2) for 1 .. 64;
  }
  return png(192, 128, \@rows, \%options);
}
sub tagged {
  my ($name, $gamma, $primaries, $code) = @_;
  my $profile = icc($name, $gamma, @$primaries);
  my $chunk = png_chunk('iCCP', "profile\0\0" . Compress::Zlib::compress($profile, 9));
  return picture([map { pack 'C3', @{ convert($primaries, $code, $_) } } @patches], chunks => $chunk);
}

my %forms = (
  srgb => sub { picture([map { pack 'C3', @$_ } @patches], chunks => png_chunk('sRGB', "\0")) },
  rgb16 => sub { picture([map { pack 'n3', map { $_ * 257 } @$_ } @patches], depth => 16) },
  rgba => sub { picture([map { pack 'C4', @{ $patches[$_] }, $_ == 5 ? 0 : 255 } 0 .. 5], type => 6) },
  key => sub { picture([map { pack 'C3', @$_ } @patches], chunks => png_chunk('tRNS', pack 'n3', @{ $patches[5] })) },
  palette => sub { palette('') },
  'palette-transparent' => sub { palette(png_chunk('tRNS', pack 'C6', 255, 255, 255, 255, 255, 0)) },
  grey => sub { picture([map { pack 'C', $_ } @greys], type => 0) },
  grey16 => sub { picture([map { pack 'n', $_ * 257 } @greys], type => 0, depth => 16) },
  'grey-alpha' => sub { picture([map { pack 'C2', $greys[$_], $_ == 5 ? 0 : 255 } 0 .. 5], type => 4) },
  # Eight pixels a byte: 64 pixels are 8 bytes.
  grey1 => sub {
    my @rows = map { my $half = $_; (join '', map { ($half * 3 + $_) % 2 ? "\xFF" x 8 : "\0" x 8 } 0 .. 2) } (0) x 64, (1) x 64;
    png(192, 128, \@rows, { type => 0, depth => 1 });
  },
  inks => \&ink_raw,
  'ink-profile' => \&ink_profile,
  p3 => sub { tagged('Display P3', 0, \@p3, \&srgb_code) },
  pq => sub { signalled(9, 16, \@bt2020, \&pq_signals) },
  'pq-p3' => sub { signalled(12, 16, \@p3, \&pq_signals) },
  hlg => sub { signalled(9, 18, \@bt2020, \&hlg_signals) },
  adobe => sub { tagged('Compatible with Adobe RGB (1998)', 563, \@adobe, sub { 255 * $_[0]**(256 / 563) }) },
);
# Raw CMYK samples, and a profile with the table of the inks in Lab; the same for both intents that programs ask for.
sub ink_raw {
  my @samples = map { pack 'C4', map { 51 * $_ } @$_ } @inks;
  return join '', map { my $half = $_; (join '', map { $samples[$half * 3 + $_] x 64 } 0 .. 2) x 64 } 0, 1;
}
sub ink_profile {
  my $table = '';
  for my $c (0 .. 5) { for my $m (0 .. 5) { for my $y (0 .. 5) { for my $k (0 .. 5) {
    $table .= pack 'n3', lab(ink_rgb($c, $m, $y, $k));
  } } } }
  my $linear = pack 'n2', 0, 65535;
  my $lut = 'mft2' . "\0" x 4 . pack('C4', 4, 3, 6, 0) . pack('N9', 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x10000)
    . pack('n2', 2, 2) . $linear x 4 . $table . $linear x 3;
  return Bytes::icc_file('prtr', 'CMYK', 'Lab ', A2B0 => $lut, A2B1 => $lut, desc => Bytes::icc_text('desc', 'Odd inks'),
    cprt => Bytes::icc_text('text', 'No copyright, use freely'), wtpt => Bytes::icc_xyz(0.9642, 1.0, 0.8249));
}
# The 16-bit Lab code (version 2: 0xFF00 is 100) of an sRGB colour, white being D50 after Bradford's adaptation.
sub lab {
  my @l = map { linear($_) } @_;
  my @columns = Bytes::adapted_columns(0.31270, 0.32900, @srgb);
  my @white = (0.9642, 1.0, 0.8249);
  my @f = map {
    my $row = $_;
    my $t = ($columns[0][$row] * $l[0] + $columns[1][$row] * $l[1] + $columns[2][$row] * $l[2]) / $white[$row];
    $t > 216 / 24389 ? $t**(1 / 3) : (24389 / 27 * $t + 16) / 116;
  } 0 .. 2;
  return rounded((116 * $f[1] - 16) * 652.8, (500 * ($f[0] - $f[1]) + 128) * 256, (200 * ($f[1] - $f[2]) + 128) * 256);
}

sub palette {
  my ($transparency) = @_;
  my $chunks = png_chunk('PLTE', join '', map { pack 'C3', @$_ } @patches) . $transparency;
  return picture([map { pack 'C', $_ } 0 .. 5], type => 3, chunks => $chunks);
}
spew($out, $forms{$form}->());
