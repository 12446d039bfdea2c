internal import Foundation
package import MediaModel

/// A message that violates the protocol. The worker that sent it is killed.
package struct ProtocolViolation: Error, Hashable, Sendable {
  /// The violation, for the administrator.
  package let reason: String

  /// - Parameter reason: A phrase in lower case, such as `invalid name`.
  package init(_ reason: String) { self.reason = reason }
}

/// Encoding and decoding of messages as frames.
package enum Messages {
  /// The start of a stage, with the facts found so far.
  package struct Stage: Hashable, Codable, Sendable {
    /// The stage that begins now.
    package var stage: JobStage
    /// The facts found so far: the answer if the decoder dies now.
    package var info: MediaInfo

    /// The start of this stage.
    package init(stage: JobStage, info: MediaInfo) {
      self.stage = stage
      self.info = info
    }
  }

  /// Encodes a value as JSON in a frame.
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

  /// Encodes an event of a running job.
  package static func frame(_ news: JobEvent, job: UInt64) throws -> Frame {
    switch news {
    case .stage(let stage, let info): try frame(.stage, job: job, Stage(stage: stage, info: info))
    case .progress(let progress): try frame(.progress, job: job, progress)
    }
  }

  /// Decodes the JSON of a frame.
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

  /// Encodes a result. Facts alone, of which there may be thousands per second, are not sent as JSON (`FactsCode`).
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

  /// Decodes a result, and checks every length against the received bytes.
  package static func result(of frame: Frame) throws(ProtocolViolation) -> MediaJobResult {
    guard frame.text.first == FactsCode.mark else {
      return try value(WireResult.self, of: frame).joined(with: frame.bytes)
    }
    guard frame.bytes.isEmpty else { throw ProtocolViolation("trailing bytes after the images") }
    let (info, bytesRead) = try FactsCode.value(of: frame.text)
    return MediaJobResult(info: info, bytesRead: bytesRead)
  }
}
