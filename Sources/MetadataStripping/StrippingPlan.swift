/// The bytes of a file that change when its metadata is removed, for files that are not read into memory. The size of the file and all other bytes stay.
package struct StrippingPlan: Hashable, Sendable {
  /// Consecutive bytes that get the same value.
  package struct Fill: Hashable, Sendable {
    /// The bytes of the file.
    package let range: Range<Int>
    /// Their value.
    package let value: UInt8
  }

  /// Maximum number of fills; one takes 24 bytes of memory. 262,144.
  package static let maxFills = 1 << 18

  /// What changes, in order and without overlaps.
  package let fills: [Fill]

  /// Changes bytes of the file that are in memory.
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: Where they begin in the file.
  package func apply(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    let end = offset + bytes.count
    for fill in fills[first(after: offset)...] {
      guard fill.range.lowerBound < end else { return }
      let range = fill.range.clamped(to: offset..<end)
      let part = bytes[(range.lowerBound - offset)..<(range.upperBound - offset)]
      _ = UnsafeMutableRawBufferPointer(rebasing: part).initializeMemory(as: UInt8.self, repeating: fill.value)
    }
  }

  /// The index of the first fill that ends after an offset.
  private func first(after offset: Int) -> Int {
    var (low, high) = (0, fills.count)
    while low < high {
      let middle = (low + high) / 2
      if fills[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a byte of the file would change: whether it has metadata.
  /// - Parameter read: Reads bytes of the file, as in ``VideoMetadataStripper/plan(count:read:)``.
  package func changes(read: (_ offset: Int, _ count: Int) throws -> [UInt8]) throws -> Bool {
    for fill in fills {
      var at = fill.range.lowerBound
      while at < fill.range.upperBound {
        let bytes = try read(at, min(1 << 16, fill.range.upperBound - at))
        if bytes.isEmpty { return true }
        if bytes.contains(where: { $0 != fill.value }) { return true }
        at += bytes.count
      }
    }
    return false
  }
}

extension StrippingPlan {
  /// Collects what a stripper overwrites, and the samples that it keeps.
  struct Builder {
    private var zeros: [Range<Int>] = []
    private var kept: [Range<Int>] = []
    private var others: [Fill] = []

    /// Overwrites bytes. Nothing more is collected once there are too many ranges.
    mutating func fill(_ range: Range<Int>, _ value: UInt8) {
      if range.isEmpty || isTooLarge { return }
      if value == 0 {
        zeros.append(range)
      } else if let last = others.last, last.value == value, last.range.upperBound == range.lowerBound {
        others[others.count - 1] = Fill(range: last.range.lowerBound..<range.upperBound, value: value)
      } else {
        others.append(Fill(range: range, value: value))
      }
    }

    /// Keeps bytes that were overwritten with zeros.
    mutating func keep(_ range: Range<Int>) {
      if !isTooLarge { kept.append(range) }
    }

    /// Whether there are more ranges than a plan may have.
    var isTooLarge: Bool { max(zeros.count, kept.count, others.count) > StrippingPlan.maxFills }

    /// The plan; nil if it is too large, or if bytes get two values.
    func plan() -> StrippingPlan? {
      if isTooLarge { return nil }
      let written = others.sorted { $0.range.lowerBound < $1.range.lowerBound }
      for (one, next) in zip(written, written.dropFirst()) where one.range.overlaps(next.range) { return nil }
      let staying = ByteRanges.union(kept + written.map(\.range))
      let cleared = Self.subtract(staying, from: ByteRanges.union(zeros)).map { Fill(range: $0, value: 0) }
      let fills = (cleared + written).sorted { $0.range.lowerBound < $1.range.lowerBound }
      return fills.count <= StrippingPlan.maxFills ? StrippingPlan(fills: fills) : nil
    }

    /// What is in some ranges and not in others; both are sets made by ``ByteRanges/union(_:)``.
    private static func subtract(_ others: [Range<Int>], from ranges: [Range<Int>]) -> [Range<Int>] {
      var (rest, index) = ([Range<Int>](), 0)
      for range in ranges {
        var start = range.lowerBound
        while index < others.count, others[index].upperBound <= start { index += 1 }
        var at = index
        while at < others.count, others[at].lowerBound < range.upperBound {
          if start < others[at].lowerBound { rest.append(start..<others[at].lowerBound) }
          start = max(start, others[at].upperBound)
          at += 1
        }
        if start < range.upperBound { rest.append(start..<range.upperBound) }
      }
      return rest
    }
  }
}
