public import MediaModel

/// Removes the metadata of a file of any type: location, dates, device, names, comments. The content stays bit-identical.
///
/// The table in the documentation of this library has what is removed from each type. Pure, without files or global state, linear in the
/// length of the file.
public enum MetadataStripper {
  /// The file without metadata; nil if that needs a new encoding, or is not supported: a container that is not in the table, a damaged or
  /// encrypted file, an archive.
  ///
  /// Stripping a stripped file gives the same bytes; so does stripping a file without metadata.
  /// - Parameters:
  ///   - file: The whole file.
  ///   - type: Its type by its content, not by its name.
  public static func strip(_ file: [UInt8], type: MediaType) -> [UInt8]? {
    switch type.registered.rawValue {
    case "image/jpeg", "image/png", "image/gif": return ImageMetadataStripper.strip(file, type: type)
    case let name where movies.contains(name): return VideoMetadataStripper.strip(file)
    case "audio/wav": return WaveFile.strip(file)
    case "audio/mpeg": return AudioFrames.strip(file, MPEGFrame.length)
    case "audio/aac": return AudioFrames.strip(file, ADTSFrame.length)
    case "audio/amr": return AMRStream.strip(file, wideband: false)
    case "audio/amr-wb": return AMRStream.strip(file, wideband: true)
    case "audio/flac": return FLACFile.strip(file)
    case "audio/midi": return MIDIFile.strip(file)
    case "audio/ogg": return OggFile.strip(file)
    case "application/pdf": return PDFFile.strip(file)
    case "text/vcard": return DirectoryText.contact(file)
    case "text/calendar": return DirectoryText.calendar(file)
    // The text is the content.
    default: return type.kind == .text ? file : nil
    }
  }
}

extension MetadataStripper {
  /// Types of the ISO base media family.
  private static let movies: Set<String> = [
    "video/mp4", "video/quicktime", "video/3gpp", "video/3gpp2", "audio/mp4", "audio/3gpp", "audio/3gpp2",
  ]

  /// What ``strip(_:type:)`` changes of a file that is not read into memory; nil as there, and for every type whose files get another size.
  /// - Parameters:
  ///   - count: The size of the file.
  ///   - type: Its type by its content.
  ///   - read: As in ``VideoMetadataStripper/plan(count:read:)``.
  package static func plan(
    count: Int, type: MediaType, read: @escaping (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws -> StrippingPlan? {
    guard movies.contains(type.registered.rawValue) else { return nil }
    return try VideoMetadataStripper.plan(count: count, read: read)
  }
}

extension [UInt8] {
  /// Whether the ASCII text is at an index.
  func has(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index <= count, length <= count - index else { return false }
    for offset in 0..<length where self[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// The little-endian number of four bytes at an index; nil past the end.
  func u32le(_ index: Int) -> Int? {
    guard index >= 0, index <= count - 4 else { return nil }
    return Int(self[index]) | Int(self[index + 1]) << 8 | Int(self[index + 2]) << 16 | Int(self[index + 3]) << 24
  }

  /// The big-endian number of four bytes at an index; nil past the end.
  func u32be(_ index: Int) -> Int? {
    guard index >= 0, index <= count - 4 else { return nil }
    return Int(self[index]) << 24 | Int(self[index + 1]) << 16 | Int(self[index + 2]) << 8 | Int(self[index + 3])
  }
}
