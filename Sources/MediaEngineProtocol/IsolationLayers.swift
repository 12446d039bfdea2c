/// The isolation layers between a decoder and the rest of the machine; docs/security.md describes each.
package struct IsolationLayers: Hashable, Codable, Sendable {
  /// Limits on address space, processor time, file size, descriptors and core files.
  package var limits: Bool
  /// No core file, no debugger, no access of other processes to its memory.
  package var noDumps: Bool
  /// No capabilities, and no way to gain any.
  package var noPrivileges: Bool
  /// The version of Landlock in use; 0 for none. Version 4 and later also deny TCP, version 6 and later signals and abstract sockets.
  package var landlock: Int
  /// The list of allowed system calls.
  package var seccomp: Bool
  /// The namespaces that are its own: `user`, `net`, `ipc`. A further layer, which no engine demands: containers and administrators forbid it.
  package var namespaces: [String]

  /// A value with these layers.
  package init(
    limits: Bool, noDumps: Bool, noPrivileges: Bool, landlock: Int, seccomp: Bool, namespaces: [String] = []
  ) {
    self.limits = limits
    self.noDumps = noDumps
    self.noPrivileges = noPrivileges
    self.landlock = landlock
    self.seccomp = seccomp
    self.namespaces = namespaces
  }

  /// No layer, for decoders in the calling process.
  package static let none = IsolationLayers(
    limits: false, noDumps: false, noPrivileges: false, landlock: 0, seccomp: false)

  /// Each layer that an engine requires, by name, with whether it is active.
  package var named: [(name: String, isOn: Bool)] {
    [
      ("limits", limits), ("noDumps", noDumps), ("noPrivileges", noPrivileges), ("landlock", landlock > 0),
      ("seccomp", seccomp),
    ]
  }

  /// Whether all layers that an engine requires are active.
  package var isComplete: Bool { named.allSatisfy(\.isOn) }
}

/// The first message of a worker, sent after its isolation.
package struct WorkerGreeting: Hashable, Codable, Sendable {
  /// The active layers.
  package var layers: IsolationLayers
  /// The libraries and formats of the worker; empty if it has not loaded all libraries.
  package var description: EngineDescription
  /// The library that cannot be loaded, and why: the worker ends. Nil for a worker that is ready.
  package var loadFailure: String?

  /// A greeting with these parts. A load failure is cut after 500 characters.
  package init(layers: IsolationLayers, description: EngineDescription, loadFailure: String? = nil) {
    self.layers = layers
    self.description = description
    self.loadFailure = loadFailure.map { String($0.prefix(500)) }
  }
}

/// The exit statuses of a worker.
package enum WorkerExit {
  /// The engine has closed the socket.
  package static let done: CInt = 0
  /// It got an invalid message (`EX_PROTOCOL`).
  package static let badRequest: CInt = 76
  /// A library has ended the process for lack of memory (`EX_OSERR`).
  package static let outOfMemory: CInt = 71
  /// A job needs a library that it has not loaded (`EX_TEMPFAIL`). Another worker with more libraries can do the job.
  package static let notLoaded: CInt = 75
  /// A library called a function of one that is skipped, and that nobody foresaw: the dynamic linker's status for a symbol that it does not find.
  package static let unknownSymbol: CInt = 127
  /// It was not started by an engine (`EX_USAGE`).
  package static let usage: CInt = 64
}
