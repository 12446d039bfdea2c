internal import FileSupport

/// A store of renditions or originals whose files are compared with the catalogue.
struct VerifiedStore {
  /// Identifies the store in a verification in parts, and is ascending in the order in which stores are verified.
  let key: String
  let store: DirectoryStore
  /// The addresses that the catalogue expects in it, after a given one.
  let expected: (ContentDigest?) throws(LibraryError) -> [ContentDigest]
  /// What a finding means for the library; nil if it is no problem.
  let problem: (ContentDigest, StoreComparison.Finding) -> Library.VerificationReport.Problem?

  var comparison: StoreComparison { StoreComparison(store: store, expected: expected) }
}

extension Library {
  /// The stores of renditions, then those of originals, each before its copy.
  func verifiedStores() throws(LibraryError) -> [VerifiedStore] {
    var stores = [renditions(.library, renditions.main)]
    if let copy = renditions.copy { stores.append(renditions(.copy, copy)) }
    for owner in try originalFolders() {
      let main = DirectoryStore(folder: location.originals.appending(owner))
      stores.append(originals(.library, main, of: main))
      if let copy = originals.copy(of: main.folder) {
        stores.append(originals(.copy, DirectoryStore(folder: copy), of: main))
      }
    }
    return stores
  }

  private func renditions(_ side: VerificationReport.Problem.Where, _ store: DirectoryStore) -> VerifiedStore {
    VerifiedStore(key: "0 \(side == .library ? 0 : 1)", store: store) { (after) throws(LibraryError) in
      // Renditions noted as garbage are not orphans: the next writer removes them.
      try self.database.renditionAddresses(after: after, limit: 1_000)
    } problem: { address, finding in
      switch finding {
      case .missing: .missingRendition(address, in: side)
      case .damaged: .damagedRendition(address, in: side)
      case .orphan: .orphanRendition(address, in: side)
      }
    }
  }

  private func originals(
    _ side: VerificationReport.Problem.Where, _ store: DirectoryStore, of main: DirectoryStore
  ) -> VerifiedStore {
    let owner = String(decoding: main.folder.name, as: UTF8.self)
    return VerifiedStore(key: "1 \(owner) \(side == .library ? 0 : 1)", store: store) {
      (after) throws(LibraryError) in
      try self.database.originalAddresses(in: main, after: after)
    } problem: { address, finding in
      guard let path = store.path(of: address) else { return nil }
      return switch finding {
      case .missing: .missingOriginal(path, in: side)
      case .damaged: .damagedOriginal(path, in: side)
      case .orphan: .orphanOriginal(path, in: side)
      }
    }
  }
}
