internal import ISOBaseMedia

/// The NAL unit format of H.264 or H.265 samples: length-prefixed units (ISO/IEC 14496-15, 4.3.2 and 8.3.2).
struct NALUnits: Equatable {
  /// Bytes of each length prefix, 1 to 4.
  let lengthBytes: Int
  /// Whether it is H.265 rather than H.264.
  let isHEVC: Bool

  /// Bytes of the header of each NAL unit: 1 in H.264, 2 in H.265.
  var headerBytes: Int { isHEVC ? 2 : 1 }

  /// Whether a unit is supplemental enhancement information (ITU-T H.264, table 7-1; H.265, table 7-1).
  func isInformation(_ header: UInt8) -> Bool {
    isHEVC ? [39, 40].contains(header >> 1 & 0x3F) : header & 0x1F == 6
  }
}

extension MovieFile {
  /// The NAL unit format from `avcC` or `hvcC`; nil for other codecs. Strips SEI messages in `hvcC` itself.
  mutating func units(of boxes: [Box]) throws(Malformed) -> NALUnits? {
    guard let box = boxes.first(where: { ["avcC", "hvcC"].contains($0.type) }) else { return nil }
    let isHEVC = box.type == "hvcC"
    guard try number(box.body, 0, 1) == 1 else { return nil }
    let units = NALUnits(lengthBytes: try number(box.body, isHEVC ? 21 : 4, 1) & 3 + 1, isHEVC: isHEVC)
    guard isHEVC else { return units }
    // ISO/IEC 14496-15, 8.3.3.1: lists of units of one type each.
    let lists = try number(box.body, 22, 1)
    var rest = try behind(23, box.body)
    for _ in 0..<lists {
      let count = try number(rest, 1, 2)
      rest = try behind(3, rest)
      for _ in 0..<count {
        let unit = try part(rest, 2, try number(rest, 0, 2))
        try overwriteSEI(ofUnit: unit, units)
        rest = unit.upperBound..<rest.upperBound
      }
    }
    return units
  }

  /// Overwrites SEI user data in consecutive samples, where dashcams store the location of every frame.
  ///
  /// Each message with unregistered user data (type 5) becomes filler payload (type 3) of equal length (ITU-T H.264 and
  /// H.265, annex D).
  mutating func overwriteSEI(in samples: Range<Int>, _ units: NALUnits) throws(Malformed) {
    var at = samples.lowerBound
    while at < samples.upperBound {
      let rest = at..<samples.upperBound
      let unit = try part(rest, units.lengthBytes, try number(rest, 0, units.lengthBytes))
      try overwriteSEI(ofUnit: unit, units)
      at = unit.upperBound
    }
  }

  /// Overwrites the SEI messages of one unit.
  private mutating func overwriteSEI(ofUnit unit: Range<Int>, _ units: NALUnits) throws(Malformed) {
    guard unit.count > units.headerBytes, units.isInformation(byte(unit.lowerBound)) else { return }
    // Its offsets are collected, and a file that is not in memory may be large.
    guard plan == nil || unit.count <= 1 << 20 else { throw Malformed() }
    let (places, fixed) = payload(of: try behind(units.headerBytes, unit))
    var at = 0
    // Numbers above 254 are written as a sequence of 255, and the rest.
    func next() throws(Malformed) -> Int {
      var number = 0
      while true {
        guard at < places.count else { throw Malformed() }
        let value = Int(byte(places[at]))
        at += 1
        number += value
        if value < 255 { return number }
      }
    }
    // The last byte ends the unit.
    while places.count - at > 1 {
      let start = at
      let (type, size) = (try next(), try next())
      guard size <= places.count - at else { throw Malformed() }
      if type == 5 {
        set(places[start], 3)
        for place in places[at..<(at + size)] where !fixed.contains(place) { set(place, 0xFF) }
      }
      at += size
    }
  }

  /// The offsets of the payload bytes in a unit, without emulation prevention bytes (ITU-T H.264, 7.4.1), and the zeros
  /// before those bytes, which must not change.
  private func payload(of unit: Range<Int>) -> (places: [Int], fixed: Set<Int>) {
    var (places, fixed, zeros) = ([Int](), Set<Int>(), 0)
    for index in unit {
      if zeros >= 2, byte(index) == 3 {
        fixed.formUnion([index - 2, index - 1])
        zeros = 0
        continue
      }
      zeros = byte(index) == 0 ? zeros + 1 : 0
      places.append(index)
    }
    return (places, fixed)
  }
}
