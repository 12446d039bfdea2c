internal import CLibAV

extension AVContainer {
  /// The picture that a sound carries of itself: a file of its own. The front cover if one is marked so, else the first; nil when there is none,
  /// or none of at most `maxBytes`.
  ///
  /// libav finds them in ID3v2 (APIC, PIC), MP4 (covr), FLAC, Vorbis comments (METADATA_BLOCK_PICTURE), Matroska, ASF and
  /// APEv2, and keeps them with streams that have no packets.
  package func cover(maxBytes: Int) -> [UInt8]? {
    withStreams { streams in
      let covers = streams.filter { stream in
        let bytes = Int(stream.pointee.attached_pic.size)
        return stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 && (1...max(1, maxBytes)).contains(bytes)
          && stream.pointee.attached_pic.data != nil
      }
      // libav's words for type 3 of ID3v2's list (ID3v2.4.0 frames, 4.14), which all but MP4 share.
      let front = covers.first { AVTags($0.pointee.metadata)["comment"] == "Cover (front)" }
      guard let packet = (front ?? covers.first)?.pointee.attached_pic, let data = packet.data else { return nil }
      return [UInt8](UnsafeBufferPointer(start: data, count: Int(packet.size)))
    }
  }
}
