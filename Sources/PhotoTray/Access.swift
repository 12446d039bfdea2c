/// What a person lets an app see of the photo library (R-TRAY-13, R-TRAY-14, R-TRAY-15).
public enum LibraryAccess: String, Codable, Sendable, CaseIterable {
  /// Nobody has been asked: ask now.
  case notDetermined
  /// Refused; can be changed in the system's settings.
  case denied
  /// Refused by someone else, such as a parent or an employer: the person cannot change it.
  case restricted
  /// Some photos were chosen; the source gives those alone.
  case limited
  /// All of it.
  case full

  /// Whether anything can be shown.
  public var isReadable: Bool { self == .limited || self == .full }
}

/// What a person lets an app do with camera or microphone.
public enum DeviceAccess: String, Codable, Sendable, CaseIterable {
  /// Nobody has been asked: ask when it is needed.
  case notDetermined
  /// Refused; can be changed in the system's settings.
  case denied
  /// Refused by someone else.
  case restricted
  /// Allowed.
  case granted
}

/// Camera and microphone, each with an access of its own (R-TRAY-19).
public struct CaptureAccess: Hashable, Codable, Sendable {
  /// The camera.
  public var camera: DeviceAccess
  /// The microphone.
  public var microphone: DeviceAccess

  /// Access to both; nobody has been asked by default.
  public init(camera: DeviceAccess = .notDetermined, microphone: DeviceAccess = .notDetermined) {
    self.camera = camera
    self.microphone = microphone
  }

  /// What is to be taken.
  public enum Purpose: String, Codable, Sendable, CaseIterable {
    /// A photo, for which the camera is enough.
    case photo
    /// A video, for which the microphone is needed too.
    case video
  }

  /// What has to happen before something can be taken.
  public enum Step: Hashable, Sendable {
    /// Nothing.
    case ready
    /// Ask for these.
    case ask(camera: Bool, microphone: Bool)
    /// Show the way to the settings.
    case openSettings
    /// It cannot be had.
    case unavailable
  }

  /// What has to happen before something can be taken for `purpose`.
  public func step(for purpose: Purpose) -> Step {
    let needed = purpose == .photo ? [camera] : [camera, microphone]
    if needed.contains(.restricted) { return .unavailable }
    if needed.contains(.denied) { return .openSettings }
    if needed.contains(.notDetermined) {
      return .ask(camera: camera == .notDetermined, microphone: purpose == .video && microphone == .notDetermined)
    }
    return .ready
  }
}
