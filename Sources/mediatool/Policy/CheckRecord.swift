internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel

/// The JSON record of `check` (docs/design.md §7): the verdict, with paths instead of numbers.
struct CheckRecord: Encodable {
  let verdict: Verdict
  /// The files in the order of the verdict.
  let paths: [PathBytes]

  /// - Parameter files: The inputs with their facts. Each is identified by its number, because a path may be given twice.
  init(_ files: [(input: Input, found: MediaInfo)], under rules: AttachmentRules) {
    paths = files.map(\.input.path)
    verdict = rules.verdict(
      for: files.enumerated().map { index, file in
        MediaAttachment(
          id: Self.id(index), name: String(decoding: file.input.name, as: UTF8.self), info: file.found)
      })
  }

  private static func id(_ index: Int) -> MediaAttachment.ID { MediaAttachment.ID(String(index)) }

  /// The path, as the user gave it, of the file that became an attachment.
  func path(of id: MediaAttachment.ID) -> PathBytes { Int(id.rawValue).map { paths[$0] } ?? PathBytes("") }

  private enum Keys: CodingKey { case accepted, files, remaining, suggestions }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(verdict.accepted, forKey: .accepted)
    var list = values.nestedUnkeyedContainer(forKey: .files)
    for (file, path) in zip(verdict.files, paths) {
      try list.encode(File(path: path, verdict: file, reasons: file.reasons.map(named)))
    }
    try values.encodeIfPresent(verdict.remaining, forKey: .remaining)
    try values.encode(verdict.suggestions.map(named), forKey: .suggestions)
  }

  /// One file of the answer.
  private struct File: Encodable {
    let path: PathBytes
    let verdict: Verdict.File
    let reasons: [Verdict.Reason]

    enum Keys: CodingKey { case accepted, reasons, shrinks }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(path, as: "path", to: encoder)
      var values = encoder.container(keyedBy: Keys.self)
      try values.encode(verdict.accepted, forKey: .accepted)
      try values.encode(reasons, forKey: .reasons)
      try values.encodeIfPresent(verdict.shrinks, forKey: .shrinks)
    }
  }

  private func name(_ id: MediaAttachment.ID) -> MediaAttachment.ID { MediaAttachment.ID(path(of: id).text) }

  private func named(_ reason: Verdict.Reason) -> Verdict.Reason {
    if case .duplicate(let original) = reason { .duplicate(of: name(original)) } else { reason }
  }

  private func named(_ suggestion: Verdict.Suggestion) -> Verdict.Suggestion {
    switch suggestion {
    case .drop(let files): .drop(files.map(name))
    case .shrink(let file, let maxBytes, let maxPixels): .shrink(name(file), maxBytes: maxBytes, maxPixels: maxPixels)
    case .usePreset: suggestion
    }
  }
}
