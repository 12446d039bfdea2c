internal import Foundation
internal import MediaService
internal import Metrics
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// The response of `GET /metrics`, read as Prometheus reads it (text format 0.0.4).
@Suite struct ExpositionTests {
  @Test func `Each metric has its help and its type before its first sample`() async throws {
    let registry = PrometheusRegistry()
    try await TestServer.start(
      configure: {
        $0.metrics = registry
        $0.requests.rate = 1e6
      }, serving: { $0.metrics = registry }
    ) { server in
      let photo = try await server.request(
        "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
        body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
      #expect(photo.status == 201)
      _ = try await server.request("GET", "/v1/attachments/999")
      let text = try await server.request("GET", "/metrics").text
      let exposition = try Exposition(text)
      #expect(exposition.withoutHelp == [])
      #expect(exposition.withoutType == [])
      #expect(exposition.divided == [])
      for name in [
        "mediatool_requests_total", "mediatool_request_duration_seconds", "mediatool_requests_in_progress",
        "mediatool_uploads_total", "mediatool_upload_bytes_total", "mediatool_uploads_open",
        "mediatool_upload_examination_seconds",
      ] {
        #expect(exposition.names.contains(name), "\(name)")
      }
    }
  }

  @Test func `A sample without help, without type, or apart from its metric is found`() throws {
    let incomplete = try Exposition("a 1\n# HELP b B.\nb 1\n# TYPE c counter\nc{x=\"}\\\"\"} 1\n")
    #expect(incomplete.withoutHelp == ["a", "c"])
    #expect(incomplete.withoutType == ["a", "b"])
    let divided = try Exposition(
      "# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 1\na{x=\"1\"} 2\n")
    #expect(divided.divided == ["a"])
    #expect(throws: Exposition.Unreadable.self) { try Exposition("a{x=1} 2\n") }
    #expect(throws: Exposition.Unreadable.self) { try Exposition("a 1") }
  }

  @Test func `Every metric of the sources has a help of its own and stands in docs security`() throws {
    let sources = Corpus.packageRoot.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var named = Set<String>()
    for case let file as URL in files where file.pathExtension == "swift" {
      if file.lastPathComponent == "MetricHelp.swift" { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      named.formUnion(text.matches(of: /"(mediatool_[a-z_]+)"/).map { String($0.1) })
    }
    let page = try String(
      contentsOf: Corpus.packageRoot.appendingPathComponent("docs/security.md"), encoding: .utf8)
    let documented = Set(page.matches(of: /`(mediatool_[a-z_]+)`/).map { String($0.1) })
    #expect(named.count > 20)
    #expect(named.subtracting(MetricHelp.texts.keys).sorted() == [])
    #expect(Set(MetricHelp.texts.keys).subtracting(named).sorted() == [])
    #expect(named.symmetricDifference(documented).sorted() == [])
  }

  @Test func `A help is one line without backslashes, which needs no escapes`() {
    for (name, text) in MetricHelp.texts {
      #expect(!text.isEmpty, "\(name)")
      #expect(!text.contains { $0.isNewline || $0 == "\\" }, "\(name)")
    }
  }
}

/// A text in the exposition format, with what is missing in it.
private struct Exposition {
  /// A line that is neither a comment nor a sample.
  struct Unreadable: Error {
    let line: String
  }

  /// Metrics that have samples.
  private(set) var names = Set<String>()
  /// Metrics whose first sample comes before their help.
  private(set) var withoutHelp: [String] = []
  /// Metrics whose first sample comes before their type.
  private(set) var withoutType: [String] = []
  /// Metrics whose samples, help and type do not stand together.
  private(set) var divided: [String] = []

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Unreadable(line: "the last line has no end") }
    var help = Set<String>()
    var types: [String: String] = [:]
    var seen = Set<String>()
    var current = ""
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let name: String
      if let found = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
        name = String(found.1)
        if !help.insert(name).inserted { throw Unreadable(line: line) }
      } else if let found = line.wholeMatch(
        of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)/)
      {
        name = String(found.1)
        if types.updateValue(String(found.2), forKey: name) != nil { throw Unreadable(line: line) }
      } else {
        let sample = try Self.sample(line)
        name = Self.family(of: sample, types)
        if names.insert(name).inserted {
          if !help.contains(name) { withoutHelp.append(name) }
          if types[name] == nil { withoutType.append(name) }
        }
      }
      if !seen.insert(name).inserted && name != current { divided.append(name) }
      current = name
    }
  }

  /// The name of a sample whose labels and value can be read.
  private static func sample(_ line: String) throws -> String {
    let labels = #/(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\["\\n])*",?)*\})?/#
    guard let name = line.prefixMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/),
      let end = line[name.range.upperBound...].prefixMatch(of: labels)?.range.upperBound,
      line[end...].first == " ", Double(line[end...].dropFirst()) != nil
    else { throw Unreadable(line: line) }
    return String(name.output)
  }

  /// A histogram's samples have names of their own.
  private static func family(of sample: String, _ types: [String: String]) -> String {
    for suffix in ["_bucket", "_sum", "_count"] where sample.hasSuffix(suffix) {
      let name = String(sample.dropLast(suffix.count))
      if types[name] == "histogram" { return name }
    }
    return sample
  }
}
