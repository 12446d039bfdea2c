internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: a flood of event streams", .serialized) struct StreamFloodTests {
  private static func open(_ owner: String, _ port: Int) async throws -> (RawConnection, RawResponse) {
    let fields = Tokens.field(owner).map { "\($0): \($1)\r\n" }.joined()
    let head = "GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    let connection = try await RawConnection(port: port, sending: Array(head.utf8))
    return (connection, try await connection.readHead())
  }

  @Test("An owner has eight streams and all have their limit; others are refused, and everything else is served")
  func flood() async throws {
    let server = try await ServerProcess([
      "--max-streams", "20", "--max-connections", "2000", "--workers", "1", "--burst", "100000",
    ])
    defer { server.end() }
    var streams: [String: [RawConnection]] = [:]
    var statuses: [Int: Int] = [:]
    for owner in ["ada", "bob", "carl", "dora"] {
      for _ in 0..<50 {
        let (connection, head) = try await Self.open(owner, server.port)
        statuses[head.status, default: 0] += 1
        if head.status == 200 {
          streams[owner, default: []].append(connection)
          continue
        }
        #expect([429, 503].contains(head.status))
        #expect(head["Retry-After"] != nil)
        let body = String(decoding: try await connection.readBody(of: head), as: UTF8.self)
        #expect(body.contains(head.status == 429 ? "\"rateLimited\"" : "\"busy\""))
        connection.close()
      }
    }
    #expect(streams.mapValues(\.count) == ["ada": 8, "bob": 8, "carl": 4])
    #expect(statuses == [200: 20, 429: 84, 503: 96])

    // Those that have a stream get their events, and requests are answered beside it all.
    let photo = try UploadServer.photo()
    let created = try await server.request("POST", "/v1/attachments", Tokens.field("ada"), body: photo)
    #expect(created.status == 201)
    for connection in streams["ada"] ?? [] { _ = try await connection.read(through: "event: ") }
    #expect(try await server.request("GET", "/v1/tray", Tokens.field("dora")).status == 200)

    // Their places are free when they have gone.
    for connection in streams.values.joined() { connection.reset() }
    var status = 0
    while status != 200 {
      let (connection, head) = try await Self.open("dora", server.port)
      status = head.status
      connection.reset()
      if status == 200 { break }
      try #require(server.isRunning)
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
