internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: its start", .serialized) struct StartTests {
  /// Keys of a server on a network.
  static let keys =
    #"{"tokens": [{"kid": "test", "alg": "HS256", "secret": "\#(Data(Tokens.secret).base64EncodedString())"}]}"#

  @Test("Settings that cannot be used end it with status 64 and a sentence that names them")
  func settings() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Certificate(in: folder, name: "a")
    let other = try Certificate(in: folder, name: "b")
    let text = try folder.write(Array("text".utf8), to: "text")
    let config = try folder.write(Array(#"{"lisen": 1}"#.utf8), to: "config.json")
    let cases: [([String], String)] = [
      (["--listen", "192.0.2.1:0"], "192.0.2.1 is not a loopback address, and there are no keys"),
      (["--listen", ":0"], "0.0.0.0 is not a loopback address, and there are no keys"),
      (["--listen", "127.0.0.1:80000"], "the setting listen is '127.0.0.1:80000'"),
      (["--origins", "*"], "The origin '*' needs keys (--keys FILE)"),
      (["--tls-certificate", certificate.file], "HTTPS needs both --tls-certificate and --tls-key"),
      (
        ["--tls-certificate", text, "--tls-key", certificate.key],
        "\(text) cannot be read, or is not a PEM certificate"
      ),
      (["--tls-certificate", certificate.file, "--tls-key", text], "\(text) cannot be read, or is not a private key"),
      (
        ["--tls-certificate", certificate.file, "--tls-key", other.key],
        "the key \(other.key) does not belong to the certificate \(certificate.file)"
      ),
      (["--keys", text], "the file of the setting keys, \(text), cannot be used: it is not a JSON object"),
      (["--config", config], "has the key 'lisen', which is not a setting"),
      (["--config", folder.path("none")], "the file of the setting config, \(folder.path("none")), cannot be read"),
      (["--workers", "0"], "the setting workers is 0; it must be from 1 to 1024"),
    ]
    for (arguments, sentence) in cases {
      let ending = try await ServerProgram.run(
        ["--listen", "0", "--library", folder.path("library")] + arguments)
      #expect(ending.status == 64, "\(arguments): \(ending.errors)")
      #expect(ending.errors.contains("mediatool: "), "\(ending.errors)")
      #expect(ending.errors.contains(sentence), "\(arguments): \(ending.errors)")
    }
  }

  @Test("A machine that cannot run it ends it with status 70 and the reason")
  func machine() async throws {
    let folder = try TemporaryFolder()
    let keys = try folder.write(Array(Self.keys.utf8), to: "keys.json")
    let text = try folder.write(Array("text".utf8), to: "text")
    try await ServerProgram.serving(folder.path("first")) { _, port in
      let cases: [([String], String)] = [
        (["--listen", "\(port)"], "cannot listen on 127.0.0.1:\(port): Address already in use"),
        (["--listen", "192.0.2.1:0"], "cannot listen on 192.0.2.1:0: Cannot assign requested address"),
        (["--library", folder.path("first")], "library: Another process is writing to the library"),
        (["--library", text], "library: A file or folder of another kind has this name"),
        (["--library", "/proc/nothing"], "/proc/nothing"),
      ]
      for (arguments, sentence) in cases {
        let ending = try await ServerProgram.run(
          ["--listen", "0", "--library", folder.path("library"), "--workers", "1", "--keys", keys] + arguments)
        #expect(ending.status == 70, "\(arguments): \(ending.errors)")
        #expect(ending.errors.contains(sentence), "\(arguments): \(ending.errors)")
      }
      // The first one is as it was.
      let connection = try await RawConnection(port: port)
      #expect(try await connection.request("GET", "/healthz").status == 200)
    }
  }

  @Test("Flags come before variables, variables before the file, and printed settings have no secret")
  func order() async throws {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      Array(#"{"listen": "127.0.0.1:1", "owner": "file", "rate": 7, "workers": 3}"#.utf8), to: "config.json")
    let ending = try await ServerProgram.run(
      ["--config", config, "--listen", "127.0.0.1:3", "--print-config"],
      environment: [
        "MEDIATOOL_LISTEN": "127.0.0.1:2", "MEDIATOOL_OWNER": "variable", "MEDIATOOL_KEYS_JSON": Self.keys,
        "MEDIATOOL_LISEN": "1", "MEDIATOOL_LIBRARY": folder.path("library"),
      ])
    #expect(ending.status == 0)
    let warning = "the environment variable MEDIATOOL_LISEN is not a setting and is ignored"
    #expect(ending.errors == "mediatool: warning: \(warning); `mediatool serve --help` lists the settings\n")
    let printed = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: String])
    #expect(
      printed == [
        "config": config, "listen": "127.0.0.1:3", "owner": "variable", "rate": "7.0", "workers": "3",
        "keysJson": "<secret>", "library": folder.path("library"),
      ])
    // Nothing was created.
    #expect(!FileManager.default.fileExists(atPath: folder.path("library")))
  }

  @Test("An application that is asked about access is part of the printed settings, and of a start that fails")
  func access() async throws {
    let folder = try TemporaryFolder()
    let arguments = ["--library", "/proc/nothing", "--access-url", "http://127.0.0.1:9/may"]
    let printed = try await ServerProgram.run(arguments + ["--print-config"])
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(printed.output.contains("http://127.0.0.1:9/may"), "\(printed.errors)")
    let keys = try folder.write(Array(Self.keys.utf8), to: "keys.json")
    let failed = try await ServerProgram.run(["--listen", "0", "--workers", "1", "--keys", keys] + arguments)
    #expect(failed.status == 70, "\(failed.errors)")
  }

  @Test("When no descriptor is left for a connection, it goes on with those that it has, and takes others later")
  func descriptors() async throws {
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(
      folder.path("library"), ["--max-connections", "10000"], wrapper: ["prlimit", "--nofile=100:100"]
    ) { program, port in
      let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      var connections: [RawConnection] = []
      // Those beyond its descriptors stay in the kernel's queue. Each has its request with it, so that no deadline for a head ends one that is accepted.
      for _ in 0..<150 { connections.append(try await RawConnection(port: port, sending: request)) }
      for connection in connections.prefix(10) { #expect(try await connection.readResponse().status == 200) }
      for connection in connections { connection.reset() }
      let connection = try await RawConnection(port: port, sending: request)
      #expect(try await connection.readResponse().status == 200)
    }
  }
}
