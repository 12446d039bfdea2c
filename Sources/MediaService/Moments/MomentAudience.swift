internal import MediaLibrary

extension Caller {
  /// What a label begins with that makes its holder a friend; the name of the owner follows.
  static let friendLabel = "friends:"

  /// The owners whose friend the caller is: those of its labels `friends:OWNER`.
  var friends: [String] {
    labels.filter { $0.utf8.starts(with: Self.friendLabel.utf8) }
      .map { String(decoding: $0.utf8.dropFirst(Self.friendLabel.utf8.count), as: UTF8.self) }.sorted()
  }

  /// As whom the caller reads what an owner has. Names are compared by bytes, as the catalogue does.
  func audience(of owner: String) -> Moment.Scope.Audience {
    func isSame(_ name: String) -> Bool { name.utf8.elementsEqual(owner.utf8) }
    if isSame(self.owner) { return .owner }
    return friends.contains(where: isSame) ? .friends : .everyone
  }

  /// Whether the caller sees a moment of somebody else that is not hidden by moderation.
  func sees(_ moment: Moment) -> Bool {
    guard moment.state == .shown else { return false }
    return switch (moment.visibility, audience(of: moment.owner)) {
    case (_, .owner), (.public, _), (.friends, .friends): true
    default: false
    }
  }
}

extension MediaService {
  /// Whether a moment that the caller sees shows a file.
  func isShown(_ file: FileID, to caller: Caller) async throws -> Bool {
    try await library.readMoments { try $0.moments(of: file) }.contains { caller.sees($0) }
  }
}
