internal import FileSupport
internal import Foundation
internal import MediaModel

/// The results of a shard, read again.
enum ShardResults {
  /// The numbers of the lines whose files failed with one of the codes, in order.
  static func lines(of shard: ShardName, in store: any ShardStore, failedWith codes: Set<String>) throws -> [Int] {
    var numbers: [Int] = []
    let decoder = JSONDecoder()
    let name = store.shown(shard.results)
    try eachLine(of: name, { body in try store.read(shard.results, body) }) { _, line in
      // Only a line with a failure is decoded: most have none, and their facts are long.
      guard line.firstRange(of: Array("\"error\"".utf8)) != nil else { return true }
      let result: Result
      do { result = try decoder.decode(Result.self, from: Data(line)) } catch {
        throw Fault(.software, "\(name) has a line that is not a result")
      }
      if let error = result.error, codes.contains(error.code) { numbers.append(result.line) }
      return true
    }
    return numbers
  }

  /// Prints lines of a list with these numbers, unchanged.
  static func print(_ numbers: [Int], of list: PathBytes, to writer: ResultWriter) throws {
    var rest = numbers[...]
    let read: Reading = { body in
      let descriptor = try FileSystem.openFile(list, followsLinks: true)
      defer { FileSystem.release(descriptor) }
      try ShardFolder.read(descriptor, body)
      return true
    }
    try eachLine(of: DisplayText.visible(list), read) { number, line in
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

  /// Reads a file piece by piece until its argument returns false; false if there is no such file.
  private typealias Reading = (_ body: ([UInt8]) throws -> Bool) throws -> Bool

  /// Calls `body` with each line and its number from 1, until it returns false.
  private static func eachLine(
    of name: String, _ read: @escaping Reading, _ body: (Int, ArraySlice<UInt8>) throws -> Bool
  ) throws {
    var (number, line, isEnough) = (0, [UInt8](), false)
    do {
      let isThere = try read { piece in
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line += rest[..<end]
          number += 1
          isEnough = try !body(number, line[...])
          if isEnough { return false }
          line.removeAll(keepingCapacity: true)
          rest = rest[(end + 1)...]
        }
        line += rest
        guard line.count <= PathList.endless else {
          throw Fault(.software, "\(name) has a line of more than \(PathList.endless.grouped) bytes")
        }
        return true
      }
      guard isThere else { throw Fault(.software, "cannot read \(name): it does not exist") }
      if !isEnough, !line.isEmpty { _ = try body(number + 1, line[...]) }
    } catch let error as FileError {
      throw Fault(.software, "cannot read \(name): \(error.description)")
    } catch let error as MediaFailure {
      throw Fault(.software, "cannot read \(name): \(error.explanation)")
    }
  }
}
