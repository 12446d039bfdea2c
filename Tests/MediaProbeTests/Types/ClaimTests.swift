internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct ClaimTests {
  @Test(arguments: [
    // One type, many extensions.
    ("a.jpg", "image/jpeg"), ("a.JPE", "image/jpeg"), ("a.jfif", "image/jpeg"), ("a.mpo", "image/jpeg"),
    ("a.apng", "image/png"), ("a.heif", "image/heic"), ("a.heic", "image/heif"), ("a.hif", "image/heic"),
    ("a.heic", "image/heic-sequence"), ("a.avif", "image/avif"), ("a.tif", "image/x-adobe-dng"),
    // Containers by their usual names.
    ("a.mp4", "audio/mp4"), ("a.m4a", "audio/mp4"), ("a.m4v", "video/mp4"), ("a.3gp", "video/3gpp"),
    ("a.3gp", "audio/3gpp"),
    ("a.3gp", "video/mp4"), ("a.mp4", "video/3gpp"), ("a.3g2", "audio/3gpp2"), ("a.mkv", "video/webm"),
    ("a.mka", "audio/webm"), ("a.mkv", "audio/matroska"), ("a.webm", "audio/webm"), ("a.ogg", "video/ogg"),
    ("a.opus", "audio/ogg"),
    ("a.oga", "application/ogg"), ("a.wmv", "video/x-ms-asf"), ("a.asf", "audio/x-ms-wma"), ("a.amr", "audio/amr-wb"),
    ("a.vob", "video/mpeg"), ("a.m2ts", "video/mp2t"), ("a.mp2", "audio/mpeg"),
    // Text under any name that is text.
    ("a.txt", "text/plain"), ("a.log", "text/plain"), ("a.md", "text/plain"), ("a.md", "text/html"),
    ("a.csv", "text/plain"),
    ("a.json", "text/plain"), ("a.html", "text/plain"), ("a.eml", "text/plain"), ("a.py", "text/plain"),
    ("a.ts", "text/plain"),
    ("a.txt", "text/csv"), ("a.txt", "application/json"), ("a.log", "application/xml"), ("a.txt", "text/vcard"),
    ("a.kml", "application/xml"), ("a.xml", "application/xml"), ("a.xml", "image/svg+xml"),
    ("a.html", "application/xhtml+xml"),
    // An archive may be called one.
    ("a.zip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("a.zip", "application/epub+zip"),
    ("a.tgz", "application/gzip"),
    // Names that claim nothing.
    ("a", "image/png"), ("a.", "image/png"), (".jpg", "text/plain"), ("a.swift", "text/plain"), ("a.xyz", "image/png"),
    ("a.bin", "application/x-executable"), ("photos.jpg/a", "image/png"), ("a.0123456789abcdefghij", "image/png"),
    ("", "image/png"),
    // Bytes of no known type contradict nobody.
    ("a.jpg", "application/octet-stream"),
  ])
  func `A matching name is no mismatch`(_ name: String, _ type: String) {
    #expect(ClaimCheck.mismatch(.fileName(name), MediaType(type), MediaType(type).kind) == nil)
  }

  @Test(arguments: [
    ("a.jpg", "image/png", "jpg", MediaInfo.Mismatch.Class.format), ("b/a.PNG", "image/jpeg", "png", .format),
    ("a.jpg", "image/heic", "jpg", .format),
    ("a.mp4", "video/quicktime", "mp4", .format), ("a.mp3", "audio/aac", "mp3", .format),
    ("a.doc", "application/rtf", "doc", .format),
    ("a.tif", "image/x-nikon-nef", "tif", .format), ("a.json", "text/csv", "json", .format),
    ("a.jpg", "video/mp4", "jpg", .kind), ("a.m4a", "video/mp4", "m4a", .kind), ("a.mp3", "text/plain", "mp3", .kind),
    ("a.pdf", "image/jpeg", "pdf", .kind), ("a.vcf", "text/plain", "vcf", .kind), ("a.txt", "image/png", "txt", .kind),
    ("a.zip", "image/png", "zip", .kind), ("a.svg", "text/plain", "svg", .kind),
    ("a.gif", "text/html", "gif", .active), ("a.png", "image/svg+xml", "png", .active),
    ("a.jpg", "application/zip", "jpg", .active),
    ("a.jpg", "application/gzip", "jpg", .active), ("a.pdf", "text/html", "pdf", .active),
    ("a.txt", "text/html", "txt", .active),
    ("a.txt", "text/x-shellscript", "txt", .active), ("a.docx", "application/zip", "docx", .active),
    ("a.mp4", "application/vnd.microsoft.portable-executable", "mp4", .active),
    ("a.jpg", "application/x-executable", "jpg", .active),
    ("a.docx", "application/vnd.ms-word.document.macroenabled.12", "docx", .active),
    ("a.html", "image/svg+xml", "html", .kind),
    ("a.zip", "text/html", "zip", .kind),
  ])
  func `A name of another type is reported`(
    _ name: String, _ type: String, _ declared: String, _ class: MediaInfo.Mismatch.Class
  ) {
    #expect(
      ClaimCheck.mismatch(.fileName(name), MediaType(type), MediaType(type).kind)
        == MediaInfo.Mismatch(declared: declared, by: .extension, class: `class`))
  }

  @Test(arguments: [
    ("image/jpeg", "image/jpeg"), ("IMAGE/JPG", "image/jpeg"), ("image/pjpeg", "image/jpeg"),
    ("text/plain; charset=utf-8", "text/plain"),
    (" audio/x-m4a ", "audio/mp4"), ("audio/x-wav", "audio/wav"), ("video/mp4", "audio/mp4"),
    ("video/3gpp", "audio/3gpp"), ("video/ogg", "audio/ogg"),
    ("video/x-matroska", "video/matroska"), ("image/heif", "image/heic"),
    ("application/x-zip-compressed", "application/zip"),
    ("application/octet-stream", "image/png"), ("", "image/png"), ("image/*", "text/html"),
    ("application/x-unheard-of", "image/png"),
    ("nonsense", "image/png"), ("video/mp4;codecs=\"avc1\"", "video/mp4"), ("text/plain", "text/csv"),
    ("text/x-vcard", "text/vcard"),
  ])
  func `A correct claim is no mismatch`(_ claim: String, _ type: String) {
    #expect(ClaimCheck.mismatch(.mediaType(claim), MediaType(type), MediaType(type).kind) == nil)
  }

  @Test(arguments: [
    ("image/png", "image/jpeg", "image/png", MediaInfo.Mismatch.Class.format),
    ("Image/PNG; q=1", "video/mp4", "image/png", .kind),
    ("image/jpeg", "text/html", "image/jpeg", .active), ("text/plain", "text/html", "text/plain", .active),
    ("image/x-unheard-of", "application/pdf", "image/x-unheard-of", .kind),
    ("audio/mp4", "video/mp4", "audio/mp4", .kind),
  ])
  func `A wrong claim is reported`(
    _ claim: String, _ type: String, _ declared: String, _ class: MediaInfo.Mismatch.Class
  ) {
    #expect(
      ClaimCheck.mismatch(.mediaType(claim), MediaType(type), MediaType(type).kind)
        == MediaInfo.Mismatch(declared: declared, by: .client, class: `class`))
  }
}
