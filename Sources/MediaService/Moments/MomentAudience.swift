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
}

extension MediaService {
  /// Whether a moment of a file's owner that the caller sees shows the file.
  func isShown(_ file: FileID, of owner: String, to caller: Caller) async throws -> Bool {
    let audience = caller.audience(of: owner)
    return try await library.readMoments { try $0.shows(file, of: owner, to: audience) }
  }
}
