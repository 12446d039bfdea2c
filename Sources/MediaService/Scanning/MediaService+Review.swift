internal import AttachmentPolicy
internal import FileSupport
internal import Logging
internal import MediaLibrary
public import MediaModel

/// The application's decision about a file before anybody sees it (R-MYM-26).
extension MediaService {
  /// What the application is asked about.
  public struct ReviewQuestion: Encodable, Sendable {
    /// The owner of the file.
    public var owner: String
    /// The name that the client stated; untrusted text.
    public var name: String?
    /// The facts, with the SHA-256 of the content.
    public var info: MediaInfo
    /// The path of the file, which is only read and stays where it is until the answer. Not encoded.
    public var path: String

    private enum CodingKeys: String, CodingKey { case owner, name, info }
  }

  /// What the application answers.
  public enum ReviewAnswer: Hashable, Sendable {
    /// The file is shown to whom its owner allows.
    case allow
    /// The upload fails with this reason, which the client gets; nothing of the file stays.
    case refuse(reason: String)
    /// The file is stored, and quarantined with this reason until a moderator releases it.
    case hold(reason: String)
  }

  /// The actor of files that a review holds, in the audit trail.
  static let reviewer = "review"

  /// Asks the application about a file. No answer within ``Limits/reviewSeconds`` holds it.
  /// - Returns: Why the file is held; nil if it is not.
  /// - Throws: `refused`.
  func review(_ file: ArrivedFile, _ info: MediaInfo) async throws(ServiceError) -> String? {
    guard let ask = configuration.review else { return nil }
    let question = ReviewQuestion(
      owner: file.owner, name: file.claims.name, info: info, path: file.part.path.description)
    let answer: ReviewAnswer
    do {
      answer = try await Deadline.within(.seconds(configuration.limits.reviewSeconds)) { try await ask(question) }
    } catch {
      logger.error("the review of an upload failed, so it is held", metadata: ["error": "\(error)"])
      return "the review did not answer"
    }
    switch answer {
    case .allow: return nil
    case .hold(let reason): return reason
    case .refuse(let reason):
      logger.info("the review refused an upload", metadata: ["owner": "\(file.owner)", "reason": "\(reason)"])
      throw ServiceError(
        .refused, reason.isEmpty ? "This file is not allowed." : String(reason.prefix(500)),
        verdict: FileExamination.refusing(.review))
    }
  }
}

extension Verdict.Reason.Code {
  /// The application refuses the file.
  static let review = Verdict.Reason.Code(rawValue: "review")
}
