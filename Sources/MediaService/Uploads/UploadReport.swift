internal import Metrics

/// The metrics of uploads. docs/security.md lists the names, on which dashboards depend. No label is taken from a request.
struct UploadReport: Sendable {
  /// How a file comes.
  enum Form: String, Sendable {
    /// In one request.
    case single
    /// In requests of tus 1.0.
    case tus
    /// In requests of draft-ietf-httpbis-resumable-upload.
    case ietf

    init(_ form: Upload.Form) { self = form == .tus ? .tus : .ietf }
  }

  /// What happened to an upload, or to a request for it.
  enum Outcome: String, Sendable {
    /// It has begun, and has an address.
    case created
    /// It is an attachment.
    case finished
    /// The rules or a digest refuse the file.
    case refused
    /// The client ended it.
    case deleted
    /// It was not continued in time.
    case expired
    /// A file in one request did not arrive, or the service could not take it.
    case failed
    /// A newer request ended the one that sent bytes; the upload continues.
    case takenOver
  }

  private let factory: any MetricsFactory
  private let open: Gauge
  private let examination: Timer

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    open = Gauge(label: "mediatool_uploads_open", dimensions: [], factory: factory)
    examination = Timer(
      label: "mediatool_upload_examination_seconds", dimensions: [], preferredDisplayUnit: .seconds, factory: factory)
  }

  /// A counter of bytes, for the pieces of one request.
  func bytes(_ form: Form) -> Counter {
    Counter(label: "mediatool_upload_bytes_total", dimensions: [("protocol", form.rawValue)], factory: factory)
  }

  /// An upload has changed its state.
  func count(_ form: Form, _ outcome: Outcome) {
    Counter(
      label: "mediatool_uploads_total", dimensions: [("protocol", form.rawValue), ("outcome", outcome.rawValue)],
      factory: factory
    ).increment()
  }

  /// The number of uploads that are not finished, of all owners.
  func open(_ count: Int) { open.record(count) }

  /// The facts and images of a complete file took this long.
  func examined(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    examination.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
