extension MediaType {
  struct Entry: Sendable {
    let kind: MediaKind
    let extensions: [String]
  }

  /// The types this project knows by name. To add one, add a line.
  ///
  /// Names are those of the IANA media types registry (as of 2025); a name with `x-` stands only where nothing is
  /// registered. The first extension is the one we write; all of them are accepted without a mismatch.
  static let known: [String: Entry] = Dictionary(
    uniqueKeysWithValues: table.map { name, kind, extensions in
      (name, Entry(kind: kind, extensions: extensions.split(separator: " ").map(String.init)))
    })

  static let byExtension: [String: [MediaType]] = table.reduce(into: [:]) { index, row in
    for name in row.2.split(separator: " ") { index[String(name), default: []].append(MediaType(row.0)) }
  }

  /// Name, kind, extensions.
  static let table: [(String, MediaKind, String)] = [
    ("image/jpeg", .image, "jpg jpeg jpe jfif mpo"),
    ("image/png", .image, "png apng"),
    ("image/gif", .image, "gif"),
    ("image/webp", .image, "webp"),
    ("image/heic", .image, "heic heif hif heics"),
    ("image/heif", .image, "heif hif heic heifs"),
    ("image/avif", .image, "avif avifs heif"),
    ("image/tiff", .image, "tif tiff"),
    ("image/bmp", .image, "bmp dib"),
    ("image/svg+xml", .image, "svg"),
    ("image/jxl", .image, "jxl"),
    ("image/jp2", .image, "jp2 j2k jpx jpf"),
    ("image/j2c", .image, "j2c j2k jpc"),
    ("image/x-adobe-dng", .image, "dng"),
    ("image/x-canon-cr2", .image, "cr2"),
    ("image/x-nikon-nef", .image, "nef"),
    ("image/x-sony-arw", .image, "arw"),
    ("image/vnd.microsoft.icon", .image, "ico"),
    ("image/vnd.adobe.photoshop", .image, "psd"),
    ("image/x-qoi", .image, "qoi"),
    ("image/x-tga", .image, "tga"),
    ("image/vnd.wap.wbmp", .image, "wbmp"),

    ("video/mp4", .video, "mp4 m4v mp4v"),
    ("video/quicktime", .video, "mov qt"),
    ("video/3gpp", .video, "3gp 3gpp"),
    ("video/3gpp2", .video, "3g2 3gpp2"),
    ("video/webm", .video, "webm"),
    ("video/matroska", .video, "mkv"),
    ("video/x-msvideo", .video, "avi"),
    ("video/mp2t", .video, "ts mts m2ts"),
    ("video/mpeg", .video, "mpg mpeg vob m2v"),
    ("video/ogg", .video, "ogv ogg"),
    ("video/x-flv", .video, "flv"),
    ("video/x-ms-asf", .video, "wmv asf"),

    ("audio/mpeg", .audio, "mp3 mp2 mpga"),
    ("audio/mp4", .audio, "m4a mp4 m4b m4r"),
    ("audio/aac", .audio, "aac"),
    ("audio/ogg", .audio, "ogg oga opus spx"),
    ("audio/flac", .audio, "flac"),
    ("audio/wav", .audio, "wav wave"),
    ("audio/aiff", .audio, "aiff aif aifc"),
    ("audio/amr", .audio, "amr"),
    ("audio/amr-wb", .audio, "awb amr"),
    ("audio/midi", .audio, "mid midi"),
    ("audio/3gpp", .audio, "3gp 3gpp"),
    ("audio/3gpp2", .audio, "3g2 3gpp2"),
    ("audio/matroska", .audio, "mka mkv"),
    ("audio/webm", .audio, "weba webm"),
    ("audio/x-ms-wma", .audio, "wma asf"),

    ("application/pdf", .document, "pdf"),
    ("application/msword", .document, "doc dot"),
    ("application/vnd.ms-excel", .document, "xls xlt"),
    ("application/vnd.ms-powerpoint", .document, "ppt pps"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", .document, "docx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", .document, "xlsx"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", .document, "pptx"),
    ("application/vnd.oasis.opendocument.text", .document, "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", .document, "ods"),
    ("application/vnd.oasis.opendocument.presentation", .document, "odp"),
    ("application/rtf", .document, "rtf"),
    ("application/epub+zip", .document, "epub"),

    ("text/vcard", .contact, "vcf vcard"),
    ("text/calendar", .text, "ics ical ifb"),
    ("text/plain", .text, "txt text log"),
    ("text/html", .text, "html htm"),
    ("text/csv", .text, "csv"),
    ("text/markdown", .text, "md"),
    ("application/xml", .text, "xml kml"),
    ("application/json", .text, "json"),
    ("message/rfc822", .text, "eml"),

    ("application/zip", .archive, "zip"),
    ("application/gzip", .archive, "gz tgz"),
    ("application/x-tar", .archive, "tar"),
    ("application/x-7z-compressed", .archive, "7z"),
    ("application/vnd.rar", .archive, "rar"),
    ("application/x-bzip2", .archive, "bz2"),
    ("application/x-xz", .archive, "xz"),
    ("application/zstd", .archive, "zst"),

    ("application/vnd.wap.mms-message", .other, "mms"),
    ("application/octet-stream", .other, "bin"),
  ]
}
