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
        #expect(answer.body == Array(file.bytes.readableBytesView), "\(name)")
        #expect(answer["ETag"] == file.entityTag)
        let again = try await server.request("GET", "/page/\(name)", ["If-None-Match": file.entityTag])
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
  fileprivate var text: String { String(decoding: bytes.readableBytesView, as: UTF8.self) }
}
