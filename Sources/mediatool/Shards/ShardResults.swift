internal import FileSupport
internal import Foundation
internal import MediaModel

/// The results of a shard, read again.
enum ShardResults {
  /// The numbers of the lines whose files failed with one of the codes, in order.
  static func lines(in results: PathBytes, failedWith codes: Set<String>) throws -> [Int] {
    var numbers: [Int] = []
    let decoder = JSONDecoder()
    try eachLine(of: results) { _, line in
      // Only a line with a failure is decoded: most have none, and their facts are long.
      guard line.firstRange(of: Array("\"error\"".utf8)) != nil else { return true }
      let result: Result
      do { result = try decoder.decode(Result.self, from: Data(line)) } catch {
        throw Fault(.software, "\(DisplayText.visible(results)) has a line that is not a result")
      }
      if let error = result.error, codes.contains(error.code) { numbers.append(result.line) }
      return true
    }
    return numbers
  }

  /// Prints lines of a list with these numbers, unchanged.
  static func print(_ numbers: [Int], of list: PathBytes, to writer: ResultWriter) throws {
    var rest = numbers[...]
    try eachLine(of: list) { number, line in
      guard let next = rest.first else { return false }
      if number == next {
        rest = rest.dropFirst()
        try writer.write(Array(line) + [UInt8(ascii: "\n")])
      }
      return true
    }
  }

  private struct Result: Decodable {
    struct Failure: Decodable { var code: String }
    var line: Int
    var error: Failure?
  }

  /// Calls `body` with each line and its number from 1, until it returns false.
  private static func eachLine(of path: PathBytes, _ body: (Int, ArraySlice<UInt8>) throws -> Bool) throws {
    do {
      let descriptor = try FileSystem.openFile(path, followsLinks: true)
      defer { FileSystem.release(descriptor) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
      defer { buffer.deallocate() }
      var (number, line) = (0, [UInt8]())
      while true {
        let count = try FileSystem.fill(buffer, from: descriptor)
        var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line += rest[..<end]
          number += 1
          guard try body(number, line[...]) else { return }
          line.removeAll(keepingCapacity: true)
          rest = rest[(end + 1)...]
        }
        line += rest
        guard line.count <= PathList.endless else {
          throw Fault(
            .software, "\(DisplayText.visible(path)) has a line of more than \(PathList.endless.grouped) bytes")
        }
        if count == 0 { break }
      }
      if !line.isEmpty { _ = try body(number + 1, line[...]) }
    } catch let error as FileError {
      throw Fault(.software, "cannot read \(DisplayText.visible(path)): \(error.description)")
    }
  }
}
