internal import MediaModel

/// Maps the names of libmagic, other tools and clients to our name for a type.
///
/// A row is needed only if the left name is not ours. The right one is the IANA-registered name if there is one (see
/// the table of ``MediaType``). Contacts and calendars are not included: ``MediaType/registered`` handles their older
/// names.
enum TypeTable {
  static let canonical: [String: String] = [
    // libmagic's names for types that IANA has registered under other names.
    "application/x-rar": "application/vnd.rar",
    "application/x-gtar": "application/x-tar",
    "application/x-gzip": "application/gzip",
    "application/x-zstd": "application/zstd",
    "application/x-dosexec": "application/vnd.microsoft.portable-executable",
    "application/x-pie-executable": "application/x-executable",
    "application/x-sharedlib": "application/x-executable",
    "application/x-object": "application/x-executable",
    "application/vnd.ms-office": "application/x-ole-storage",
    "application/cdfv2": "application/x-ole-storage",
    "application/x-xml": "application/xml",
    "text/xml": "application/xml",
    "text/rtf": "application/rtf",
    "text/x-python": "text/x-script.python",
    "text/json": "application/json",
    "text/comma-separated-values": "text/csv",
    "text/x-markdown": "text/markdown",
    "audio/x-m4a": "audio/mp4",
    "audio/x-wav": "audio/wav",
    "audio/x-aiff": "audio/aiff",
    "audio/x-flac": "audio/flac",
    "audio/x-hx-aac-adts": "audio/aac",
    "audio/x-hx-aac-adif": "audio/aac",
    "audio/vnd.dolby.dd-raw": "audio/ac3",
    "audio/x-midi": "audio/midi",
    "video/x-matroska": "video/matroska",
    "audio/x-matroska": "audio/matroska",
    "video/x-m4v": "video/mp4",
    "video/mpeg4-generic": "video/mpeg",
    "video/mpv": "video/mpeg",
    "video/mp2p": "video/mpeg",
    "video/x-ms-wmv": "video/x-ms-asf",
    "image/x-ms-bmp": "image/bmp",
    "image/x-icon": "image/vnd.microsoft.icon",
    "image/x-jp2-codestream": "image/j2c",
    "image/svg": "image/svg+xml",

    // Names that clients declare.
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/vnd.mozilla.apng": "image/png",
    "image/x-bmp": "image/bmp",
    "image/x-windows-bmp": "image/bmp",
    "image/ico": "image/vnd.microsoft.icon",
    "image/x-j2c": "image/j2c",
    "image/qoi": "image/x-qoi",
    "image/x-psd": "image/vnd.adobe.photoshop",
    "image/dng": "image/x-adobe-dng",
    "video/avi": "video/x-msvideo",
    "video/msvideo": "video/x-msvideo",
    "video/vnd.avi": "video/x-msvideo",
    "video/mp4v-es": "video/mp4",
    "video/flv": "video/x-flv",
    "video/x-ms-wma": "audio/x-ms-wma",
    "video/x-mpeg": "video/mpeg",
    "video/vnd.dlna.mpeg-tts": "video/mp2t",
    "audio/mp3": "audio/mpeg",
    "audio/x-mp3": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg",
    "audio/mpeg3": "audio/mpeg",
    "audio/mpg": "audio/mpeg",
    "audio/m4a": "audio/mp4",
    "audio/mp4a-latm": "audio/mp4",
    "audio/aacp": "audio/aac",
    "audio/x-aac": "audio/aac",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-pn-wav": "audio/wav",
    "audio/aif": "audio/aiff",
    "audio/opus": "audio/ogg",
    "audio/vorbis": "audio/ogg",
    "audio/x-ogg": "audio/ogg",
    "audio/ape": "audio/x-ape",
    "audio/musepack": "audio/x-musepack",
    "audio/vnd.rn-realaudio": "audio/x-pn-realaudio",
    "audio/x-realaudio": "audio/x-pn-realaudio",
    "audio/x-amr": "audio/amr",
    "audio/mid": "audio/midi",
    "application/x-pdf": "application/pdf",
    "application/x-zip-compressed": "application/zip",
    "application/x-zip": "application/zip",
    "application/x-rar-compressed": "application/vnd.rar",
    "application/rar": "application/vnd.rar",
    "application/x-7z": "application/x-7z-compressed",
    "application/x-bzip": "application/x-bzip2",
    "application/bzip2": "application/x-bzip2",
    "application/x-msdownload": "application/vnd.microsoft.portable-executable",
    "application/smil": "application/smil+xml",
    "application/x-mpegurl": "application/vnd.apple.mpegurl",
    "audio/mpegurl": "application/vnd.apple.mpegurl",
    "audio/x-mpegurl": "application/vnd.apple.mpegurl",
  ]

  /// The name that the facts use for a type, one of several that are in use.
  static func ours(_ name: String) -> MediaType {
    let type = MediaType(name).registered
    return canonical[type.rawValue].map(MediaType.init(rawValue:)) ?? type
  }

  /// The audio type of a container without a video stream; nil if it keeps its type and is still audio.
  static let withoutVideo: [MediaType: MediaType] = [
    .mp4: .mp4Audio,
    .video3GPP: .audio3GPP,
    .video3GPP2: .audio3GPP2,
    .matroska: .matroskaAudio,
    .webm: .webmAudio,
    .oggVideo: .oggAudio,
    .asf: .windowsMediaAudio,
  ]

  /// The video type of a container that declares audio and has a video stream.
  static let withVideo: [MediaType: MediaType] = [
    .mp4Audio: .mp4
  ]
}
