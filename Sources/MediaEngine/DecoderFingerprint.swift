package import FileSupport
internal import Glibc
package import MediaEngineProtocol

/// The version of the decoders, with the state of each file that decides it: while no file changes, a new worker would have the same version.
///
/// The files are the worker's program, what the program loads, the folders of shared objects, and what the dynamic linker reads. A new file
/// in another folder of the linker changes its cache.
package struct DecoderFingerprint: Hashable, Sendable {
  /// The version as ``MediaEngine/version`` returns it.
  package let version: String
  /// The program of the worker, as the configuration has it.
  private let program: String
  /// The state of each path.
  private let files: [File]

  private struct File: Hashable {
    let path: String
    /// Nil if there is no such file.
    let status: String?

    init(path: String, status: String?) { (self.path, self.status) = (path, status) }

    /// The file as it is now.
    init(path: String) {
      let status = try? FileStatus(at: PathBytes(path))
      self.init(
        path: path, status: status.map { "\($0.device) \($0.inode) \($0.bytes) \($0.modified) \($0.changed)" })
    }
  }

  /// The decoders of an engine that has just started.
  /// - Parameters:
  ///   - description: What its worker has sent.
  ///   - program: The path of the worker's program.
  ///   - begun: A time before the start of the worker, of ``now()``.
  /// - Returns: Nil if the worker has not loaded everything, and if a file has changed since: the worker may have read the earlier one.
  package init?(_ description: EngineDescription, program: String, begun: Int) {
    guard !description.version.isEmpty, !description.files.isEmpty, description.files.count <= Self.fileLimit else {
      return nil
    }
    let objects = description.files.filter { $0.contains(".so") }
    let folders = objects.map { PathBytes($0).folder.text }
    let paths = Set(description.files + folders + [program] + Self.linker).sorted()
    let texts = paths + [description.version]
    guard !texts.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) else { return nil }
    // A folder may get other files at any time; what was loaded from it does not change with them.
    let isUnchanged = (description.files + [program]).allSatisfy { path in
      guard let status = try? FileStatus(at: PathBytes(path)) else { return false }
      return status.changed <= begun
    }
    guard isUnchanged else { return nil }
    (version, self.program, files) = (description.version, program, paths.map { File(path: $0) })
  }

  /// Whether every file is as it was, and workers have this program.
  package func isCurrent(program: String) -> Bool {
    program == self.program && files.allSatisfy { $0 == File(path: $0.path) }
  }

  /// Nanoseconds since 1970, on the clock of file systems.
  package static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// What the dynamic linker reads besides the objects.
  private static let linker = ["/etc/ld.so.cache", "/etc/ld.so.preload"]
  /// Twenty times what a worker loads.
  private static let fileLimit = 4_096
}

extension DecoderFingerprint {
  /// The first line of the file; another one is of another version of mediatool.
  private static let header = "mediatool decoders 1"

  /// The decoders that a file remembers; nil if it is missing or invalid. It can be deleted at any time.
  package init?(reading file: PathBytes) {
    guard let descriptor = try? FileSystem.openFile(file) else { return nil }
    defer { FileSystem.release(descriptor) }
    guard let status = try? FileStatus(descriptor: descriptor), status.bytes <= 1 << 20,
      let bytes = try? FileSystem.contents(of: descriptor),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count > 4, lines[0] == Self.header, lines.last == "" else { return nil }
    (version, program) = (lines[1], lines[2])
    var files: [File] = []
    for line in lines[3...].dropLast() {
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { return nil }
      files.append(File(path: parts[1], status: parts[0] == "-" ? nil : parts[0]))
    }
    self.files = files
  }

  /// Writes the file, unless it has the same content.
  package func write(to file: PathBytes) throws(FileError) {
    guard DecoderFingerprint(reading: file) != self else { return }
    let lines = [Self.header, version, program] + files.map { "\($0.status ?? "-")\t\($0.path)" }
    try AtomicFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: file, permissions: .userOnly)
  }
}
