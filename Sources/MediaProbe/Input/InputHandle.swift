internal import CMediaShims
internal import MediaModel

/// Owns the C handle of an open file.
///
/// It is a class because readers share it: a closure cannot capture a borrowed ``MediaInput``, and a container in C
/// reads as long as it lives. The last owner closes the file.
package final class InputHandle {
  package let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { mediatool_input_free(pointer) }

  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(at offset: Int, count: Int) throws(MediaFailure) -> [UInt8] {
    let size = Int(mediatool_input_size(pointer))
    guard offset >= 0, count > 0, offset < size else { return [] }
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: min(count, size - offset)) { buffer, filled in
      result = Int(mediatool_input_read(pointer, Int64(offset), buffer.baseAddress, buffer.count))
      filled = max(0, result)
    }
    if result < 0 { throw .reading(pointer) }
    return bytes
  }
}
