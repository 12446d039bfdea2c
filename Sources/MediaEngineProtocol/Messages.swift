internal import Foundation
package import MediaModel

/// A message that is not as the protocol says. The worker that sent it is killed.
package struct ProtocolViolation: Error, Hashable, Sendable {
  /// What is wrong, for the operator.
  package let reason: String

  /// A violation for that reason.
  package init(_ reason: String) { self.reason = reason }
}

/// The messages as frames, and back.
package enum Messages {
  /// A part of a job begins; the facts that were found before it.
  package struct Stage: Hashable, Codable, Sendable {
    /// The part.
    package var stage: JobStage
    /// What is known so far: the answer if the decoder dies now.
    package var info: MediaInfo

    /// That part.
    package init(stage: JobStage, info: MediaInfo) {
      self.stage = stage
      self.info = info
    }
  }

  /// A value in JSON as a frame.
  package static func frame(_ kind: FrameHeader.Kind, job: UInt64, _ value: some Encodable) throws -> Frame {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let text = [UInt8](try encoder.encode(value))
    guard let frame = Frame(kind: kind, job: job, text: text) else {
      throw ProtocolViolation("the message is too long")
    }
    return frame
  }

  /// What is told of a job under way as a frame.
  package static func frame(_ news: JobEvent, job: UInt64) throws -> Frame {
    switch news {
    case .stage(let stage, let info): try frame(.stage, job: job, Stage(stage: stage, info: info))
    case .progress(let progress): try frame(.progress, job: job, progress)
    }
  }

  /// The value in a frame's JSON.
  package static func value<Value: Decodable>(_ type: Value.Type, of frame: Frame) throws(ProtocolViolation) -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(frame.text))
    } catch {
      throw ProtocolViolation("the JSON of a \(frame.header.kind) message is invalid")
    }
  }

  /// A result as a frame. One of facts alone, of which there may be thousands a second, is no JSON (`FactsCode`).
  package static func frame(_ result: MediaJobResult, job: UInt64) throws -> Frame {
    if result.thumbnails == nil, result.storyboard == nil, result.storyboardFailure == nil, result.transcoded == nil {
      let text = FactsCode.bytes(result.info, bytesRead: result.bytesRead)
      guard let frame = Frame(kind: .result, job: job, text: text) else {
        throw ProtocolViolation("the message is too long")
      }
      return frame
    }
    let (facts, bytes) = WireResult.split(result)
    let head = try frame(.result, job: job, facts)
    guard let frame = Frame(kind: .result, job: job, text: head.text, bytes: bytes) else {
      throw ProtocolViolation("the images are too large")
    }
    return frame
  }

  /// The result in a frame, every length of it checked against the bytes that came.
  package static func result(of frame: Frame) throws(ProtocolViolation) -> MediaJobResult {
    guard frame.text.first == FactsCode.mark else {
      return try value(WireResult.self, of: frame).joined(with: frame.bytes)
    }
    guard frame.bytes.isEmpty else { throw ProtocolViolation("trailing bytes after the images") }
    let (info, bytesRead) = try FactsCode.value(of: frame.text)
    return MediaJobResult(info: info, bytesRead: bytesRead)
  }
}
