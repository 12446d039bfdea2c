internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

/// R-MMS-62, A24: names of parts.
@Suite struct PartNamesTests {
  private func name(_ name: String?, type: MediaType = .jpeg) -> String {
    var names = PartNames()
    return names.name(for: name, type: type)
  }

  @Test(
    "Characters except letters, digits and _#.()?&%- become #, and paths are removed",
    arguments: [
      ("/sdcard/DCIM/IMG_0001.jpg", "IMG_0001.jpg"), ("C:\\Users\\x y.jpg", "x#y.jpg"), ("a\"><b>'.jpg", "a###b##.jpg"),
      ("größe.jpg", "gr##e.jpg"), ("(1)?&%-#_.jpg", "(1)?&%-#_.jpg"), ("a\u{202E}b\n.jpg", "a#b#.jpg"),
      ("😀.jpg", "#.jpg"),
    ])
  func cleaning(original: String, clean: String) { #expect(name(original) == clean) }

  @Test("A part without a name is named after its kind", arguments: ["", "/", "a/", "..", "../.."])
  func placeholders(original: String) {
    #expect(name(original) == "image.jpg")
    #expect(name(original, type: MediaType("text/vcard")) == "contact.vcf")
    #expect(name(nil, type: MediaType("application/x-unheard-of")) == "file")
  }

  @Test("At most 40 characters, truncated within the stem")
  func length() {
    let stem = String(repeating: "a", count: 50)
    #expect(name(stem + ".jpeg") == String(repeating: "a", count: 35) + ".jpeg")
    #expect(name(stem) == String(repeating: "a", count: 40))
    #expect(name("a." + stem) == "a." + String(repeating: "a", count: 38))
  }

  @Test("A repeated name gets _2, _3; if that is too long, the stem loses a character and is tried without a number")
  func uniqueness() {
    var names = PartNames()
    let long = String(repeating: "a", count: 36)
    #expect((0..<3).map { _ in names.name(for: "x/a.jpg", type: .jpeg) } == ["a.jpg", "a_2.jpg", "a_3.jpg"])
    #expect(names.name(for: "a_3.jpg", type: .jpeg) == "a_3_2.jpg")
    let cut =
      [36, 35, 34].map { String(repeating: "a", count: $0) + ".jpg" } + [String(repeating: "a", count: 34) + "_2.jpg"]
    #expect((0..<4).map { _ in names.name(for: long + ".jpg", type: .jpeg) } == cut)
  }

  @Test("Random names become valid, short and distinct", arguments: [1, 2, 3] as [UInt64])
  func randomNames(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", ".", "/", "é", "_2", "😀", "\u{0}", "jpg", String(repeating: "b", count: 30), "\u{301}"]
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_#.()?&%-")
    var names = PartNames()
    var seen: Set<String> = []
    for _ in 0..<3_000 {
      let original = (0..<random.below(5)).map { _ in pieces[random.below(pieces.count)] }.joined()
      let name = names.name(for: original, type: .png)
      #expect(seen.insert(name).inserted, "seed \(seed): \(original)")
      #expect((1...40).contains(name.count), "seed \(seed): \(original) → \(name)")
      #expect(name.allSatisfy(allowed.contains), "seed \(seed): \(original) → \(name)")
    }
  }
}
