/// A PDF of one page, its objects as given.
enum TinyPage {
  /// - Parameters:
  ///   - page: What stands in the page's dictionary beside its parent and its content.
  ///   - content: The drawing.
  ///   - objects: Further ones, from number 5 on.
  static func document(_ page: String, content: String = "1 0 0 rg 0 0 100 100 re f", objects: [String] = []) -> [UInt8]
  {
    let all =
      [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R \(page) /Contents 4 0 R >>", stream(content),
      ] + objects
    var text = "%PDF-1.4\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in all.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text +=
      "xref\n0 \(all.count + 1)\n\(table)trailer << /Size \(all.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }

  /// A stream with that content and those entries in its dictionary.
  static func stream(_ content: String, _ entries: String = "") -> String {
    "<< /Length \(content.utf8.count) \(entries) >>\nstream\n\(content)\nendstream"
  }

  /// Forms each of which draws the next one ten times: ten to the power of `levels` at the end.
  static func forms(levels: Int) -> [UInt8] {
    let forms = (0..<levels).map { level in
      let isLast = level == levels - 1
      return stream(
        isLast ? "0 0 1 rg 0 0 10 10 re f" : String(repeating: "/F Do ", count: 10),
        "/Type /XObject /Subtype /Form /BBox [0 0 100 100]"
          + (isLast ? "" : " /Resources << /XObject << /F \(6 + level) 0 R >> >>"))
    }
    return document(
      "/MediaBox [0 0 100 100] /Resources << /XObject << /F 5 0 R >> >>", content: "/F Do", objects: forms)
  }
}
