internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// What a service of S3 answers instead of an object: another region, another time.
@Suite("Answers of S3", .timeLimit(.minutes(10))) struct ServiceRulesTests {
  private static let bytes = [UInt8](repeating: 7, count: 1_000)

  private func client(_ server: ScriptedServer, _ change: (inout RemoteClient.Settings) -> Void = { _ in }) throws
    -> RemoteClient
  {
    var settings = RemoteClient.Settings.test()
    settings.endpoint = "http://127.0.0.1:\(server.port)"
    settings.keySource = .keys(S3Credentials(accessKey: "AKID", secretKey: "secret"))
    change(&settings)
    return try RemoteClient(settings)
  }

  private func code(_ file: RemoteFile) -> String? {
    do throws(MediaFailure) {
      _ = try file.size(until: .far)
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  @Test(
    "a bucket in another region is asked there, and at once from the second object on",
    arguments: [
      ("301 Moved Permanently", ["x-amz-bucket-region: eu-west-3"], "<Error><Code>PermanentRedirect</Code></Error>"),
      (
        "400 Bad Request", ["x-amz-bucket-region: eu-west-3"],
        "<Error><Code>AuthorizationHeaderMalformed</Code></Error>"
      ),
      (
        "400 Bad Request", [],
        "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region></Error>"
      ),
      ("307 Temporary Redirect", ["x-amz-bucket-region: eu-west-3", "Location: http://169.254.169.254/"], ""),
    ]) func region(status: String, headers: [String], body: String) throws
  {
    let server = try ScriptedServer { request, connection in
      if request.headers["authorization"]?.contains("/eu-west-3/s3/aws4_request") == true {
        connection.serve(Self.bytes, request)
      } else {
        connection.respond(status, headers, body: Array(body.utf8))
      }
      return true
    }
    let client = try client(server)
    #expect(try client.file("s3://bucket/a").size(until: .far) == Self.bytes.count)
    #expect(server.seen.count == 2)
    #expect(try client.file("s3://bucket/b").size(until: .far) == Self.bytes.count)
    #expect(server.seen.count == 3)
    #expect(try client.file("s3://other/b").size(until: .far) == Self.bytes.count)
    #expect(server.seen.count == 5)
  }

  @Test("regions that name each other end the request") func regionLoop() throws {
    let counter = Counter()
    let server = try ScriptedServer { _, connection in
      connection.respond("301 Moved Permanently", ["x-amz-bucket-region: region-\(counter.next())"])
      return true
    }
    #expect(code(try client(server).file("s3://bucket/a")) == "badResponse")
    #expect(server.seen.count <= 4)
  }

  @Test("a region that is not the name of one is not used as a part of a host") func evilRegion() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("301 Moved Permanently", ["x-amz-bucket-region: evil.test/x#"])
      return true
    }
    #expect(code(try client(server).file("s3://bucket/a")) == "badResponse")
    #expect(server.seen.count == 1)
  }

  @Test("a clock that is wrong is corrected by the time of the service, once for all requests") func clock() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let time = Date(timeIntervalSinceNow: 7_200)
    let (date, hour) = (formatter.string(from: time), SigV4.stamp(time).prefix(11))
    let later = SigV4.stamp(time.addingTimeInterval(600)).prefix(11)
    let server = try ScriptedServer { request, connection in
      if let stamp = request.headers["x-amz-date"], stamp.hasPrefix(hour) || stamp.hasPrefix(later) {
        connection.serve(Self.bytes, request)
      } else {
        let body = Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
        connection.respond("403 Forbidden", ["Date: \(date)"], body: body)
      }
      return true
    }
    let client = try client(server)
    #expect(try client.file("s3://bucket/a").size(until: .far) == Self.bytes.count)
    #expect(try client.file("s3://bucket/b").size(until: .far) == Self.bytes.count)
    #expect(server.seen.count == 3)
  }

  @Test("a service whose time does not help is not asked again and again") func wrongClock() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("403 Forbidden", body: Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8))
      return true
    }
    let file = try client(server).file("s3://bucket/a")
    let failure = #expect(throws: MediaFailure.self) { try file.size(until: .far) }
    #expect(failure?.code == .noCredentials)
    #expect(failure?.message.contains("clock") == true)
    #expect(server.seen.count == 1)
  }

  @Test("a signature that does not match after others have is the object's fault, not that of the keys")
  func signatureOfOneObject() throws {
    let server = try ScriptedServer { request, connection in
      if request.target.hasSuffix("/b") {
        connection.respond("403 Forbidden", body: Array("<Error><Code>SignatureDoesNotMatch</Code></Error>".utf8))
      } else {
        connection.serve(Self.bytes, request)
      }
      return true
    }
    let client = try client(server)
    #expect(try client.file("s3://bucket/a").size(until: .far) == Self.bytes.count)
    #expect(code(try client.file("s3://bucket/b")) == "accessDenied")
    #expect(try client.file("s3://bucket/c").size(until: .far) == Self.bytes.count)
  }

  @Test(
    "keys that the service refuses are the reason, not the object",
    arguments: [
      ("403 Forbidden", "InvalidAccessKeyId"), ("403 Forbidden", "SignatureDoesNotMatch"),
      ("400 Bad Request", "ExpiredToken"), ("400 Bad Request", "InvalidToken"),
      ("400 Bad Request", "TokenRefreshRequired"),
    ]) func refusedKeys(status: String, code: String) throws
  {
    let server = try ScriptedServer { _, connection in
      connection.respond(status, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
      return true
    }
    let file = try client(server).file("s3://bucket/a")
    let failure = #expect(throws: MediaFailure.self) { try file.size(until: .far) }
    #expect(failure?.code == .noCredentials)
    #expect(failure?.retry == .elsewhere)
    #expect(failure?.detail?.contains(code) == true)
    #expect(server.seen.count == 1)
    // What another server answers says nothing of the keys for S3.
    let signed = try client(server) { $0.allowed = [RemoteClient.Pattern("127.0.0.1")].compactMap { $0 } }
      .file("http://127.0.0.1:\(server.port)/a?X-Amz-Signature=0")
    #expect(self.code(signed) == (status.hasPrefix("403") ? "accessDenied" : "badResponse"))
  }

  @Test("temporary keys that have expired are replaced once, for all requests") func expiredKeys() throws {
    let server = try ScriptedServer { request, connection in
      if request.headers["authorization"]?.contains("Credential=KEY2/") == true {
        connection.serve(Self.bytes, request)
      } else {
        connection.respond("400 Bad Request", body: Array("<Error><Code>ExpiredToken</Code></Error>".utf8))
      }
      return true
    }
    let answers = Counter()
    let service = try ScriptedServer { _, connection in
      let json = #"{"AccessKeyId":"KEY\#(answers.next())","SecretAccessKey":"s","Token":"t"}"#
      connection.respond("200 OK", body: Array(json.utf8))
      return true
    }
    func container(_ service: ScriptedServer) throws -> RemoteClient {
      try client(server) {
        $0.keySource = .container
        $0.environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(service.port)/"]
      }
    }
    let renewing = try container(service)
    #expect(try renewing.file("s3://bucket/a").size(until: .far) == Self.bytes.count)
    #expect(try renewing.file("s3://bucket/b").size(until: .far) == Self.bytes.count)
    #expect(service.seen.count == 2)
    #expect(server.seen.count == 3)
    // The service of the container has no others.
    let old = try ScriptedServer { _, connection in
      connection.respond("200 OK", body: Array(#"{"AccessKeyId":"OLD","SecretAccessKey":"s","Token":"t"}"#.utf8))
      return true
    }
    #expect(code(try container(old).file("s3://bucket/a")) == "noCredentials")
    #expect(old.seen.count == 2)
    #expect(server.seen.count == 5)
  }

  @Test("in the style host, the bucket is in the name, which is resolved and signed") func hostStyle() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.bytes, request)
      return true
    }
    let client = try client(server) {
      $0.endpoint = "http://s3.test:\(server.port)/base"
      $0.style = .host
      $0.resolve = { _ in [IPAddress("127.0.0.1")].compactMap { $0 } }
    }
    #expect(try client.file("s3://my-bucket/a b").size(until: .far) == Self.bytes.count)
    #expect(server.seen.map { $0.headers["host"] } == ["my-bucket.s3.test:\(server.port)"])
    #expect(server.seen.map(\.target) == ["/base/a%20b"])
  }
}
