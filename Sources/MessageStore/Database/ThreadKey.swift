internal import Foundation
internal import Messaging

/// The participants of a thread, and the key by which the same people are found again (A34).
struct ThreadKey {
  let participants: [String]
  let key: String

  /// - Parameter own: The person's own addresses, which are no participants.
  init(_ addresses: [String], own: [String] = []) {
    let own = Set(own.map { MessageRecipient($0).comparable })
    var seen: Set<String> = []
    let people = addresses.map { MessageRecipient($0.replacing(Self.separator, with: "")) }.filter {
      !$0.address.isEmpty && !own.contains($0.comparable) && seen.insert($0.comparable).inserted
    }
    participants = people.map(\.address)
    key = people.map(\.comparable).sorted().joined(separator: Self.separator)
  }

  /// U+001F, which no address has.
  private static let separator = "\u{1F}"

  var text: String { participants.joined(separator: Self.separator) }

  static func participants(_ text: String) -> [String] {
    text.isEmpty ? [] : text.components(separatedBy: separator)
  }
}
