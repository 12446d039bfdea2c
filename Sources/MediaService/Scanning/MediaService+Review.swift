internal import AttachmentPolicy
internal import FileSupport
internal import Logging
internal import MediaLibrary
public import MediaModel

/// The application's decision about a file, a moment or a trip before anybody else sees it (R-MYM-26).
extension MediaService {
  /// What the application is asked about: an upload, or a moment that others would see.
  public struct ReviewQuestion: Encodable, Sendable {
    /// The owner of the file or the moment.
    public var owner: String
    /// The name of the file that the client stated; untrusted text.
    public var name: String?
    /// The facts of the file, with the SHA-256 of its content; nil for a note.
    public var info: MediaInfo?
    /// The path of the file, which is only read and stays where it is until the answer; nil for a note. Not encoded.
    public var path: String?
    /// The moment as it would be; nil for an upload.
    public var moment: ReviewedMoment?
    /// The trip as it would be; nil for anything else. Default nil.
    public var trip: ReviewedTrip?

    private enum CodingKeys: String, CodingKey { case owner, name, info, moment, trip }
  }

  /// What the application answers.
  public enum ReviewAnswer: Hashable, Sendable {
    /// The file or the moment is shown to whom its owner allows.
    case allow
    /// The request fails with this reason, which the client gets; nothing of the file or the change stays.
    case refuse(reason: String)
    /// The file is stored and quarantined, or the moment is held, with this reason until a moderator releases it.
    case hold(reason: String)
  }

  /// The actor of what a review holds, in the audit trail.
  static let reviewer = "review"

  /// Asks the application about a file. No answer within ``Limits/reviewSeconds`` holds it.
  /// - Returns: Why the file is held; nil if it is not.
  /// - Throws: `refused`.
  func review(_ file: ArrivedFile, _ info: MediaInfo) async throws(ServiceError) -> String? {
    let question = ReviewQuestion(
      owner: file.owner, name: file.claims.name, info: info, path: file.part.path.description)
    return try await review(question)
  }

  /// Asks the application. No answer within ``Limits/reviewSeconds`` is a hold.
  /// - Returns: Why the file or the moment is held; nil if it is not, and without an application.
  /// - Throws: `refused`.
  func review(_ question: ReviewQuestion) async throws(ServiceError) -> String? {
    guard let ask = configuration.review else { return nil }
    let answer: ReviewAnswer
    do {
      answer = try await Deadline.within(.seconds(configuration.limits.reviewSeconds)) { try await ask(question) }
    } catch {
      logger.error(
        "the review callback failed; the upload is quarantined, or the moment is held", metadata: ["error": "\(error)"])
      return "the review callback did not answer"
    }
    switch answer {
    case .allow: return nil
    case .hold(let reason): return reason
    case .refuse(let reason):
      logger.info(
        "the review callback refused an upload or a moment",
        metadata: ["owner": "\(question.owner)", "reason": "\(reason)"])
      let subject = question.trip != nil ? "trip" : question.moment != nil ? "moment" : "file"
      throw ServiceError(
        .refused, reason.isEmpty ? "This \(subject) is not allowed." : String(reason.prefix(500)),
        verdict: subject == "file" ? FileExamination.refusing(.review) : nil)
    }
  }
}

extension Verdict.Reason.Code {
  /// The application refuses the file.
  static let review = Verdict.Reason.Code(rawValue: "review")
}
