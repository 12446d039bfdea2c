internal import CDeferredLibraries
internal import Foundation
package import MediaEngineProtocol
internal import MediaModel
internal import MediaProbe
internal import Thumbnails
internal import Transcoding

extension InProcessExecutor {
  /// Makes each of these libraries open what it loads on first use: modules, the magic database, font configuration, time
  /// zones and charset tables. A worker cannot open any of them later: a job that would need more ends the process with
  /// `WorkerExit.notLoaded`.
  package func warmUp(_ libraries: WorkerLibraries) {
    tzset()
    switch libraries {
    case .facts: break
    case .containers: Self.openMedia()
    case .images: Thumbnailer.start()
    case .posters:
      Thumbnailer.start()
      Self.openMedia()
    case .all:
      Thumbnailer.openModules()
      Self.openMedia()
      Self.openEncodings()
    }
    defer { mediatool_exit_instead_of_loading(WorkerExit.notLoaded) }
    MediaProber.openDatabase()
    // A search reads all of the database, 8 MB, and compiles its expressions, which opens nothing. Workers that load less have few files, and
    // hardly any of these needs one.
    let unknown = Array("\u{1}\u{2}nothing that anybody knows".utf8)
    guard libraries == .all, let input = try? MediaInput(bytes: unknown) else { return }
    _ = MediaProber().facts(of: input)
  }

  /// Loads FFmpeg, whose version is the least that it can be asked for, and the encoder of AMR.
  private static func openMedia() {
    _ = MediaProber.engineVersions
    _ = Transcoder.writesAMR
  }

  /// libxml2 and GLib convert the text of SVG files with iconv, which loads a library for each encoding.
  private static func openEncodings() {
    let names = [
      "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "WINDOWS-1253", "WINDOWS-1254", "ISO-8859-2", "ISO-8859-5",
      "ISO-8859-7", "ISO-8859-9", "ISO-8859-15", "KOI8-R", "SHIFT_JIS", "EUC-JP", "ISO-2022-JP", "EUC-KR", "GB18030",
      "GBK", "BIG5", "UTF-16", "UTF-32",
    ]
    // Never closed: libc would unload the libraries again.
    for name in names { _ = iconv_open("UTF-8", name) }
  }
}
