internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A small JSON file in the folder of a library.
protocol LibraryRecord: Codable {
  /// The name of the file.
  static var name: [UInt8] { get }
}

extension LibraryRecord {
  /// The record of a folder; nil if there is none that can be read.
  static func read(in folder: PathBytes) throws(LibraryError) -> Self? {
    guard let bytes = try StoreFiles.start(of: folder.appending(name), count: 4_096) else { return nil }
    return try? JSONDecoder().decode(Self.self, from: Data(bytes))
  }

  /// Writes the record atomically into an existing folder.
  func write(in folder: PathBytes) throws(LibraryError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let bytes = try? encoder.encode(self) else {
      throw LibraryError(
        .system, "\(String(decoding: Self.name, as: UTF8.self)) cannot be encoded; report this error.", path: folder)
    }
    let path = folder.appending(Self.name)
    try LibraryError.mapping("write \(path)") { () throws(FileError) in
      try AtomicFile.write(Array(bytes) + [0x0A], to: path, permissions: .userOnly)
    }
  }
}
