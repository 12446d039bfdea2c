internal import Glibc

/// The bytes of an input that are asked for, for C.
final class ByteReadCallback {
  private let ask: (_ offset: Int, _ count: Int) -> [UInt8]?

  init(ask: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) { self.ask = ask }

  /// Copies bytes into a buffer; false if they cannot be had.
  static let copy: @convention(c) (UnsafeMutableRawPointer, Int64, UnsafeMutableRawPointer, Int) -> Bool = {
    context, offset, buffer, count in
    let source = Unmanaged<ByteReadCallback>.fromOpaque(context).takeUnretainedValue()
    guard let bytes = source.ask(Int(offset), count), bytes.count == count else { return false }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(buffer, start, count) }
    }
    return true
  }

  /// Releases what C has kept.
  static let release: @convention(c) (UnsafeMutableRawPointer) -> Void = { context in
    Unmanaged<ByteReadCallback>.fromOpaque(context).release()
  }
}
