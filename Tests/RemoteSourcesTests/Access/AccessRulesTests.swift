internal import MediaModel
internal import Testing

@testable internal import RemoteSources

@Suite("Who may be talked to") struct AccessRulesTests {
  private func allows(
    _ addresses: [String], _ host: String = "a.example.org", port: Int = 443, patterns: [String] = [],
    endpoint: (host: String, port: Int)? = nil, isEndpoint: Bool = false
  ) -> String? {
    let rules = AccessRules(patterns: patterns.compactMap { RemoteClient.Pattern($0) }, endpoint: endpoint)
    do throws(MediaFailure) {
      _ = try rules.allowed(addresses.compactMap(IPAddress.init), of: host, port: port, isEndpoint: isEndpoint)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("without patterns, hosts with public addresses only are read") func publicOnly() {
    #expect(allows(["8.8.8.8"]) == nil)
    #expect(
      allows(["127.0.0.1"])
        == "The source has a loopback address; only public ones are read, unless a pattern allows others (--allow-source)."
    )
    #expect(
      allows(["169.254.169.254"])
        == "The source has a metadata address; only public ones are read, unless a pattern allows others (--allow-source)."
    )
    #expect(
      allows(["::ffff:8.8.8.8"])
        == "The source has an IPv4-mapped address; only public ones are read, unless a pattern allows others (--allow-source)."
    )
  }

  @Test("one private address among public ones refuses the host") func mixed() {
    #expect(
      allows(["8.8.8.8", "10.0.0.1"])
        == "The source has a private address; only public ones are read, unless a pattern allows others (--allow-source)."
    )
  }

  @Test("a named host may have private addresses, but neither link-local nor metadata ones") func namedHost() {
    let patterns = ["a.example.org"]
    #expect(allows(["10.0.0.1"], patterns: patterns) == nil)
    #expect(allows(["127.0.0.1"], patterns: patterns) == nil)
    #expect(allows(["169.254.169.254"], patterns: patterns)?.contains("metadata") == true)
    #expect(allows(["169.254.0.1"], patterns: patterns)?.contains("link-local") == true)
  }

  @Test("a domain matches the hosts below it, at public addresses") func domain() {
    let patterns = ["*.example.org"]
    #expect(allows(["8.8.8.8"], patterns: patterns) == nil)
    #expect(allows(["10.0.0.1"], patterns: patterns)?.contains("private") == true)
    #expect(
      allows(["8.8.8.8"], "example.org", patterns: patterns)
        == "The source matches no allowed pattern (--allow-source).")
    #expect(
      allows(["8.8.8.8"], "evilexample.org", patterns: patterns)
        == "The source matches no allowed pattern (--allow-source).")
  }

  @Test("a block of addresses matches all hosts that have them") func block() {
    #expect(allows(["10.0.0.1"], patterns: ["10.0.0.0/8"]) == nil)
    #expect(allows(["8.8.8.8"], patterns: ["10.0.0.0/8"]) == "The source matches no allowed pattern (--allow-source).")
    #expect(allows(["169.254.169.254"], patterns: ["169.254.169.254"]) == nil)
  }

  @Test("a port in a pattern is the only one that it matches") func port() {
    #expect(allows(["127.0.0.1"], port: 9_000, patterns: ["127.0.0.1:9000"]) == nil)
    #expect(allows(["127.0.0.1"], port: 9_001, patterns: ["127.0.0.1:9000"])?.contains("loopback") == true)
  }

  @Test("the configured endpoint may be private, other hosts and ports may not") func endpoint() {
    let endpoint = (host: "s3.internal", port: 9_000)
    #expect(allows(["10.0.0.1"], "s3.internal", port: 9_000, endpoint: endpoint, isEndpoint: true) == nil)
    #expect(allows(["10.0.0.1"], "b.s3.internal", port: 9_000, endpoint: endpoint, isEndpoint: true) == nil)
    #expect(allows(["10.0.0.1"], "s3.internal", port: 80, endpoint: endpoint, isEndpoint: true) != nil)
    #expect(allows(["10.0.0.1"], "s3.internal", port: 9_000, endpoint: endpoint) != nil)
  }

  @Test("a bucket is read if a pattern names it") func bucket() {
    let rules = AccessRules(patterns: [RemoteClient.Pattern("s3://photos/2024/")].compactMap { $0 })
    #expect(throws: Never.self) { try rules.check(bucket: "photos", key: Array("2024/a.jpg".utf8)) }
    #expect(throws: MediaFailure.self) { try rules.check(bucket: "photos", key: Array("2023/a.jpg".utf8)) }
    #expect(throws: MediaFailure.self) { try rules.check(bucket: "other", key: Array("2024/a.jpg".utf8)) }
  }

  @Test(
    "invalid patterns are refused", arguments: ["", "*.", "a b", "https://x/", "10.0.0.0/99", "a:0", "s3://", "a..b"])
  func invalid(pattern: String) { #expect(RemoteClient.Pattern(pattern) == nil) }
}
