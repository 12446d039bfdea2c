internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct DigestTests {
  @Test(arguments: [
    // FIPS 180-4's own examples.
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `The digest is SHA-256`(_ word: String, _ count: Int, _ digest: String) throws {
    let text = String(repeating: word, count: count)
    var prober = MediaProber()
    prober.options.digest = true
    #expect(prober.facts(of: try MediaInput(bytes: Array(text.utf8))).sha256 == digest)
    #expect(MediaProber().facts(of: try MediaInput(bytes: Array(text.utf8))).sha256 == nil)
  }

  @Test func `A timeout of the digest keeps the facts`() throws {
    var prober = MediaProber()
    prober.options.digest = true
    prober.options.digestSeconds = 0
    let info = prober.facts(of: try MediaInput(bytes: TinyAudio.wav()))
    #expect(info.error?.code == .timedOut)
    #expect(info.sha256 == nil)
    #expect(info.duration == 1)
  }

  @Test func `A timeout of the facts keeps the digest`() throws {
    var prober = MediaProber()
    prober.options.digest = true
    prober.options.limits.probeSeconds = 0
    let info = prober.facts(of: try MediaInput(bytes: Array("abc".utf8)))
    #expect(info.error?.code == .timedOut)
    #expect(info.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
