# Formats written byte by byte, for what no tool of Debian's writes or would not write the same way twice.
package Bytes;
use strict;
use warnings;
use Compress::Zlib ();
use Exporter 'import';
our @EXPORT = qw(slurp spew tiff exif ascii bytes short long rational sub_ifds blob
  same_rows png png_chunk icc jpeg_insert box find_boxes);

sub slurp {
  my ($path) = @_;
  open my $file, '<:raw', $path or die "$path: $!\n";
  local $/;
  return scalar <$file>;
}

sub spew {
  my ($path, $bytes) = @_;
  open my $file, '>:raw', $path or die "$path: $!\n";
  print {$file} $bytes;
  close $file or die "$path: $!\n";
}

# --- TIFF, which is also EXIF, DNG, CR2, NEF and ARW -------------------------------------------------------------------
# An entry is [tag, type, count, data]; data is packed little-endian, or a reference to what is put elsewhere:
# { ifds => [[entries]…] } gives their offsets, { blob => bytes, repeat => n } gives n times the offset of those bytes.

sub ascii { my ($tag, $text) = @_; return [$tag, 2, length($text) + 1, "$text\0"] }
sub bytes { my ($tag, @values) = @_; return [$tag, 1, scalar @values, pack('C*', @values)] }
sub short { my ($tag, @values) = @_; return [$tag, 3, scalar @values, pack('v*', @values)] }
sub long { my ($tag, @values) = @_; return [$tag, 4, scalar @values, pack('V*', @values)] }
sub rational { my ($tag, @values) = @_; return [$tag, 5, @values / 2, pack('V*', @values)] }
sub sub_ifds { my ($tag, @ifds) = @_; return [$tag, 4, scalar @ifds, { ifds => \@ifds }] }
sub blob { my ($tag, $bytes) = @_; return [$tag, 4, 1, { blob => $bytes, repeat => 1 }] }
# A strip a row, all rows the same bytes: a large picture in little space.
sub same_rows {
  my ($row, $count) = @_;
  return ([0x111, 4, $count, { blob => $row, repeat => $count }], long(0x116, 1), long(0x117, (length $row) x $count));
}

