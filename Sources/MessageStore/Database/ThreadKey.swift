internal import Foundation
internal import Messaging

/// The participants of a thread, and the key by which the same people are found again (A34).
struct ThreadKey {
  let participants: [String]
  let key: String

  /// - Parameter own: The person's own addresses, which are no participants.
  ///
  /// Messages to oneself are a thread of their own, which has one's own address as its participant. Messages whose sender is hidden are
  /// another one, without participants.
  init(_ addresses: [String], own: [String] = []) {
    let own = Set(own.map(Self.comparable))
    var seen: Set<String> = []
    let all = addresses.map { MessageRecipient($0.withoutNUL.replacing(Self.separator, with: "")) }.filter {
      !$0.address.isEmpty && seen.insert($0.comparable).inserted
    }
    let others = all.filter { !own.contains($0.comparable) }
    let isToOneself = others.isEmpty && !all.isEmpty
    participants = (isToOneself ? Array(all.prefix(1)) : others).map(\.address)
    key = isToOneself ? Self.toOneself : others.map(\.comparable).sorted().joined(separator: Self.separator)
  }

  /// Whether a key is that of the participants, whatever one's own addresses were when it was made.
  static func isKey(_ key: String, of participants: [String]) -> Bool {
    key == ThreadKey(participants).key || key == toOneself && participants.count == 1
  }

  /// The form in which two addresses are equal exactly if they are the same person's.
  static func comparable(_ address: String) -> String { MessageRecipient(address.withoutNUL).comparable }

  /// U+001F, which no address has.
  private static let separator = "\u{1F}"
  /// The key of messages to oneself, which is no key of participants.
  private static let toOneself = separator

  var text: String { participants.joined(separator: Self.separator) }

  static func participants(_ text: String) -> [String] {
    text.isEmpty ? [] : text.components(separatedBy: separator)
  }
}
