extension MessageSettings {
  /// When multimedia messages are downloaded (R-MMS-56).
  public enum RetrievalMode: String, Codable, Sendable, CaseIterable {
    /// On the user's request. The default of a new phone.
    case manual
    /// Immediately, also while roaming.
    case automatic
    /// Immediately in the home network, on the user's request while roaming.
    case automaticHome = "automatic-home"
    /// Never: notifications are answered with the status `rejected`.
    case never
  }

  /// The three options of a settings page: off, on with roaming, on without roaming (R-MMS-56).
  public enum RetrievalChoice: String, Codable, Sendable, CaseIterable {
    /// Messages are downloaded when the user asks for them.
    case off
    /// Messages are downloaded immediately, also while roaming.
    case onWithRoaming
    /// Messages are downloaded immediately in the home network; while roaming, when the user asks for them.
    case onWithoutRoaming

    /// The corresponding mode.
    public var mode: RetrievalMode {
      switch self {
      case .off: .manual
      case .onWithRoaming: .automatic
      case .onWithoutRoaming: .automaticHome
      }
    }

    /// The option that represents a mode (R-MMS-58); ``MessageSettings/RetrievalMode/never`` is shown as off.
    public init(_ mode: RetrievalMode) {
      self =
        switch mode {
        case .manual, .never: .off
        case .automatic: .onWithRoaming
        case .automaticHome: .onWithoutRoaming
        }
    }
  }

  /// The two switches of a newer settings page: automatic and roaming (R-MMS-57).
  ///
  /// The roaming switch is disabled and keeps its value while automatic is off.
  public struct RetrievalSwitches: Hashable, Codable, Sendable {
    /// Whether messages are downloaded immediately.
    public var isAutomatic: Bool
    /// Whether messages are also downloaded immediately while roaming.
    public var includesRoaming: Bool

    /// Both switches are off by default.
    public init(isAutomatic: Bool = false, includesRoaming: Bool = false) {
      self.isAutomatic = isAutomatic
      self.includesRoaming = includesRoaming
    }

    /// Creates the switches that represent a mode. If the mode does not determine roaming, the previous value is kept.
    public init(_ mode: RetrievalMode, keeping before: RetrievalSwitches = RetrievalSwitches()) {
      switch mode {
      case .manual, .never: self.init(isAutomatic: false, includesRoaming: before.includesRoaming)
      case .automatic: self.init(isAutomatic: true, includesRoaming: true)
      case .automaticHome: self.init(isAutomatic: true, includesRoaming: false)
      }
    }

    /// Whether the roaming switch is enabled.
    public var canChangeRoaming: Bool { isAutomatic }

    /// The corresponding mode.
    public var mode: RetrievalMode {
      guard isAutomatic else { return .manual }
      return includesRoaming ? .automatic : .automaticHome
    }
  }
}
