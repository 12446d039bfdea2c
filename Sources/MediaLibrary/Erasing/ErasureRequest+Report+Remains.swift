package import FileSupport

extension ErasureRequest.Report {
  /// What may still have erased data, a sentence each with the way out: of ``notErased`` and ``notWiped``. Empty if nothing may. Names are untrusted.
  package func remains(in location: LibraryLocation) -> [String] {
    var sentences = notErased.map { Self.remains($0, in: location) }
    switch notWiped {
    case .reader?:
      sentences.append(
        "another process is reading the library, so traces of the erased data remain in its files; after that process has ended, the next scan or erase removes them"
      )
    case .diskFull?:
      sentences.append(
        "the disk is too full to rewrite the catalogue; free some space, and the next scan or erase removes the remaining traces"
      )
    case nil: break
    }
    return sentences
  }

  private static func remains(_ name: String, in location: LibraryLocation) -> String {
    if name == copy {
      return
        "the library has a copy, which may still contain erased data; give its folder with --copy each time you erase"
    }
    if location.serviceFiles.contains(PathBytes(name)) {
      return """
        \(name) belongs to `mediatool serve` and may still contain erased data; start the service once and use its DELETE /v1/attachments/ID for a \
        file; for an owner, install mediatool-server and erase again, or use DELETE /v1/owner
        """
    }
    guard PathBytes(name).isInside(location.drafts) else {
      return "\(name) may still contain erased data; remove this file"
    }
    return """
      the draft \(name) cannot be read and may still contain erased data; remove this file, or run `mediatool verify --repair`, which \
      moves a damaged draft to the folder `damaged`, from where the next erase removes it
      """
  }
}

extension LibraryLocation {
  /// What a service keeps beside the catalogue and no erasure of the library alone reaches: its database, uploads under way, messages.
  package var serviceFiles: [PathBytes] {
    ["service.sqlite", "uploads", "messages"].map { data.appending($0.utf8) }
  }
}
