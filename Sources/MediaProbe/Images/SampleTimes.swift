internal import ISOBaseMedia

/// The times for which the first samples of a track are shown, in the order in which they are shown
/// (ISO/IEC 14496-12 §8.6.1).
struct SampleTimes {
  /// In units of the track.
  let delays: [Double]

  /// - Parameters:
  ///   - table: The body of the sample table (`stbl`).
  ///   - limit: Number of samples.
  init(_ reader: ByteReader, table: Range<Int>, limit: Int) {
    func entries(_ type: FourCC) -> [Double] {
      guard let body = BoxReader(reader, table).first(type)?.body else { return [] }
      // Full boxes with entries of a count and a value; offsets are signed in version 1, and small in version 0.
      var values: [Double] = []
      var at = body.lowerBound + 8
      while values.count < limit, at + 8 <= body.upperBound, let count = reader.u32be(at),
        let value = reader.u32be(at + 4)
      {
        let number = type == "ctts" ? Double(Int32(bitPattern: value)) : Double(value)
        values += Array(repeating: number, count: min(Int(count), limit - values.count))
        at += 8
      }
      return values
    }
    let lengths = entries("stts")
    let offsets = entries("ctts")
    var time = 0.0
    var shown: [(start: Double, length: Double)] = []
    for (index, length) in lengths.enumerated() {
      shown.append((time + (index < offsets.count ? offsets[index] : 0), length))
      time += length
    }
    // Each frame is shown until the next one; the last one for as long as it states.
    shown.sort { $0.start < $1.start }
    delays = shown.indices.map { index in
      index + 1 < shown.count ? shown[index + 1].start - shown[index].start : shown[index].length
    }
  }
}
