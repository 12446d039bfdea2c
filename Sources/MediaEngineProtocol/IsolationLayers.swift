/// What stands between a decoder and the rest of the machine (docs/security.md says what each layer stops).
package struct IsolationLayers: Hashable, Codable, Sendable {
  /// Limits on address space, processor time, file size, descriptors and core files.
  package var limits: Bool
  /// No core file, no debugger, no look into its memory.
  package var noDumps: Bool
  /// No capabilities, and none to be had.
  package var noPrivileges: Bool
  /// The version of Landlock that holds; 0 for none. 4 and above also stop TCP, 6 and above signals and abstract sockets.
  package var landlock: Int
  /// The list of allowed system calls.
  package var seccomp: Bool

  /// Those layers.
  package init(limits: Bool, noDumps: Bool, noPrivileges: Bool, landlock: Int, seccomp: Bool) {
    self.limits = limits
    self.noDumps = noDumps
    self.noPrivileges = noPrivileges
    self.landlock = landlock
    self.seccomp = seccomp
  }

  /// None: the decoders run in the process that asks.
  package static let none = IsolationLayers(
    limits: false, noDumps: false, noPrivileges: false, landlock: 0, seccomp: false)

  /// Each layer by its name, and whether it holds.
  package var named: [(name: String, isOn: Bool)] {
    [
      ("limits", limits), ("noDumps", noDumps), ("noPrivileges", noPrivileges), ("landlock", landlock > 0),
      ("seccomp", seccomp),
    ]
  }

  /// Whether every layer holds.
  package var isComplete: Bool { named.allSatisfy(\.isOn) }
}

/// The first thing that a worker says, once it has locked itself in.
package struct WorkerGreeting: Hashable, Codable, Sendable {
  /// The layers that hold.
  package var layers: IsolationLayers
  /// What it is made of.
  package var description: EngineDescription

  /// A greeting of those parts.
  package init(layers: IsolationLayers, description: EngineDescription) {
    self.layers = layers
    self.description = description
  }
}

/// How a worker ends by itself.
package enum WorkerExit {
  /// The engine closed the socket.
  package static let done: CInt = 0
  /// It was asked for what it does not understand (`EX_PROTOCOL`).
  package static let badRequest: CInt = 76
  /// A library gave up for want of memory (`EX_OSERR`).
  package static let outOfMemory: CInt = 71
  /// It was not started by an engine (`EX_USAGE`).
  package static let usage: CInt = 64
}
