internal import FileSupport

// TarReader.swift and TarWriter.swift in this folder are the command's: links, because the command is no library.

extension PathBytes {
  /// As FileSupport has it for its package, which the links use.
  static let slash = UInt8(ascii: "/")
}

/// The files in a tar file: the same however its bytes arrive, and no byte more than there are.
///
/// The first byte of the input is the size of the pieces in which the rest arrives. The checksums of headers are made right, or the fuzzer would
/// search for sums.
@_cdecl("mediatool_fuzz_tar")
public func fuzzTar(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let first = input.first else { return }
  let file = signed(Array(input.dropFirst()))
  let whole = contents(of: file, by: max(1, file.count))
  let pieces = contents(of: file, by: Int(first) + 1)
  precondition(whole == pieces)
  precondition(whole?.joined().count ?? 0 <= file.count)
}

/// The contents of all files; nil if the file is damaged.
private func contents(of file: [UInt8], by size: Int) -> [[UInt8]]? {
  let source = Pieces(file, size)
  var reader = TarReader { source.next() }
  var found: [[UInt8]] = []
  do {
    while let member = try reader.next() {
      var content: [UInt8] = []
      while case let piece = try reader.content(), !piece.isEmpty { content += piece }
      precondition(content.count == member.count)
      if member.kind == .file { found.append(content) }
    }
    return found
  } catch {
    return nil
  }
}

/// The bytes of a file in pieces.
private final class Pieces: @unchecked Sendable {
  // Used by one thread: the reader's closure is called where the reader is.
  private var rest: ArraySlice<UInt8>
  private let size: Int

  init(_ file: [UInt8], _ size: Int) { (rest, self.size) = (file[...], size) }

  func next() -> [UInt8] {
    let piece = rest.prefix(size)
    rest = rest.dropFirst(piece.count)
    return Array(piece)
  }
}

/// The file with right checksums in all blocks that may be headers.
private func signed(_ file: [UInt8]) -> [UInt8] {
  var file = file
  for start in stride(from: 0, to: file.count - file.count % 512, by: 512)
  where file[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) {
    for index in 148..<156 { file[start + index] = UInt8(ascii: " ") }
    let sum = file[start..<(start + 512)].reduce(0) { $0 + Int($1) }
    for (index, byte) in String(sum, radix: 8).utf8.reversed().enumerated() { file[start + 153 - index] = byte }
    file[start + 154] = 0
  }
  return file
}
