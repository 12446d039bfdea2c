import Foundation
import TestSupport
import Testing

/// The corpus's list of files and facts, as its MANIFEST.json says it. Only facts on which two other tools agreed stand in it.
struct Manifest: Decodable {
  struct File: Decodable, Sendable, CustomTestStringConvertible {
    let path: String
    let bytes: Int
    let sha256: String
    let facts: Facts
    let disagree: [String: Ignored]?
    let single_tool: [String: Ignored]?
    var testDescription: String { path }
    var isHostile: Bool { path.hasPrefix("hostile/") }

    /// Whether programs disagreed on a fact, or only one of them knew it: then it is no expectation.
    func isDoubtful(_ fact: String) -> Bool { disagree?[fact] != nil || single_tool?[fact] != nil }
  }

  /// A value that is there or not.
  struct Ignored: Decodable, Sendable {
    init(from decoder: any Decoder) {}
  }

  struct Facts: Decodable, Sendable {
    let mime: String?
    let width, height, display_width, display_height: Int?
    let orientation, rotation, frames, pages: Int?
    let capture_time, capture_offset, capture_time_utc: String?
    let camera_make, camera_model: String?
    let gps: Place?
    let exif_thumbnail, cover_art, has_video, has_audio: Bool?
    let duration_s: Double?
    let video_codec, audio_codec: String?
  }

  struct Place: Decodable, Sendable {
    let lat, lon: Double
  }

  let files: [File]

  /// Every file; none, and a line that says so, where the corpus is not there.
  static let all: [File] = {
    guard Corpus.isPresent else { return [] }
    let data = FileManager.default.contents(atPath: Corpus.path("MANIFEST.json")) ?? Data()
    return (try? JSONDecoder().decode(Manifest.self, from: data))?.files ?? []
  }()

  /// Films and sounds.
  static let containers = all.filter { $0.facts.has_video != nil }
  /// Pictures, going by the register's name for the type.
  static let pictures = all.filter { $0.facts.mime?.hasPrefix("image/") == true }
  /// Everything else than films and sounds.
  static let others = all.filter { $0.facts.has_video == nil }
}
