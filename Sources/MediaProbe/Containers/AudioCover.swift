internal import CLibAV
internal import CMediaShims
package import MediaModel

/// The image that an audio file carries of itself: a file of its own.
package enum AudioCover {
  /// The front cover if one is marked so, else the first; nil when there is none, or none of at most `maxBytes`.
  ///
  /// libav finds them in ID3v2 (APIC, PIC), MP4 (covr), FLAC, Vorbis comments (METADATA_BLOCK_PICTURE), Matroska and ASF, and keeps
  /// them with streams that have no packets; behind MP3 an APEv2 tag may hold them.
  /// - Throws: What ``MediaInput/read(at:count:)`` throws.
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
        // libav's words for type 3 of ID3v2's list (ID3v2.4.0 frames, 4.14), which FLAC shares; and an APEv2 key.
        return tags["comment"] == "Cover (front)" || tags["cover art (front)"] != nil
      }
      // Matroska's name for the front cover, beside `small_cover`, `cover_land` and `small_cover_land`.
      let named = covers.first { AVTags($0.pointee.metadata)["filename"]?.lowercased().hasPrefix("cover.") == true }
      guard let packet = (front ?? named ?? covers.first)?.pointee.attached_pic, let data = packet.data else {
        return nil
      }
      return [UInt8](UnsafeBufferPointer(start: data, count: Int(packet.size)))
    }
  }
}
