internal import MediaLibrary

/// An upload of an owner: the number of its content, which other owners may have uploaded, too.
struct HistoryFile: Hashable, Comparable, Sendable {
  let owner: String
  let content: Int

  static func < (one: HistoryFile, other: HistoryFile) -> Bool {
    (one.owner, one.content) < (other.owner, other.content)
  }
}

/// One thing that people and moderators do with what was sent. Moments, trips and texts are named by the number of the step that made them, since the ids of a library that
/// was killed may differ from those of one that was not. Each is one change: made completely, or not at all.
enum HistoryStep: Sendable {
  case upload(HistoryFile, collection: String?)
  case post(Int, owner: String, file: HistoryFile?, location: Int, visibility: Moment.Visibility)
  case edit(Int, text: Int, location: Int, visibility: Moment.Visibility, isStale: Bool)
  case makeTrip(Int, owner: String)
  case addToTrip(Int, [Int], before: Int?)
  case removeFromTrip(Int, [Int])
  case arrangeTrip(Int, [Int])
  case saveDraft(owner: String, text: Int, files: [HistoryFile])
  case shareLocations(Moment.LocationSharing, owner: String, isApplied: Bool)
  case backUp

  case block(content: Int)
  case unblock(content: Int)
  case blockImage(Int)
  case unblockImage(Int)
  case hideSimilar(image: Int)
  case quarantine(HistoryFile)
  case release(HistoryFile)
  case protect(HistoryFile)
  case report(note: Int, reader: Int)
  case releaseNote(Int)

  case eraseFile(HistoryFile)
  case eraseMoment(Int, owner: String)
  case eraseTrip(Int, owner: String, withMoments: Bool)
  case eraseCollection(String, owner: String)
  case eraseOwner(String)

  /// Whether it is an erasure: who got no report of it asks for it again.
  var isErasure: Bool {
    switch self {
    case .eraseFile, .eraseMoment, .eraseTrip, .eraseCollection, .eraseOwner: true
    default: false
    }
  }
}
