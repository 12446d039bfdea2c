internal import FileSupport
internal import MediaLibrary

/// The library of a service, as the command finds it: only the service knows which files its labels, drafts and profile images use.
struct ServiceLibrary {
  private let library: Library
  /// What the service keeps beside the catalogue; empty if no service has used the library.
  let files: [PathBytes]

  init(_ library: Library) {
    self.library = library
    files = library.location.serviceFiles.filter { (try? FileStatus(at: $0)) != nil }
  }

  /// Keeps the originals of files whose moments are erased, because the service may use them otherwise. They stay until their attachments are deleted.
  func keepOriginals(of moments: [FileID]) throws {
    if files.isEmpty { return }
    for file in moments { try library.moments.addUse(Moments.serviceUse, of: file) }
  }

  /// Adds what the service may still have of erased files to a report.
  func add(to report: inout ErasureRequest.Report) {
    if files.isEmpty { return }
    report.notErased += files.map(\.description)
    report.isWiped = false
  }
}
