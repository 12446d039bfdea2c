public import AttachmentPolicy
internal import Foundation
public import Logging
public import MediaLibrary

extension MediaService {
  /// The settings of a service.
  public struct Configuration: Sendable {
    /// The folders of the library.
    public var library: LibraryLocation
    /// How the library is opened.
    public var libraryOptions = Library.Options()
    /// The rules that uploads must meet. Default: the preset `photo-tray`.
    public var rules = AttachmentRules.Preset.photoTray.rules
    /// Quotas and limits.
    public var limits = Limits()
    /// Logs what goes wrong inside. Default: no log.
    public var logger = Logger(label: "mediatool.service") { _ in SwiftLogNoOpLogHandler() }
    /// The present in seconds since 1970, for tests. Default: the system's clock.
    public var clock: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }

    /// The default settings, for a library in these folders.
    public init(library: LibraryLocation) { self.library = library }
  }

  /// Limits of what one owner, and all together, may use.
  public struct Limits: Hashable, Sendable {
    /// Bytes of originals that an owner may have. Default 10 GB.
    public var ownerBytes = 10_000_000_000
    /// Files that an owner may have. Default 100,000.
    public var ownerFiles = 100_000
    /// Unfinished uploads of an owner. Default 32.
    public var openUploads = 32
    /// Seconds for which an unfinished upload is kept after its last byte. Default a day.
    public var uploadLifetime = 86_400
    /// Seconds for which the answer to a finished or refused upload is kept. Default a day.
    public var answerLifetime = 86_400
    /// Seconds for which a draft is kept after its last change. Default 30 days.
    public var draftLifetime = 2_592_000
    /// Bytes that must stay free on the disk; uploads are refused below. Default 1 GB.
    public var freeBytes = 1_000_000_000

    /// The default limits.
    public init() {}
  }
}
