internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("What deleted messages leave") struct DeletedTextTests {
  @Test("when the store is closed, no file has a word of a deleted message or thread", arguments: [true, false])
  func words(deletesThread: Bool) throws {
    let test = try TestStore()
    for number in 0..<50 { try test.store.receive(sms: "hello \(number)", from: Sample.ben, at: Double(number)) }
    let id = try #require(try test.store.receive(sms: "xylophone", from: Sample.ann, at: 900))
    let word = Array("xylophone".utf8)
    #expect(try !test.folder.files(containing: word).isEmpty)
    if deletesThread {
      try test.store.delete(try test.store.message(id).thread)
    } else {
      try test.store.delete(id)
    }
    try test.store.close()
    let left = try test.folder.files(containing: word)
    #expect(left == [], "\(left)")
    // The others are still found.
    let store = try MessageStore(folder: test.store.folder)
    #expect(try store.search("hello").count == 50)
    #expect(try store.verify().isEmpty)
    try store.close()
  }
}
