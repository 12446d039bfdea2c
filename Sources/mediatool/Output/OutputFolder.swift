internal import ArgumentParser
internal import FileSupport
internal import Glibc
internal import MediaModel

/// The folder into which images and parts are written. Nothing is written outside of it: no link in it is followed.
struct OutputFolder: Sendable {
  let path: PathBytes
  private let handle: FolderHandle
  /// Whether it was created although nobody named it.
  private let isUnasked: Bool

  /// The identity of the folder, independent of its path.
  var identity: FileIdentity { handle.identity }

  /// Creates the folder if necessary, and tries to write to it: a failure now is better than one after an hour.
  /// - Parameter isAskedFor: Whether the user named it; see ``removeIfUnasked()``.
  init(_ path: PathBytes, isAskedFor: Bool = true) throws(Fault) {
    self.path = path
    do throws(FileError) {
      let exists = FileIdentity(ofFolder: path) != nil
      isUnasked = !isAskedFor && !exists
      if !exists { try FileSystem.makeFolder(path, permissions: .shared) }
      handle = try FolderHandle.openForWriting(path)
      let probe = Array(".mediatool-\(getpid()).tmp".utf8)[...]
      // Created, and removed again without being synced: a sync may take as long as a thumbnail.
      _ = try AtomicFile(named: probe, in: handle)
    } catch {
      throw Fault(.software, "cannot write to the output folder \(DisplayText.visible(path)): \(error.reason)")
    }
  }

  /// Checks what was given for `--output`.
  static func checkName(_ path: PathBytes?) throws {
    guard let path else { return }
    if path.bytes.isEmpty || path.hasNUL {
      throw ValidationError("--output takes a folder name that is not empty and contains no NUL byte.")
    }
    if path.isStandardInput {
      throw ValidationError("--output takes a folder here, not standard output; write ./- for a folder called -.")
    }
  }

  /// Removes a folder that was created without being named and in which nothing was written.
  func removeIfUnasked() { if isUnasked { _ = try? FileSystem.removeEmptyFolder(path) } }

  /// The file that ``write(_:to:)`` would replace; nil if there is none.
  func identity(ofFileAt name: String) -> FileIdentity? { FileIdentity(ofFileReplacedAt: path.appending(name.utf8)) }

  /// Whether one of these files has this name in the folder, so that ``write(_:to:)`` would replace it.
  func holds(_ name: String, anyOf sources: Set<FileIdentity>) -> Bool {
    !sources.isEmpty && identity(ofFileAt: name).map(sources.contains) ?? false
  }

  /// Whether it is one of these folders, or inside of one.
  func isInside(anyOf folders: Set<FileIdentity>) -> Bool {
    guard !folders.isEmpty else { return false }
    var place = path
    // Ends at the root, which is its own parent.
    var last: FileIdentity?
    while let identity = FileIdentity(ofFolder: place), identity != last {
      if folders.contains(identity) { return true }
      last = identity
      place = place.appending("..".utf8)
    }
    return false
  }

  /// Writes a file as `name`, in which slashes separate folders. A file with this name is replaced.
  /// - Returns: The path as written, or why this name cannot be written.
  /// - Throws: An error that would affect every other file, for example a full disk.
  func write(_ bytes: [UInt8], to name: String) throws(Fault) -> Result<PathBytes, MediaFailure> {
    try write(name) { folder, part throws(FileError) in
      try AtomicFile.write(bytes, named: part, in: folder)
      return part
    }
  }

  /// Writes a file as `name`, or with a number if anything has this name: `thesis.pdf`, `thesis_2.pdf`, and on. For a name that somebody
  /// else has chosen: it never decides what is replaced.
  /// - Returns, Throws: As ``write(_:to:)``.
  func writeNew(_ bytes: [UInt8], to name: String) throws(Fault) -> Result<PathBytes, MediaFailure> {
    try write(name) { folder, part throws(FileError) in
      for number in 1...Self.maxNumber {
        let candidate = Self.numbered(part, number)
        do throws(FileError) {
          try AtomicFile.writeNew(bytes, named: candidate, in: folder)
          return candidate
        } catch {
          guard error.isInTheWay else { throw error }
        }
      }
      throw FileError(code: EEXIST)
    }
  }

  /// Where a sender repeats a name, and somebody the command, the search for a free number ends.
  private static let maxNumber = 10_000

  /// The name with a number before its extension; without one for 1.
  private static func numbered(_ name: ArraySlice<UInt8>, _ number: Int) -> ArraySlice<UInt8> {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    return name[..<dot] + Array("_\(number)".utf8) + name[dot...]
  }

  /// Opens the folder of a name, writes the file, and returns its path.
  private func write(
    _ name: String, _ body: (FolderHandle, ArraySlice<UInt8>) throws(FileError) -> ArraySlice<UInt8>
  ) throws(Fault) -> Result<PathBytes, MediaFailure> {
    // Octets, because a slash and a combining mark after it are one character.
    let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { Array($0)[...] }
    let place = parts.dropLast().reduce(path) { $0.appending($1) }
    do throws(FileError) {
      var folder = handle
      for part in parts.dropLast() { folder = try folder.makeFolder(part) }
      return .success(place.appending(try body(folder, parts.last ?? [])))
    } catch {
      if error.isOfThisPath {
        return .failure(MediaFailure(.unwritable, "The file cannot be written: \(error.reason)."))
      }
      throw Fault(error, writing: place.appending(parts.last ?? []))
    }
  }
}
