internal import NIOCore
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// The page as a browser gets it. What it does there is tested by `make test-page`.
@Suite struct PageRouteTests {
  @Test func `Page and map are HTML that loads only files of this server, and needs no token`() async throws {
    let keys = try Tokens.keys()
    try await TestServer.start {
      $0.keys = keys
    } _: { server in
      for path in ["/", "/map"] {
        let answer = try await server.request("GET", path)
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/html; charset=utf-8")
        let policy = answer["Content-Security-Policy"] ?? ""
        for directive in [
          "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
          "require-trusted-types-for 'script'", "trusted-types 'none'",
        ] {
          #expect(policy.contains(directive), "\(path): \(directive)")
        }
        #expect(!policy.contains("unsafe"))
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(answer["Referrer-Policy"] == "no-referrer")
      }
    }
  }

  @Test func `Every file has the type of its name, and is not sent again to a browser that has it`() async throws {
    try await TestServer.start { server in
      let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "json": "application/json",
      ]
      for (name, file) in PageFile.all where !name.hasSuffix(".html") {
        let answer = try await server.request("GET", "/page/\(name)")
        #expect(answer.status == 200, "\(name)")
        #expect(answer["Content-Type"] == name.split(separator: ".").last.flatMap { types[String($0)] }, "\(name)")
        #expect(answer.body == Array(file.plain.bytes.readableBytesView), "\(name)")
        #expect(answer["ETag"] == file.plain.entityTag)
        let again = try await server.request("GET", "/page/\(name)", ["If-None-Match": file.plain.entityTag])
        #expect(again.status == 304, "\(name)")
        #expect(again.body.isEmpty)
      }
      let unknown = try await server.request("GET", "/page/other.js")
      #expect(unknown.status == 404)
      // The documents have one address each.
      let document = try await server.request("GET", "/page/index.html")
      #expect(document.status == 404)
    }
  }

  @Test func `Every file is compressed for a browser that accepts gzip, with an entity tag of its own`() async throws {
    try await TestServer.start { server in
      for (name, file) in PageFile.all where !name.hasSuffix(".html") {
        let compressed = try #require(file.compressed, "\(name)")
        let answer = try await server.request("GET", "/page/\(name)", ["Accept-Encoding": "br, GZIP;q=0.5"])
        #expect(answer["Content-Encoding"] == "gzip", "\(name)")
        #expect(answer["Vary"] == "Accept-Encoding", "\(name)")
        #expect(answer.body == Array(compressed.bytes.readableBytesView), "\(name)")
        #expect(answer.body.starts(with: [0x1f, 0x8b]), "\(name)")
        // RFC 1952 ends with the length of the file, the lowest octet first.
        let length = answer.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == file.plain.bytes.readableBytes, "\(name)")
        #expect(compressed.bytes.readableBytes < file.plain.bytes.readableBytes, "\(name)")
        #expect(compressed.entityTag != file.plain.entityTag, "\(name)")
        let fields = ["Accept-Encoding": "gzip", "If-None-Match": compressed.entityTag]
        #expect(try await server.request("GET", "/page/\(name)", fields).status == 304, "\(name)")
      }
    }
  }

  @Test(arguments: ["", "identity", "gzip;q=0", "br", "gzip;q=0.000, br"])
  func `A file is sent as it is to a client that does not accept gzip`(field: String) async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", "/page/app.js", ["Accept-Encoding": field])
      #expect(answer["Content-Encoding"] == nil)
      #expect(answer["Vary"] == "Accept-Encoding")
      #expect(answer.body == PageFile.all["app.js"].map { Array($0.plain.bytes.readableBytesView) })
    }
  }

  @Test func `Every file that the page names exists`() {
    let reference = /(?:\.|\/page)\/([a-z-]+\.[a-z]+)/
    for (name, file) in PageFile.all where name != "coast.json" {
      for match in file.text.matches(of: reference) {
        #expect(PageFile.all[String(match.1)] != nil, "\(name) names \(match.0)")
      }
    }
  }

  @Test func `Documents have no inline script, style or handler, and name no other server`() {
    for (name, file) in PageFile.all where name.hasSuffix(".html") || name.hasSuffix(".svg") {
      #expect(!file.text.contains(/<script(?![^>]*\ssrc=)/), "\(name)")
      #expect(!file.text.contains(/<style|\sstyle=|\son[a-z]+=|javascript:/), "\(name)")
      #expect(!file.text.replacing("http://www.w3.org/2000/svg", with: "").contains(/https?:\/\//), "\(name)")
    }
  }

  @Test func `No script makes HTML or code of a text`() {
    let sinks =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|eval\(|new Function|setTimeout\(['"`]/
    for (name, file) in PageFile.all where name.hasSuffix(".js") {
      #expect(!file.text.contains(sinks), "\(name)")
    }
  }
}

extension PageFile {
  /// The bytes as text.
  fileprivate var text: String { String(decoding: plain.bytes.readableBytesView, as: UTF8.self) }
}
