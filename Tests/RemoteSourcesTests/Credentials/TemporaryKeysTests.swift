internal import Dispatch
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// Keys of a machine's or a container's service, from a server on loopback.
@Suite("Temporary keys", .timeLimit(.minutes(10))) struct TemporaryKeysTests {
  /// Version 2 of the metadata service. Each answer has other keys.
  private func service(
    seconds: Double = 3_600, status: @escaping @Sendable (Int) -> String = { _ in "200 OK" }
  ) throws -> ScriptedServer {
    let answers = Counter()
    return try ScriptedServer { request, connection in
      let path = "/latest/meta-data/iam/security-credentials/"
      switch (request.method, request.target) {
      case ("PUT", "/latest/api/token"):
        connection.respond("200 OK", body: Array("TOKEN".utf8))
      case ("GET", path) where request.headers["x-aws-ec2-metadata-token"] == "TOKEN":
        connection.respond("200 OK", body: Array("role name\n".utf8))
      case ("GET", path + "role%20name") where request.headers["x-aws-ec2-metadata-token"] == "TOKEN":
        let number = answers.next()
        let end = Date(timeIntervalSinceNow: seconds).ISO8601Format()
        let json =
          #"{"Code":"Success","AccessKeyId":"KEY\#(number)","SecretAccessKey":"s","Token":"t","Expiration":"\#(end)"}"#
        connection.respond(status(number), body: Array(json.utf8))
      case ("GET", "/container") where request.headers["authorization"] == "secret":
        connection.respond("200 OK", body: Array(#"{"AccessKeyId":"BOX","SecretAccessKey":"s","Token":"t"}"#.utf8))
      default: connection.respond("401 Unauthorized")
      }
      return true
    }
  }

  private func source(_ source: RemoteClient.Settings.KeySource, _ environment: [String: String]) -> CredentialSource {
    CredentialSource(
      source, profile: S3Profile(environment: [:]) { _ in nil }, environment: environment, transport: Transport(),
      cancellation: Cancellation(), pause: 0)
  }

  private func instance(_ server: ScriptedServer) -> CredentialSource {
    source(.instance, ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(server.port)"])
  }

  private func code(_ keys: CredentialSource) -> String? {
    do throws(MediaFailure) {
      _ = try keys.keys(until: .far)
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  @Test("the service of a machine is asked with a token, once for many threads at once") func machine() throws {
    let server = try service()
    let keys = instance(server)
    let (found, group) = (Locked<[String?]>([]), DispatchGroup())
    for _ in 0..<16 {
      group.enter()
      Thread.detachNewThread {
        let key = try? keys.keys(until: .far)?.accessKey
        found.withLock { $0.append(key) }
        group.leave()
      }
    }
    group.wait()
    #expect(found.withLock { $0 } == Array(repeating: "KEY1", count: 16))
    #expect(server.seen.map(\.method) == ["PUT", "GET", "GET"])
  }

  @Test("keys are replaced before they end, and used on if there are no others yet") func renewal() throws {
    // Within five minutes of their end at once.
    let server = try service(seconds: 200)
    let keys = instance(server)
    #expect(try keys.keys(until: .far)?.accessKey == "KEY1")
    #expect(try keys.keys(until: .far)?.accessKey == "KEY2")
    let failing = try service(seconds: 200) { $0 == 1 ? "200 OK" : "500 Internal Server Error" }
    let others = instance(failing)
    for _ in 0..<3 { #expect(try others.keys(until: .far)?.accessKey == "KEY1") }
    // After three failures of the last request it rests.
    #expect(failing.seen.count == 3 + 5)
  }

  @Test("keys that have ended are not used, and a failure of the service is reported") func ended() throws {
    let server = try service(seconds: -10) { $0 == 1 ? "200 OK" : "500 Internal Server Error" }
    let keys = instance(server)
    _ = try keys.keys(until: .far)
    #expect(code(keys) == "noCredentials")
  }

  @Test("a service that fails twice is asked a third time, and no fourth: as botocore does") func retries() throws {
    let failing = "503 Service Unavailable"
    let recovering = try service { $0 < 3 ? failing : "200 OK" }
    #expect(try instance(recovering).keys(until: .far)?.accessKey == "KEY3")
    #expect(recovering.seen.map(\.method) == ["PUT", "GET", "GET", "GET", "GET"])
    let dead = try service { _ in failing }
    #expect(code(instance(dead)) == "noCredentials")
    #expect(dead.seen.count == 5)
    // Nor is there time for another attempt after the deadline of the job.
    let late = try service { _ in failing }
    #expect(throws: MediaFailure.self) {
      try CredentialSource(
        .instance, profile: S3Profile(environment: [:]) { _ in nil },
        environment: ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(late.port)"], transport: Transport(),
        cancellation: Cancellation(), pause: 1_000_000
      ).keys(until: .now.advanced(by: .seconds(600)))
    }
    #expect(late.seen.count == 3)
  }

  @Test("an answer that has no keys is asked for again") func invalidAnswer() throws {
    let answers = Counter()
    let server = try ScriptedServer { _, connection in
      let keys = #"{"AccessKeyId":"BOX","SecretAccessKey":"s"}"#
      connection.respond("200 OK", body: Array((answers.next() < 3 ? "{}" : keys).utf8))
      return true
    }
    let keys = source(.container, ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(server.port)/x"])
    #expect(try keys.keys(until: .far)?.accessKey == "BOX")
    #expect(server.seen.count == 3)
  }

  @Test("the service of a container is asked with its token") func container() throws {
    let server = try service()
    let url = "http://127.0.0.1:\(server.port)/container"
    var environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "secret"]
    let keys = try #require(try source(.container, environment).keys(until: .far))
    #expect(keys.accessKey == "BOX")
    #expect(keys.sessionToken == "t")
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "wrong"
    #expect(code(source(.container, environment)) == "noCredentials")
    #expect(code(source(.container, [:])) == "noCredentials")
  }

  @Test(
    "no service at another address than a link-local one or loopback is asked",
    arguments: ["http://10.0.0.1/x", "http://example.org/x", "http://[::ffff:127.0.0.1]/x", "https://192.0.2.1/"])
  func elsewhere(url: String) {
    #expect(code(source(.container, ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])) == "noCredentials")
    #expect(code(source(.instance, ["AWS_EC2_METADATA_SERVICE_ENDPOINT": url])) == "noCredentials")
  }
}
