public import AttachmentPolicy
internal import Foundation
public import Logging
public import MediaLibrary
public import MediaModel
public import Metrics
public import Tracing

extension MediaService {
  /// The settings of a service.
  public struct Configuration: Sendable {
    /// The folders of the library.
    public var library: LibraryLocation
    /// How the library is opened.
    public var libraryOptions = Library.Options()
    /// The rules that uploads must meet. Default: the preset `photo-tray`.
    public var rules = AttachmentRules.Preset.photoTray.rules
    /// The names of the renditions that are made of each upload at once; others are made when they are asked for. Default `grid` and `message`.
    public var renditions: Set<String> = ["grid", "message"]
    /// Quotas and limits.
    public var limits = Limits()
    /// The keys of signed URLs at the start (``MediaService/signingKeys``). Default nil: addresses are not signed, and need a token.
    public var signingKeys: SigningKeys?
    /// Seconds between the times at which signed URLs expire. All addresses of a time expire together, so that all readers share one, which
    /// caches can keep. Default six hours: an address is valid for six to twelve hours.
    public var addressLifetime = 21_600
    /// Decides what neither ownership, nor a signed URL, nor a label decides. Default nil: nothing else allows anything.
    public var accessPolicy: (any AccessPolicy)?
    /// Scans files for malware before they are shown. Default nil: no file is scanned, and verdicts that the library has hold no file back.
    public var scanning: Scanning?
    /// Decides whether an upload is stored and shown, after its rules and the malware scan, and whether others see a moment and its texts. Default nil: they do.
    public var review: (@Sendable (ReviewQuestion) async throws -> ReviewAnswer)?
    /// What happens to an upload that looks like a blocked image. Default ``SimilarImages/ignore``.
    public var similarImages = SimilarImages.ignore
    /// What happens to the metadata of originals, when they are stored and when they are delivered. Default ``OriginalMetadata/keep``.
    public var originals = OriginalMetadata.keep
    /// The phone numbers and addresses of an owner, who is no participant of its own threads. Default: none, so that a received message of a group is in
    /// the thread of its sender.
    public var ownAddresses: @Sendable (String) -> [String] = { _ in [] }
    /// The boxes in which renditions can be requested besides the named sizes; each costs place in the store. Default: squares of 64, 128, 256, 512,
    /// 1,024 and 2,048 pixels.
    public var boxes: Set<PixelSize> = Set([64, 128, 256, 512, 1_024, 2_048].map { PixelSize(width: $0, height: $0) })
    /// Days for which backups that the administrator makes keep what was erased, for the report of an erasure. Default nil: not stated.
    public var backupDays: Int?
    /// Logs what goes wrong inside. Default: no log.
    public var logger = Logger(label: "mediatool.service") { _ in SwiftLogNoOpLogHandler() }
    /// Takes the metrics of uploads. Default nil: the backend of `MetricsSystem`.
    public var metrics: (any MetricsFactory)?
    /// Takes the spans of requests. Default nil: the tracer of `InstrumentationSystem`.
    public var tracer: (any Tracer)?
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
    /// Labels of an attachment. Default 16.
    public var labels = 16
    /// Ids in one request. Default 100.
    public var batch = 100
    /// Characters of a title, a caption or the name of a collection. Default 4,000.
    public var textLength = 4_000
    /// Seconds for which ``AccessPolicy`` may take to answer. Default 0.5.
    public var accessSeconds = 0.5
    /// Seconds for which an upload waits for the malware scanner; then it is scanned later. Default 30.
    public var scanSeconds = 30.0
    /// Seconds for which ``Configuration/review`` may take to answer; an upload without an answer is held. Default 5.
    public var reviewSeconds = 5.0
    /// Readers whose reports hide an attachment until a moderator decides. Default nil: reports hide none.
    public var reportThreshold: Int?
    /// Drafts that an owner may have. Default 1,000.
    public var drafts = 1_000
    /// Messages that an owner may have; received ones are refused then. Default 100,000.
    public var messages = 100_000
    /// Owners whose messages are open at once, each with up to eight open files; others are closed and opened again. Default 64.
    public var openMessageStores = 64
    /// Bytes that must stay free on the disk; uploads are refused below. Default 1 GB.
    public var freeBytes = 1_000_000_000

    /// The default limits.
    public init() {}
  }
}
