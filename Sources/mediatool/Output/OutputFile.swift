internal import FileSupport
internal import Glibc

/// Writes output files, with the folders above them.
enum OutputFile {
  /// Puts the bytes into the file at `path`, in place of what is there; writes them through a FIFO or a character device. Missing folders
  /// are created.
  static func write(_ bytes: [UInt8], to path: PathBytes) throws(FileError) {
    if let stream = try FileSystem.openStream(path) {
      defer { FileSystem.release(stream) }
      return try FileSystem.append(bytes, to: stream)
    }
    do throws(FileError) { try AtomicFile.write(bytes, to: path) } catch {
      guard error.code == ENOENT, !path.folder.bytes.isEmpty else { throw error }
      try FileSystem.makeFolder(path.folder, permissions: .shared)
      try AtomicFile.write(bytes, to: path)
    }
  }

  /// Writes a file whose failure fails the run.
  /// - Parameter sources: The files from which the bytes were made. None of them is replaced, under whatever name.
  static func writeOrFail(
    _ bytes: [UInt8], to path: PathBytes, sources: some Sequence<FileIdentity>
  ) throws(Fault) {
    if let identity = FileIdentity(ofFileReplacedAt: path), sources.contains(identity) {
      throw Fault(
        .software, "cannot write \(DisplayText.visible(path)): it would replace its source file; name another file")
    }
    do throws(FileError) { try write(bytes, to: path) } catch {
      throw Fault(error, writing: path)
    }
  }
}

extension FileIdentity {
  /// The identity of the regular file that an output at this path would replace; nil if there is none.
  init?(ofFileReplacedAt path: PathBytes) {
    guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file else { return nil }
    self = status.identity
  }

  /// The identity of the file that an input reads, links followed; nil if there is none, and for a pipe.
  init?(of input: Input) {
    let status: FileStatus?
    switch input.content {
    case .standardInput: status = try? FileStatus(descriptor: STDIN_FILENO)
    case .file: status = try? FileStatus(at: input.path)
    case .opened, .remote, .failed: status = nil
    }
    guard let status, status.kind == .file else { return nil }
    self = status.identity
  }
}

extension FileIdentity {
  /// The identities of the files at these paths; `-` is the file on standard input.
  static func all(_ paths: [PathBytes]) -> Set<FileIdentity> {
    Set(
      paths.compactMap { path in
        path.hasNUL ? nil : FileIdentity(of: Input(path: path, content: path.isStandardInput ? .standardInput : .file))
      })
  }
}

extension InputOptions {
  /// The identities of the files on the command line, and of the list.
  var namedFiles: Set<FileIdentity> {
    FileIdentity.all(files + [filesFrom].compactMap { $0 })
  }
}

extension FileError {
  /// Why a file cannot be written.
  var reason: String {
    switch code {
    case EEXIST: "a symbolic link, a pipe, a socket or a device is at this path and is not replaced; name another file"
    case EISDIR: "a folder is at this path; name a file in it"
    case ENXIO: "it is a socket, or a pipe that no process reads"
    case ENOTDIR: "one of the folders in its path is a file or a symbolic link"
    default: description
    }
  }

  /// Whether only this path cannot be written, because it is too long or occupied by something else.
  var isOfThisPath: Bool {
    [ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, ELOOP, ENOTEMPTY, EINVAL, EILSEQ].contains(code)
  }
}
