internal import CLibAV
internal import CMediaShims
package import MediaModel

/// The cover image of an audio file, which is an image file of its own.
package enum AudioCover {
  /// Returns the front cover, or else the first cover. Nil if there is none of at most `maxBytes`.
  ///
  /// libav finds covers in ID3v2 (APIC, PIC), MP4 (covr), FLAC, Vorbis comments (METADATA_BLOCK_PICTURE), Matroska and
  /// ASF. It stores them in streams without packets. An MP3 may have them in an APEv2 tag.
  ///
  /// - Throws: The errors of ``MediaInput/read(at:count:)``.
  package static func bytes(
    of container: borrowing AVContainer, _ input: borrowing MediaInput, type: MediaType, maxBytes: Int
  ) throws(MediaFailure) -> [UInt8]? {
    if let attached = attached(to: container, maxBytes: maxBytes) { return attached }
    guard type == .mpegAudio, let range = APETag(input.reader())?.cover, range.count <= maxBytes else { return nil }
    return try input.read(at: range.lowerBound, count: range.count)
  }

  private static func attached(to container: borrowing AVContainer, maxBytes: Int) -> [UInt8]? {
    container.withStreams { streams in
      let covers = streams.filter { stream in
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 && stream.pointee.attached_pic.data != nil
          && (1...max(1, maxBytes)).contains(Int(stream.pointee.attached_pic.size))
      }
      let front = covers.first { stream in
        let tags = AVTags(stream.pointee.metadata)
        // libav's text for picture type 3 of ID3v2 (ID3v2.4.0 frames, 4.14) and FLAC, and the key of APEv2.
        return tags["comment"] == "Cover (front)" || tags["cover art (front)"] != nil
      }
      // Matroska's file name for the front cover; others are `small_cover`, `cover_land` and `small_cover_land`.
      let named = covers.first { AVTags($0.pointee.metadata)["filename"]?.lowercased().hasPrefix("cover.") == true }
      guard let packet = (front ?? named ?? covers.first)?.pointee.attached_pic, let data = packet.data else {
        return nil
      }
      return [UInt8](UnsafeBufferPointer(start: data, count: Int(packet.size)))
    }
  }
}
