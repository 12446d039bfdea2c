/// When multimedia messages are fetched (R-MMS-56).
public enum RetrievalMode: String, Codable, Sendable, CaseIterable {
  /// When the user says so. The default of a new phone.
  case manual
  /// At once, wherever the phone is.
  case automatic
  /// At once in the home network; when the user says so while roaming.
  case automaticHome = "automatic-home"
  /// Not at all: the operator is told that they are rejected.
  case never
}

/// The three choices of a settings page: off, on with roaming, on without (R-MMS-56).
public enum RetrievalChoice: String, Codable, Sendable, CaseIterable {
  /// By hand.
  case off
  /// Always.
  case onWithRoaming
  /// In the home network.
  case onWithoutRoaming

  /// The mode it stands for.
  public var mode: RetrievalMode {
    switch self {
    case .off: .manual
    case .onWithRoaming: .automatic
    case .onWithoutRoaming: .automaticHome
    }
  }

  /// The choice that shows a mode (R-MMS-58); never is shown as off.
  public init(_ mode: RetrievalMode) {
    self =
      switch mode {
      case .manual, .never: .off
      case .automatic: .onWithRoaming
      case .automaticHome: .onWithoutRoaming
      }
  }
}

/// The two switches of a newer settings page: automatic, and roaming, which is grey while automatic is off and keeps its value (R-MMS-57).
public struct RetrievalSwitches: Hashable, Codable, Sendable {
  /// Whether messages are fetched at once.
  public var isAutomatic: Bool
  /// Whether while roaming too.
  public var includesRoaming: Bool

  /// Switches in those positions.
  public init(isAutomatic: Bool = false, includesRoaming: Bool = false) {
    self.isAutomatic = isAutomatic
    self.includesRoaming = includesRoaming
  }

  /// The switches that show a mode. What the mode does not say about roaming is taken over from before.
  public init(_ mode: RetrievalMode, keeping before: RetrievalSwitches = RetrievalSwitches()) {
    switch mode {
    case .manual, .never: self.init(isAutomatic: false, includesRoaming: before.includesRoaming)
    case .automatic: self.init(isAutomatic: true, includesRoaming: true)
    case .automaticHome: self.init(isAutomatic: true, includesRoaming: false)
    }
  }

  /// Whether the second switch can be moved.
  public var canChangeRoaming: Bool { isAutomatic }

  /// The mode they stand for.
  public var mode: RetrievalMode {
    guard isAutomatic else { return .manual }
    return includesRoaming ? .automatic : .automaticHome
  }
}
