internal import ISOBaseMedia

/// The track properties that movie fragments refer to.
struct MovieTrack {
  /// The default sample size in bytes.
  var sampleSize = 0
  /// The NAL unit format of its samples.
  var units: NALUnits?
}

extension MovieFile {
  /// Keeps the samples of a fragment, which states their location (ISO/IEC 14496-12, 8.8.4 to 8.8.8).
  ///
  /// - Parameter tracks: The tracks to keep.
  mutating func fragment(_ fragment: Box, of tracks: [Int: MovieTrack]) throws(Malformed) {
    let boxes = try keep(["mfhd", "traf"], in: fragment.body).filter { $0.type == "traf" }
    for (place, box) in boxes.enumerated() {
      let header = try one("tfhd", of: try children(of: box.body)).body
      guard let track = tracks[try number(header, 4, 4)] else {
        try overwrite(box)
        continue
      }
      let flags = try number(header, 1, 3)
      // An offset relative to the previous fragment's data would require keeping that fragment.
      guard place == 0 || flags & 0x020001 != 0 else { throw Malformed() }
      let base = flags & 1 == 0 ? fragment.start : try number(header, 8, 8)
      let skipped = [(1, 8), (2, 4), (8, 4)].reduce(8) { flags & $1.0 == 0 ? $0 : $0 + $1.1 }
      let size = flags & 0x10 == 0 ? track.sampleSize : try number(header, skipped, 4)
      var next = base
      for run in try keep(["tfhd", "tfdt", "trun", "sdtp", "sbgp", "sgpd", "subs"], in: box.body)
      where run.type == "trun" {
        let (offset, bytes) = try self.run(run.body, size: size)
        if let offset {
          let (start, overflows) = base.addingReportingOverflow(offset)
          guard !overflows else { throw Malformed() }
          next = start
        }
        try claim(next, bytes, track.units)
        next += bytes
      }
    }
  }

  /// The offset of a run's first sample, if stated, and the bytes of all its samples.
  private func run(_ run: Range<Int>, size: Int) throws(Malformed) -> (offset: Int?, bytes: Int) {
    let flags = try number(run, 1, 3)
    let count = try number(run, 4, 4)
    let offset: Int? = flags & 1 == 0 ? nil : Int(Int32(truncatingIfNeeded: try number(run, 8, 4)))
    guard flags & 0x200 != 0 else { return (offset, try Self.product(size, count)) }
    let entries = try behind(8 + (flags & 1 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 4), run)
    let width = 4 * (flags & 0xF00).nonzeroBitCount
    guard count <= entries.count / width else { throw Malformed() }
    var bytes = 0
    for sample in 0..<count { bytes += try number(entries, width * sample + (flags & 0x100 == 0 ? 0 : 4), 4) }
    return (offset, bytes)
  }
}
