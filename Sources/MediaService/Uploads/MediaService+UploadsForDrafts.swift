internal import GRDB
internal import MediaLibrary
internal import Synchronization

/// Files that are uploaded for a draft (R-TRAY-27).
extension MediaService {
  /// Adds a file that was taken in to the draft that its upload named.
  func addToDraft(
    _ attachment: inout IngestedAttachment?, claims: Upload.Claims, owner: String
  ) async throws(ServiceError) {
    guard let draft = claims.draft, let file = attachment?.id else { return }
    attachment?.draft = try await addToDraft(file, draft: draft, owner: owner)
  }

  /// Reports to the readers of a draft that its uploads have changed. The draft itself has not: its version stays.
  func reportToDraft(of upload: Upload) async {
    if let draft = upload.claims.draft { await reportToDraft(draft, of: upload.owner) }
  }

  func reportToDraft(_ id: String, of owner: String) async {
    let record = try? await database.read { try DraftRecord.fetch(id, $0) }
    guard let record, record.owner == owner, record.committed == nil else { return }
    feed.publish(.draft(id, version: record.version), for: owner)
  }
}

/// Files that arrive in one request for a draft. They have no row: what has not arrived when the process ends is lost.
final class Arrivals: Sendable {
  private let files = Mutex<[String: [MediaService.DraftAnswer.Upload]]>([:])

  /// The files that arrive for a draft.
  func uploads(for draft: String) -> [MediaService.DraftAnswer.Upload] { files.withLock { $0[draft] ?? [] } }

  func begin(_ id: Upload.ID, named name: String?, length: Int?, for draft: String) {
    let upload = MediaService.DraftAnswer.Upload(
      id: id.rawValue, state: Upload.State.receiving.rawValue, offset: 0, length: length, name: name)
    files.withLock { $0[draft, default: []].append(upload) }
  }

  func end(_ id: Upload.ID, for draft: String) {
    files.withLock { files in
      files[draft]?.removeAll { $0.id == id.rawValue }
      if files[draft]?.isEmpty == true { files[draft] = nil }
    }
  }
}
