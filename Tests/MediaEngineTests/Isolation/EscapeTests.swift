internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import TestSupport
internal import Testing

/// What a worker that a file has taken over can do.
@Suite("Escapes from the isolation", .disabled(if: Engines.isSanitized, "a sanitizer needs what a worker may not have"))
struct EscapeTests {
  /// What each attempt came to, tried inside a worker that has locked itself in.
  private func attempts() async throws -> [String: CInt] {
    let engine = try await Engines.rogue()
    let folder = try TemporaryFolder()
    // A file that everybody may write to: only what stands between is in the way.
    // The worker may not even ask who its parent is.
    let content = Array("escape \(getpid())\n".utf8)
    let path = try folder.write(content, to: "job")
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let reported = try await engine.probe(.descriptor(descriptor)).title ?? ""
    await engine.shutdown()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content))
    return try Dictionary(
      uniqueKeysWithValues: reported.split(separator: " ").map { word in
        let parts = word.split(separator: "=")
        return (String(parts[0]), try #require(parts.last.flatMap { CInt($0) }))
      })
  }

  @Test func `Every escape is denied`() async throws {
    let attempts = try await attempts()
    #expect(attempts.count > 60)
    // EPERM of seccomp, EACCES of Landlock, ENOSYS of clone3, EBADF of a file that is open for reading only.
    let denials = [EPERM, EACCES, ENOSYS, EBADF]
    for (name, result) in attempts.sorted(by: { $0.key < $1.key }) {
      #expect(denials.contains(result), "\(name): \(result == 0 ? "worked" : String(cString: strerror(result)))")
    }
    // EBADF is no denial but for the writes.
    #expect(Set(attempts.filter { $0.value == EBADF }.keys).isSubset(of: ["write_job"]))
  }

  @Test func `Every isolation layer is active`() async throws {
    let engine = try await Engines.rogue()
    for layer in engine.layers.named { #expect(layer.isOn, "\(layer.name)") }
    #expect(engine.layers.isComplete)
    await engine.shutdown()
  }

  @Test func `A reported namespace belongs to the worker`() async throws {
    let engine = try await Engines.rogue()
    let namespaces = engine.layers.namespaces
    #expect(Set(namespaces).isSubset(of: ["user", "net", "ipc"]))
    let process = try #require(Int(try await engine.probe(.does("process")).title ?? ""))
    func link(_ process: String, _ name: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(name)")
    }
    for name in ["user", "net", "ipc"] {
      if let theirs = link("\(process)", name) {
        #expect((theirs != link("self", name)) == namespaces.contains(name), "\(name)")
      } else if name == "ipc" {
        // Nothing that others may read depends on it.
        print("The IPC namespace of a worker is compared only as root (CAP_SYS_PTRACE).")
      } else {
        // The links of a process without dumps are for root. These files are for everybody, and are those of its namespace.
        #expect(try isApart(process, name) == namespaces.contains(name), "\(name)")
      }
    }
    // They are optional: an engine starts without.
    #expect(engine.layers.isComplete)
    #expect(IsolationLayers(limits: true, noDumps: true, noPrivileges: true, landlock: 1, seccomp: true).isComplete)
    await engine.shutdown()
  }

  /// Whether a process sees other users or other network interfaces than this one, as far as everybody may know.
  private func isApart(_ process: Int, _ namespace: String) throws -> Bool {
    func lines(_ process: String) throws -> [Substring] {
      let file = namespace == "user" ? "uid_map" : "net/dev"
      let text = try String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)
      guard namespace == "net" else { return text.split(separator: "\n") }
      // Without the counters: a new namespace has one interface, whose counters are zero.
      return text.split(separator: "\n").dropFirst(2).filter { $0.contains(where: { ("1"..."9").contains($0) }) }
    }
    let theirs = try lines("\(process)")
    return namespace == "user" ? theirs != (try lines("self")) : theirs.isEmpty
  }

  @Test func `A worker has nothing open but what it needs and no environment`() async throws {
    // Not closed on exec: the mistake of a program that embeds us.
    let leaky = open("/etc/passwd", O_RDONLY)
    defer { close(leaky) }
    let engine = try await Engines.rogue()
    // 0, 1 and 2 are /dev/null, 3 the socket, 4 the job's file.
    #expect(try await engine.probe(.does("descriptors")).title == "0 1 2 3 4")
    #expect(try await engine.probe(.does("environment")).title == "none")
    let process = try #require(Int(try await engine.probe(.does("process")).title ?? ""))
    for descriptor in 0..<3 {
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
      #expect(link == nil || link == "/dev/null")
    }
    await engine.shutdown()
  }

  @Test func `An engine refuses to start where a layer is missing`() async throws {
    await #expect { _ = try await Engines.rogue("--weak") } throws: { error in
      "\(error)".contains("landlock") && "\(error)".contains("allowsWeakerIsolation")
    }
    let engine = try await Engines.rogue("--weak") { $0.allowsWeakerIsolation = true }
    #expect(engine.layers.landlock == 0)
    #expect(engine.layers.seccomp)
    #expect(try await engine.probe(.does("hello")).title == "hello")
    await engine.shutdown()
  }
}
