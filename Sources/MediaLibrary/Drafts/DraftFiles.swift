internal import Crypto
internal import FileSupport

/// File operations of the draft store: ``FileSystem`` and ``AtomicFile`` with ``DraftStore/Failure``.
enum DraftFiles {
  /// SHA-256 in lower-case hexadecimal.
  static func digest(_ text: String) -> String { Hexadecimal.encode(SHA256.hash(data: Array(text.utf8))) }

  /// Writes the file `name` in `folder` atomically, and replaces an existing one.
  static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("write \(folder)/\(name)") { () throws(FileError) in
      try AtomicFile.write(bytes, to: PathBytes("\(folder)/\(name)"), permissions: .userOnly)
    }
  }

  /// Copies the file at `path` to `name` in `folder`.
  static func copy(_ path: String, to name: String, in folder: String) throws(DraftStore.Failure) {
    let source: CInt
    do throws(FileError) { source = try FileSystem.openFile(PathBytes(path), followsLinks: true) } catch {
      throw DraftStore.Failure(error, error.isNotAFile ? "copy \(path), which is not a regular file" : "open \(path)")
    }
    defer { FileSystem.release(source) }
    try DraftStore.Failure.mapping("write \(folder)/\(name)") { () throws(FileError) in
      let file = try AtomicFile(at: PathBytes("\(folder)/\(name)"), permissions: .userOnly)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        let count = try FileSystem.fill(buffer, from: source)
        if count == 0 { break }
        try FileSystem.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file.descriptor)
      }
      try file.commit()
    }
  }

  /// The content of a file; nil if there is none.
  static func read(_ path: String) throws(DraftStore.Failure) -> [UInt8]? {
    do throws(FileError) {
      let descriptor = try FileSystem.openFile(PathBytes(path))
      defer { FileSystem.release(descriptor) }
      return try FileSystem.contents(of: descriptor)
    } catch {
      if error.isNotFound { return nil }
      throw DraftStore.Failure(error, "read \(path)")
    }
  }

  /// Whether a path exists, links followed.
  static func exists(_ path: String) -> Bool { (try? FileStatus(at: PathBytes(path))) != nil }

  /// Time of the last write in seconds since 1970; nil if the file does not exist.
  static func modified(_ path: String) -> Int? {
    (try? FileStatus(at: PathBytes(path), followsLinks: false)).map {
      FileStatus.seconds(ofNanoseconds: $0.modified)
    }
  }

  static func remove(_ path: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("remove \(path)") { () throws(FileError) in
      _ = try FileSystem.removeFile(PathBytes(path))
    }
  }

  /// Syncs the names in a folder.
  static func sync(_ folder: String) throws(DraftStore.Failure) {
    try DraftStore.Failure.mapping("sync the folder \(folder)") { () throws(FileError) in
      try FileSystem.syncFolder(PathBytes(folder))
    }
  }
}
