internal import ISOBaseMedia
internal import MediaModel

/// Signatures of chunk-based formats: RIFF and its descendants, IFF, Core Audio. WebP is in ``ImageSignatures``.
enum RIFFSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    switch reader.fourCC(0) {
    // Microsoft and IBM, Multimedia Programming Interface 1.0; RF64 and BW64 are EBU Tech 3306 and ITU-R BS.2088.
    case "RIFF", "RIFX", "RF64", "BW64":
      switch reader.fourCC(8) {
      case "AVI ": return .avi
      case "WAVE": return .wav
      case "RMID": return .midi
      default: return nil
      }
    // EA IFF 85 and Apple's AIFF-C.
    case "FORM": return reader.has("AIFF", at: 8) || reader.has("AIFC", at: 8) ? .aiff : nil
    // Sony Wave64: chunk names are GUIDs, of which the first begins with "riff".
    case "riff": return reader.u64be(4) == 0x2E91_CF11_A5D6_28DB && reader.u32be(12) == 0x04C1_0000 ? .wave64 : nil
    // Apple Core Audio Format, file header: version 1, flags 0.
    case "caff": return reader.u32be(4) == 0x0001_0000 ? .coreAudio : nil
    default: return nil
    }
  }
}
