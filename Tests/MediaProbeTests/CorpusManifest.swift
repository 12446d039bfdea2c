internal import Foundation
internal import TestSupport
internal import Testing

/// The corpus's list of files and facts, as its MANIFEST.json says it. Only facts on which two other tools agreed stand in it.
struct Manifest: Decodable {
  struct File: Decodable, Sendable, CustomTestStringConvertible {
    let path: String
    let bytes: Int
    let sha256: String
    let facts: Facts
    let disagree: [String: Ignored]?
    let singleTool: [String: Ignored]?
    var testDescription: String { path }
    var isHostile: Bool { path.hasPrefix("hostile/") }

    /// Whether programs disagreed on a fact, or only one of them knew it: then it is no expectation.
    func isDoubtful(_ fact: String) -> Bool { disagree?[fact] != nil || singleTool?[fact] != nil }
  }

  /// A value that is there or not.
  struct Ignored: Decodable, Sendable {
    init(from decoder: any Decoder) {}
  }

  struct Facts: Decodable, Sendable {
    let mime: String?
    let width, height, displayWidth, displayHeight: Int?
    let orientation, rotation, frames, pages: Int?
    let captureTime, captureOffset, captureTimeUtc: String?
    let cameraMake, cameraModel: String?
    let gps: Place?
    let exifThumbnail, coverArt, hasVideo, hasAudio: Bool?
    let durationS: Double?
    let videoCodec, audioCodec: String?
  }

  struct Place: Decodable, Sendable {
    let lat, lon: Double
  }

  let files: [File]

  /// Every file; none, and a line that says so, where the corpus is not there.
  static let all: [File] = {
    guard Corpus.isPresent else { return [] }
    let data = FileManager.default.contents(atPath: Corpus.path("MANIFEST.json")) ?? Data()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return (try? decoder.decode(Manifest.self, from: data))?.files ?? []
  }()

  /// Videos and audio files.
  static let containers = all.filter { $0.facts.hasVideo != nil }
  /// Images, going by the register's name for the type.
  static let images = all.filter { $0.facts.mime?.hasPrefix("image/") == true }
  /// Everything else than videos and audio files.
  static let others = all.filter { $0.facts.hasVideo == nil }
}
