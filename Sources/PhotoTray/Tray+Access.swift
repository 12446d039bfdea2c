extension Tray {
  /// The user's permission to read the photo library (R-TRAY-13, R-TRAY-14, R-TRAY-15).
  public enum LibraryAccess: String, Codable, Sendable, CaseIterable {
    /// The user has not been asked yet; request permission.
    case notDetermined
    /// The user denied access and can change that in the system settings.
    case denied
    /// Access is blocked by parental controls or device management; the user cannot change it.
    case restricted
    /// The user selected some photos. The source provides only those.
    case limited
    /// The user granted access to the whole library.
    case full

    /// Whether any photos can be shown.
    public var isReadable: Bool { self == .limited || self == .full }
  }
}

extension Tray.CaptureAccess {
  /// What a person lets an app do with camera or microphone.
  public enum Permission: String, Codable, Sendable, CaseIterable {
    /// The user has not been asked yet; request permission when the device is needed.
    case notDetermined
    /// The user denied access and can change that in the system settings.
    case denied
    /// Access is blocked by parental controls or device management.
    case restricted
    /// The user granted access.
    case granted
  }
}

extension Tray {
  /// The permissions for camera and microphone (R-TRAY-19).
  public struct CaptureAccess: Hashable, Codable, Sendable {
    /// Needed for photos and videos.
    public var camera: Permission
    /// Needed for videos only.
    public var microphone: Permission

    /// Creates a pair of permissions; both are undetermined by default.
    public init(camera: Permission = .notDetermined, microphone: Permission = .notDetermined) {
      self.camera = camera
      self.microphone = microphone
    }

    /// What the user wants to capture.
    public enum Purpose: String, Codable, Sendable, CaseIterable {
      /// A photo, which needs only the camera.
      case photo
      /// A video, which needs the microphone too.
      case video
    }

    /// The next step before the user can capture.
    public enum Step: Hashable, Sendable {
      /// Nothing is missing.
      case ready
      /// Request these permissions.
      case ask(camera: Bool, microphone: Bool)
      /// Offer a link to the system settings.
      case openSettings
      /// Capturing is not possible.
      case unavailable
    }

    /// The next step before the user can capture a photo or video.
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
}