# A little-endian TIFF structure whose IFDs are chained in the order given. %$options: header (what follows the
# magic number and the offset of the first IFD), magic, last (the offset that the last IFD names as the next one).
sub tiff {
  my ($ifds, $options) = @_;
  my $extra = $options->{header} // '';
  my $out = 'II' . pack('v V', $options->{magic} // 42, 8 + length $extra) . $extra;
  my $next_at;
  for my $ifd (@$ifds) {
    substr($out, $next_at, 4) = pack('V', length $out) if defined $next_at;
    ($out, $next_at) = write_ifd($out, $ifd);
  }
  substr($out, $next_at, 4) = pack('V', $options->{last}) if defined $options->{last};
  return $out;
}

sub write_ifd {
  my ($out, $entries) = @_;
  my @sorted = sort { $a->[0] <=> $b->[0] } @$entries;
  my $start = length $out;
  my $next_at = $start + 2 + 12 * @sorted;
  $out .= pack('v', scalar @sorted) . "\0" x (12 * @sorted + 4);
  for my $index (0 .. $#sorted) {
    my ($tag, $type, $count, $data) = @{ $sorted[$index] };
    if (ref $data) {
      $out .= "\0" if length($out) % 2;
      my @offsets;
      for my $ifd (@{ $data->{ifds} // [] }) {
        push @offsets, length $out;
        ($out) = write_ifd($out, $ifd);
      }
      if (defined $data->{blob}) {
        @offsets = (length $out) x $data->{repeat};
        $out .= $data->{blob};
      }
      $data = pack('V*', @offsets);
    }
    if (length $data > 4) {
      $out .= "\0" if length($out) % 2;
      my $offset = length $out;
      $out .= $data;
      $data = pack('V', $offset);
    }
    substr($out, $start + 2 + 12 * $index, 12) = pack('v v V', $tag, $type, $count) . substr("$data\0\0\0\0", 0, 4);
  }
  return ($out, $next_at);
}

# An EXIF block of one IFD with a sub-IFD, as an APP1 payload without its marker.
sub exif {
  my ($ifd0, $exif) = @_;
  return tiff([[@$ifd0, $exif ? sub_ifds(0x8769, $exif) : ()]]);
}

# --- JPEG --------------------------------------------------------------------------------------------------------------
# Puts marker segments, given as [marker, payload], behind the start of the image, before everything else.
sub jpeg_insert {
  my ($jpeg, @segments) = @_;
  my $inserted = join '', map { pack('C C n', 0xFF, $_->[0], 2 + length $_->[1]) . $_->[1] } @segments;
  return substr($jpeg, 0, 2) . $inserted . substr($jpeg, 2);
}

# --- PNG ---------------------------------------------------------------------------------------------------------------
sub png_chunk {
  my ($type, $data) = @_;
  return pack('N', length $data) . $type . $data . pack('N', Compress::Zlib::crc32($type . $data));
}

# A PNG out of rows that are already packed. %$options: type (colour type), depth, chunks (between IHDR and IDAT).
sub png {
  my ($width, $height, $rows, $options) = @_;
  my $header = pack('N N C5', $width, $height, $options->{depth} // 8, $options->{type} // 2, 0, 0, 0);
  my $data = Compress::Zlib::compress(join('', map { "\0$_" } @$rows), 9);
  return "\x89PNG\r\n\x1a\n" . png_chunk('IHDR', $header) . ($options->{chunks} // '')
    . png_chunk('IDAT', $data) . png_chunk('IEND', '');
}

# --- ICC ---------------------------------------------------------------------------------------------------------------
# A version 2 display profile of three primaries (as xy) and white point D65, with its description and a gamma in 256ths;
# gamma 0 stands for the curve of sRGB.
sub icc {
  my ($description, $gamma, @xy) = @_;
  my @columns = adapted_columns(0.31270, 0.32900, @xy);
  my $curve = 'curv' . "\0" x 4 . ($gamma ? pack('N n', 1, $gamma) : pack('N n*', 1024, map { srgb_curve($_ / 1023) } 0 .. 1023));
  return icc_file('mntr', 'RGB ', 'XYZ ',
    desc => icc_text('desc', $description), cprt => icc_text('text', 'No copyright, use freely'),
    wtpt => icc_xyz(0.9642, 1.0, 0.8249),
    (map { (qw(rXYZ gXYZ bXYZ))[$_] => icc_xyz(@{ $columns[$_] }) } 0 .. 2), rTRC => $curve, gTRC => $curve, bTRC => $curve);
}

sub icc_xyz {
  return 'XYZ ' . "\0" x 4 . join '', map { pack 'N', int($_ * 65536 + ($_ < 0 ? -0.5 : 0.5)) & 0xFFFFFFFF } @_;
}

sub icc_text {
  my ($type, $text) = @_;
  return $type eq 'text' ? "text\0\0\0\0$text\0" : 'desc' . "\0" x 4 . pack('N', 1 + length $text) . "$text\0" . "\0" x 78;
}

# A profile of that class, colour space and connection space; the tags follow as name => data. Equal data is stored once.
sub icc_file {
  my ($class, $space, $connection, @tags) = @_;
  my $offset = 128 + 4 + 6 * @tags;
  my ($table, $body, %at) = (pack('N', @tags / 2), '');
  while (my ($name, $data) = splice @tags, 0, 2) {
    if (!defined $at{$data}) {
      $at{$data} = $offset + length $body;
      $body .= $data . "\0" x (-length($data) % 4);
    }
    $table .= $name . pack('N N', $at{$data}, length $data);
  }
  my $header = pack 'N a4 N a4 a4 a4 n6 a4 x28 N3', $offset + length $body, '', 0x02100000, $class, $space, $connection,
    2024, 1, 1, 0, 0, 0, 'acsp', 0xF6D6, 0x10000, 0xD32D;
  return $header . "\0" x (128 - length $header) . $table . $body;
}

sub srgb_curve {
  my ($code) = @_;
  return int(65535 * ($code <= 0.04045 ? $code / 12.92 : (($code + 0.055) / 1.055)**2.4) + 0.5);
}

# The XYZ of each primary at full drive, adapted from the white point to D50 by Bradford's matrix.
sub adapted_columns {
  my ($wx, $wy, @xy) = @_;
  my @white = ($wx / $wy, 1, (1 - $wx - $wy) / $wy);
  my @primaries = map { [$xy[2 * $_] / $xy[2 * $_ + 1], 1, (1 - $xy[2 * $_] - $xy[2 * $_ + 1]) / $xy[2 * $_ + 1]] } 0 .. 2;
  my @m = map { my $row = $_; [map { $primaries[$_][$row] } 0 .. 2] } 0 .. 2;
  my @scale = solve(\@m, \@white);
  my @bradford = ([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]);
  my $cone = sub { my @v = @_; map { my $r = $_; $r->[0] * $v[0] + $r->[1] * $v[1] + $r->[2] * $v[2] } @bradford };
  my @from = $cone->(@white);
  my @to = $cone->(0.9642, 1.0, 0.8249);
  return map {
    my $index = $_;
    my @c = $cone->(map { $_ * $scale[$index] } @{ $primaries[$index] });
    [solve(\@bradford, [map { $c[$_] * $to[$_] / $from[$_] } 0 .. 2])];
  } 0 .. 2;
}

# Three equations in three unknowns, by Cramer's rule.
sub solve {
  my ($m, $v) = @_;
  my $det = sub {
    my @a = @_;
    return $a[0][0] * ($a[1][1] * $a[2][2] - $a[1][2] * $a[2][1]) - $a[0][1] * ($a[1][0] * $a[2][2] - $a[1][2] * $a[2][0])
      + $a[0][2] * ($a[1][0] * $a[2][1] - $a[1][1] * $a[2][0]);
  };
  my $whole = $det->(@$m);
  return map {
    my $column = $_;
    $det->(map { my $row = $_; [map { $_ == $column ? $v->[$row] : $m->[$row][$_] } 0 .. 2] } 0 .. 2) / $whole;
  } 0 .. 2;
}

# --- ISO base media ----------------------------------------------------------------------------------------------------
sub box { my ($type, $payload) = @_; return pack('N', 8 + length $payload) . $type . $payload }

# The boxes of a stretch of bytes as [type, start, length], start counted from the beginning of the file.
sub find_boxes {
  my ($bytes, $from, $to) = @_;
  my @found;
  while ($from + 8 <= $to) {
    my ($length, $type) = unpack('N a4', substr($bytes, $from, 8));
    die "odd box at $from\n" if $length < 8 || $from + $length > $to;
    push @found, [$type, $from, $length];
    $from += $length;
  }
  return @found;
}

1;
