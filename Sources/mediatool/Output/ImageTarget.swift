internal import ArgumentParser
internal import FileSupport
internal import MediaModel

/// Where `thumbnail` writes images: `--output`.
enum ImageTarget: Equatable {
  /// Into a folder, as NAME.SIZE.EXT.
  case folder(PathBytes)
  /// Into a folder, under names of a form.
  case template(NameTemplate, folder: PathBytes)
  /// To standard output, which takes one image.
  case standardOutput

  /// `-`, a folder, or a folder and a file name with `%s` in it.
  init(_ path: PathBytes) throws {
    if path.bytes.isEmpty || path.hasNUL {
      throw ValidationError("--output takes a folder or a name that is not empty and contains no NUL byte.")
    }
    let name = String(decoding: path.name, as: UTF8.self)
    if path.isStandardInput {
      self = .standardOutput
    } else if name.contains(NameTemplate.mark) {
      let folder = path.folder.bytes.isEmpty ? PathBytes(".") : path.folder
      self = .template(try NameTemplate(name), folder: folder)
    } else {
      self = .folder(path)
    }
  }

  /// The format that the target asks for; nil where it asks for none.
  var format: RenditionRequest.Format? { if case .template(let template, _) = self { template.format } else { nil } }
}

/// A form of file names: `tn_%s.webp`, in which the input's name takes the place of `%s`.
struct NameTemplate: Equatable, Sendable {
  static let mark = "%s"

  private let start: String
  private let end: String
  private let fileExtension: String
  /// The format of its extension; nil for a form that has none.
  let format: RenditionRequest.Format?

  init(_ name: String) throws {
    let parts = name.split(separator: Self.mark, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw ValidationError(
        "--output takes one %s, which the name of the input replaces; '\(name)' has \(parts.count - 1).")
    }
    start = parts[0]
    let dot = parts[1].lastIndex(of: ".")
    end = dot.map { String(parts[1][..<$0]) } ?? parts[1]
    fileExtension = dot.map { String(parts[1][parts[1].index(after: $0)...]) } ?? ""
    format = Self.formats[fileExtension.lowercased()]
    guard format != nil || dot == nil else {
      throw ValidationError(
        "--output '\(name)' has an unknown extension; expected one of \(Self.formats.keys.sorted().joined(separator: ", "))."
      )
    }
  }

  /// The name of an image of an input.
  /// - Parameters:
  ///   - outputName: The input's own name, below the folders to mirror.
  ///   - size: What distinguishes several images of one input; nil for a single one.
  ///   - type: What the image is.
  func name(for outputName: String, size: String?, type: MediaType) -> String {
    let known = fileExtension.isEmpty ? type.preferredExtension ?? "bin" : fileExtension
    return stem(for: outputName, size: size) + ".\(known)"
  }

  /// The same without the extension.
  func stem(for outputName: String, size: String?) -> String {
    let cut = outputName.lastIndex(of: "/").map { outputName.index(after: $0) } ?? outputName.startIndex
    return outputName[..<cut] + start + outputName[cut...] + end + (size.map { ".\($0)" } ?? "")
  }

  private static let formats: [String: RenditionRequest.Format] = [
    "webp": .webp, "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "avif": .avif,
  ]
}
