internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Messaging

/// Messages of real images, drawn by lot.
struct MessageSet {
  /// A message and its files.
  struct Message {
    let composition: MessageComposition
    let files: [MediaAttachment.ID: MediaSource]
    let profile: CarrierProfile
  }

  /// Photographs of the corpus that have to become smaller for most messages: cameras of all ages, portraits, HEIC, AVIF, PNG, turned ones.
  static let images = [
    "geotagged/exifsamples-HMD_Nokia_8.3_5G.jpg", "geotagged/exifsamples-iphone_hdr_NO.jpg",
    "geotagged/immich-IMG_2682.heic", "geotagged/immich-empty_gps.jpg", "geotagged/media3-tokyo.jpg",
    "geotagged/media3-ultraHDR.jpg", "images/exifr-IMG_20180725_163423-tiny.jpg", "images/exifsamples-canon_hdr_NO.jpg",
    "images/exifsamples-iphone_13_pro_max.HEIC", "images/exifsamples-jolla.jpg",
    "images/glide-pixel3a_exif_rotated.jpg",
    "images/immich-8bit-sRGB.avif", "images/immich-book-beside-flowers.jpg", "images/immich-japanese-shop.jpg",
    "images/immich-mongolels.jpg", "images/immich-portrait.jpg", "images/libavif-kodim03_yuv420_8bpc.avif",
    "images/libavif-kodim23_yuv420_8bpc.avif", "images/mdn-elva-original.jpg", "images/mdn-larch.jpg",
    "images/media3-london.jpg", "images/pillow-exif.png", "images/thumbor-Giunchedi_Filippo_January_2015_01.jpg",
    "images/wuffs-harvesters.jpeg",
  ]

  /// The limits: 100, 300, 600 and 1,024 kB.
  static let profiles = ["image-rich", "mms-300k", "megapixel", "mms-1m"]

  /// The facts of every image, found once.
  private let facts: [MediaInfo]
  private let folder: String

  /// - Parameter folder: The corpus.
  init(folder: String, engine: MediaEngine) async throws {
    self.folder = folder
    var facts: [MediaInfo] = []
    for name in Self.images { facts.append(try await engine.probe(.path("\(folder)/\(name)"))) }
    self.facts = facts
  }

  /// The message of that number: two to six images and a text, a limit after the other. The same number is always the same message.
  func message(_ number: Int) -> Message? {
    guard let profile = CarrierProfile.preset(Self.profiles[number % Self.profiles.count]) else { return nil }
    var state = UInt64(number) &+ 2_026
    func below(_ limit: Int) -> Int {
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
    var left = Array(Self.images.indices)
    var content: [MessageComposition.Item] = [.text("Message \(number)")]
    var files: [MediaAttachment.ID: MediaSource] = [:]
    for _ in 0..<(2 + below(5)) {
      let index = left.remove(at: below(left.count))
      let name = Self.images[index]
      let attachment = MediaAttachment(
        id: MediaAttachment.ID(name), name: name.split(separator: "/").last.map(String.init), info: facts[index])
      content.append(.attachment(AttachmentDraft.Item(attachment)))
      files[attachment.id] = .path("\(folder)/\(name)")
    }
    return Message(
      composition: MessageComposition(content: content, recipients: [MessageRecipient("+15551234567")]), files: files,
      profile: profile)
  }
}
