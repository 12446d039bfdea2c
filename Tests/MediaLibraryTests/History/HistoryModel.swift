internal import MediaLibrary

/// What a library has to have after a history, in dictionaries.
struct HistoryModel {
  static let owners = ["ada", "bob", "cleo"]
  /// Contents that anybody may upload; of each third one, the library has no perceptual hash.
  static let contents = 6
  /// The image that a content looks like: one of two, or none.
  static func image(of content: Int) -> Int? { content % 3 == 2 ? nil : content % 3 }
  /// The number of reports that hold a note.
  static let reportsToHold = 2

  struct File {
    var collection: String?
    var isQuarantined = false
    var isProtected = false
    /// Whether a moderator has released it since it was quarantined last.
    var isReleased = false
  }

  struct Post {
    var owner: String
    var file: HistoryFile?
    var text: Int
    var location: Int?
    var sharesLocation: Bool
    var visibility: Moment.Visibility
    var isHeld = false
    var reports: Set<Int> = []
    /// Whether a moderator has released it, and its texts are still those.
    var isReleased = false
    var version = 1
  }

  struct Journey {
    var owner: String
    var members: [Int] = []
    var version = 1
  }

  var files: [HistoryFile: File] = [:]
  var posts: [Int: Post] = [:]
  var trips: [Int: Journey] = [:]
  var collections: [String: Set<String>] = [:]
  var sharing: [String: Moment.LocationSharing] = [:]
  var drafts: [String: (text: Int, files: [HistoryFile])] = [:]
  var blocked: Set<Int> = []
  var blockedImages: Set<Int> = []
  /// Number of entries of the audit trail.
  var decisions = 0

  func isHidden(_ file: HistoryFile) -> Bool { blocked.contains(file.content) || files[file]?.isQuarantined == true }

  /// Whether an audience sees a post.
  func shows(_ post: Post, to audience: Moment.Scope.Audience) -> Bool {
    if post.file.map(isHidden) ?? false { return false }
    switch audience {
    case .owner: return true
    case .friends: return !post.isHeld && post.visibility != .private
    case .everyone: return !post.isHeld && post.visibility == .public
    }
  }

  /// The location that an audience sees.
  func location(of post: Post, for audience: Moment.Scope.Audience) -> Int? {
    switch audience {
    case .owner: post.location
    case .friends: post.sharesLocation ? post.location : nil
    case .everyone: nil
    }
  }

  func sharing(of owner: String) -> Moment.LocationSharing { sharing[owner] ?? .private }

  /// The members of a trip that its owner sees.
  func members(of trip: Journey) -> [Int] {
    trip.members.filter { posts[$0].map { shows($0, to: .owner) } ?? false }
  }

  /// The posts that their owners see.
  var shown: [Int] { posts.filter { shows($0.value, to: .owner) }.keys.sorted() }
}
