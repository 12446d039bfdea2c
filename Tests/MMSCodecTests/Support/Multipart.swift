/// A uintvar.
func uintvar(_ value: Int) -> [UInt8] {
  var result = [UInt8(value & 0x7F)]
  var rest = value >> 7
  while rest > 0 {
    result.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
    rest >>= 7
  }
  return result
}

/// A value behind its Value-length.
func counted(_ value: [UInt8]) -> [UInt8] {
  (value.count <= 30 ? [UInt8(value.count)] : [31] + uintvar(value.count)) + value
}

/// The body of a multipart: headers and data of each part.
func multipart(_ parts: [(headers: [UInt8], data: [UInt8])]) -> [UInt8] {
  uintvar(parts.count)
    + parts.flatMap { uintvar($0.headers.count) + uintvar($0.data.count) + $0.headers + $0.data }
}
