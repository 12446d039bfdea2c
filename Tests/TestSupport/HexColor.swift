extension String {
  /// Whether this is a color as `#rrggbb` whose channels are near others.
  public func isColor(near rgb: [Int], tolerance: Int = 6) -> Bool {
    guard hasPrefix("#"), count == 7, rgb.count == 3, let number = Int(dropFirst(), radix: 16) else { return false }
    return zip([number >> 16, number >> 8 & 255, number & 255], rgb).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
