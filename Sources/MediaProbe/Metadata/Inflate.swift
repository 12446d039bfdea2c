internal import CMediaShims

/// Inflates the first `limit` bytes of a zlib stream; nil if there are none.
func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  let result = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
    count = bytes.withUnsafeBufferPointer {
      mediatool_inflate($0.baseAddress, $0.count, room.baseAddress, room.count)
    }
  }
  return result.isEmpty ? nil : result
}
