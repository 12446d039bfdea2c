internal import FileSupport
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Library {
  /// Puts right what can be: damaged and missing files from the copy, the copy from the library; what the catalogue derives from its rows, from
  /// the rows. A rendition that is nowhere whole goes, so that the next scan makes it again; an original that is nowhere whole is noted as vanished.
  /// Originals that the catalogue does not know are new files to it; renditions that no file has are removed. Nobody may be scanning meanwhile.
  ///
  /// A catalogue that is damaged itself is made again by ``rebuild(at:options:)``.
  public func repair(_ found: (LibraryProblem) -> Void = { _ in }) throws(LibraryError) -> VerificationReport {
    guard access == .writing else { throw LibraryError(.readOnly, "The library was opened read-only.") }
    try finishErasures()
    var report = VerificationReport()
    try inspect { (problem) throws(LibraryError) in
      report.problems[problem.code, default: 0] += 1
      found(problem)
      if try repair(problem) { report.repaired += 1 }
    } checked: {
      report.checked += $0
    }
    try finishErasures()
    return report
  }

  private func repair(_ problem: LibraryProblem) throws(LibraryError) -> Bool {
    switch problem {
    case .catalogue: return false
    case .derived:
      // All of it at once; the others of its kind are right then too.
      try database.write { db in try DerivedChecks(db).rebuild() }
    case .missingRendition(let address, let whichStore), .damagedRendition(let address, let whichStore):
      let (store, other) = sides(renditions.main, renditions.copy, whichStore)
      if let other, try other.isIntact(address) == true, let path = other.path(of: address) {
        try store.remove(address)
        _ = try store.putFile(at: path)
      } else if whichStore == .library {
        try database.dropRendition(address)
        try store.remove(address)
      } else {
        // The library's own is put right first, or it is gone from both.
        try store.remove(address)
      }
    case .orphanRendition(let address, let whichStore):
      try sides(renditions.main, renditions.copy, whichStore).store.remove(address)
    case .missingOriginal(let path, let whichStore), .damagedOriginal(let path, let whichStore):
      return try repairOriginal(path, whichStore)
    case .orphanOriginal(let path, .library):
      guard let stamp = FileStamp(at: path) else { return false }
      try database.apply([.discovered(stamp)])
    case .orphanOriginal(let path, .copy):
      // It was lost with its row: the catalogue was made again. Or it was being erased, and then the library has done so before it came here.
      guard let main = originals.original(of: path), try restore(main, from: path), let stamp = FileStamp(at: main)
      else {
        return false
      }
      try database.apply([.discovered(stamp)])
    case .leftover(let path): try StoreFiles.remove(path)
    }
    return true
  }

  private func sides(
    _ main: DirectoryStore, _ copy: DirectoryStore?, _ whichStore: LibraryProblem.Where
  ) -> (store: DirectoryStore, other: DirectoryStore?) {
    switch whichStore {
    case .library: (main, copy)
    case .copy: (copy ?? main, main)
    }
  }

  private func repairOriginal(_ path: PathBytes, _ whichStore: LibraryProblem.Where) throws(LibraryError) -> Bool {
    switch whichStore {
    case .library:
      if let copy = originals.copy(of: path), try restore(path, from: copy) {
        // Another file now, with the bytes that it had.
        guard let stamp = FileStamp(at: path), let known = try database.file(at: path) else { return true }
        try database.apply([.moved(known.id, to: stamp)])
        return true
      }
      guard let known = try database.file(at: path) else { return false }
      // Damaged bytes are not what anybody kept, and are not kept under its name.
      try StoreFiles.remove(path)
      try database.apply([.vanished(known.id)])
      return true
    case .copy:
      guard let main = originals.original(of: path) else { return false }
      return try restore(path, from: main)
    }
  }

  /// Puts a file of a store back from another, if that has the bytes that belong there.
  private func restore(_ path: PathBytes, from other: PathBytes) throws(LibraryError) -> Bool {
    let (to, from) = (DirectoryStore(folder: path.folder.folder), DirectoryStore(folder: other.folder.folder))
    let digits = String(decoding: path.folder.name + path.name, as: UTF8.self)
    guard let address = ContentDigest(hexadecimal: digits), try from.isIntact(address) == true else { return false }
    try to.remove(address)
    return try to.putFile(at: other) == address
  }

  /// Opens a library whose catalogue is damaged or gone: the catalogue as it was backed up last, else an empty one; then everything that the stores have
  /// is put in, as by ``repair(_:)``. What lies in other folders comes back with the next scan of these; files whose digests are known are not
  /// decoded again. The damaged catalogue is removed.
  public static func rebuild(
    at location: LibraryLocation, options: Options = Options(), _ found: (LibraryProblem) -> Void = { _ in }
  ) throws(LibraryError) -> (library: Library, report: VerificationReport) {
    guard StoreFiles.size(location.data) != nil || StoreFiles.size(location.cache) != nil else {
      throw LibraryError(.notFound, "The library does not exist.", detail: "\(location.data)")
    }
    try replaceCatalogue(at: location, options: options)
    let library = try open(at: location, for: .writing, options: options)
    return (library, try library.repair(found))
  }

  private static func replaceCatalogue(at location: LibraryLocation, options: Options) throws(LibraryError) {
    // Held while files are exchanged: nobody else may have it open for writing.
    let lock = try WriterLock(folder: location.data)
    defer { lock.release() }
    // Its log first: left behind by a process that dies here, it would be played back into the next catalogue.
    for suffix in ["-wal", "-shm", ""] {
      try StoreFiles.remove(PathBytes(location.catalogue.bytes + Array(suffix.utf8)))
    }
    guard let copy = options.copy, let source = try StoreFiles.openFile(copy.appending("catalogue.sqlite".utf8)) else {
      return
    }
    defer { FileSystem.release(source) }
    try StoreFiles.write(to: location.catalogue.name, in: location.data) { (descriptor) throws(LibraryError) in
      try StoreFiles.pieces(of: source) { (piece) throws(LibraryError) in
        try StoreFiles.put(piece, into: descriptor)
      }
    }
  }
}

extension SQLiteCatalogue {
  /// Takes a rendition from all files that have it; they are seen to lack it by the next scan.
  func dropRendition(_ address: ContentDigest) throws(LibraryError) {
    try write { db in
      let data = Data(address.bytes)
      try db.execute(
        sql: "UPDATE file SET recipe = NULL WHERE content IN (SELECT content FROM rendition WHERE address = ?)",
        arguments: [data])
      try db.execute(
        sql: """
          UPDATE folder SET fingerprint = NULL WHERE id IN (SELECT file.folder FROM rendition CROSS JOIN file
            ON file.content = rendition.content WHERE rendition.address = ?)
          """, arguments: [data])
      try db.execute(sql: "DELETE FROM rendition WHERE address = ?", arguments: [data])
    }
  }
}
