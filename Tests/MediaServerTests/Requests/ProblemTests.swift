internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite struct ProblemTests {
  @Test func `An unknown address is answered with a problem document`() async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", "/v1/nothing")
      #expect(answer.status == 404)
      #expect(answer["Content-Type"] == "application/problem+json")
      let problem = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
      #expect(problem?["code"] as? String == "notFound")
      #expect(problem?["status"] as? Int == 404)
    }
  }

  @Test func `A method that an address does not have is answered with 405 and those that it has`() async throws {
    try await TestServer.start { server in
      let answer = try await server.request("DELETE", "/healthz")
      #expect(answer.status == 405)
      #expect(answer["Allow"] == "GET, HEAD")
      #expect(answer["Content-Type"] == "application/problem+json")
    }
  }

  @Test func `An answer to HEAD has the fields of GET and no body, also when it is a problem`() async throws {
    try await TestServer.start { server in
      let connection = try await server.connect()
      let head = try await connection.request("HEAD", "/healthz")
      #expect(head.status == 200)
      #expect(head["Content-Length"] == "18")
      #expect(try await connection.request("HEAD", "/v1/nothing").status == 404)
      // A body of the answer before would be read here as a status line.
      let body = try await connection.request("GET", "/healthz").text
      #expect(body == #"{"status":"alive"}"#)
    }
  }

  @Test func `Every answer has the fields that protect browsers`() async throws {
    try await TestServer.start { server in
      for target in ["/healthz", "/v1/nothing"] {
        let answer = try await server.request("GET", target)
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox")
        #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(answer["Referrer-Policy"] == "no-referrer")
      }
    }
  }

  @Test(arguments: [
    "//healthz", "/healthz/", "/./healthz", "/v1/../healthz", "/%68ealthz", "/healthz%2f", "/healthz;x", "/HEALTHZ",
    "/healthz.", "*", "/v1/\u{e9}",
  ])
  func `A path that is not in normal form is unknown`(target: String) async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", target)
      #expect([400, 404].contains(answer.status), "\(target): \(answer.status)")
    }
  }
}

@Suite struct RequestIdentityTests {
  @Test func `An answer has the id of its request, or a new one`() async throws {
    try await TestServer.start { server in
      #expect(try await server.request("GET", "/healthz", ["X-Request-ID": "a-1"])["X-Request-ID"] == "a-1")
      let own = try #require(try await server.request("GET", "/v1/nothing")["X-Request-ID"])
      #expect(own.count == 16)
      #expect(try await server.request("GET", "/healthz")["X-Request-ID"] != own)
    }
  }

  @Test func `An id that could forge lines of a log is replaced`() async throws {
    try await TestServer.start { server in
      for id in ["a b", "a\"", String(repeating: "a", count: 129), "é"] {
        let answer = try await server.request("GET", "/healthz", ["X-Request-ID": id])
        #expect(answer["X-Request-ID"]?.count == 16, "\(id)")
      }
    }
  }

  @Test func `A trace parent is that of W3C Trace Context`() {
    #expect(
      TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")?.traceID
        == "0af7651916cd43dd8448eb211c80319c")
    // A later version may have more.
    #expect(TraceParent("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x") != nil)
    for wrong in [
      "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
      "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
      "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
    ] {
      #expect(TraceParent(wrong) == nil, "\(wrong)")
    }
  }
}
