internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// The options that name a library, shared by all commands that need one.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the library in this folder. (default: $XDG_DATA_HOME/mediatool, or ~/.local/share/mediatool, with thumbnails in $XDG_CACHE_HOME/mediatool, or ~/.cache/mediatool)",
      valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// The folders of the library.
  func location() throws(Fault) -> LibraryLocation {
    if let library { return LibraryLocation(folder: library) }
    guard let standard = LibraryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
      throw Fault(
        .usage, "cannot find the user's library: HOME is unset or not an absolute path; name a folder with --library")
    }
    return standard
  }

  /// Opens the library that the user named or the standard one, and creates it if the access demands it.
  func open(for access: Library.Access, options: Library.Options = .init()) throws(Fault) -> Library {
    let location = try location()
    do throws(LibraryError) { return try Library.open(at: location, for: access, options: options) } catch {
      throw error.fault
    }
  }

  /// Calls `body`, and converts its errors to faults.
  static func run(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LibraryError {
      throw error.fault
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}

extension LibraryError {
  /// The fault that ends the run.
  var fault: Fault {
    let usage: Set<Code> = [
      .versionConflict,
      .notFound, .newerSchema, .invalidRequest, .catalogueMissing, .noCopy, .otherCopy, .wouldLose,
    ]
    let option = option.map { " \($0)" } ?? ""
    return Fault(usage.contains(code) ? .usage : .software, "library: \(DisplayText.visible(sentence))\(option)")
  }

  /// The option that leads on, for codes that have one.
  private var option: String? {
    switch code {
    case .noCopy, .otherCopy: "Give the right folder with --copy, or add --adopt-copy."
    case .wouldLose: "Use --copy and --yes for that."
    default: nil
    }
  }
}
