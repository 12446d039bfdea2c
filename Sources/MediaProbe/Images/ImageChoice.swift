package import MediaModel

/// Which of the images, pages and frames in a file represents it, and how a decoder finds it.
package struct ImageChoice: Equatable, Sendable {
  /// The tracks of a HEIF sequence.
  package struct Tracks: Equatable, Sendable {
    /// The number of the track with the images; 0 if unknown.
    package var image = 0
    /// The number of the track with their alpha; 0 if there is none.
    package var alpha = 0
    /// Whether the colors are multiplied by alpha.
    package var isPremultiplied = false
    /// The orientation of the frames, which their decoder does not apply.
    package var orientation = MediaInfo.Orientation.up

    package init() {}
  }

  /// The index of the frame or page.
  package var index = 0
  /// The index of the image below the page (TIFF's SubIFDs), if the page is a reduced version of it.
  package var subpage: Int?
  /// Whether only a decoder of the sequence has the image: the decoder for stills returns another one.
  package var isInSequence = false
  /// Whether the colors of a HEIF still image are multiplied by its alpha.
  package var isPremultiplied = false
  /// The tracks of a HEIF sequence.
  package var tracks = Tracks()

  /// The first image.
  package init() {}

  /// The choice for a file with these facts. Reads the header again if the first image may not be the one, or not all of it.
  ///
  /// - Parameter animationPixels: Maximum pixels of the frames that may be decoded up to the chosen one.
  package init(_ input: borrowing MediaInput, info: MediaInfo, animationPixels: Int) {
    let mayDiffer =
      info.animated == true || info.type == .tiff || (info.tracks ?? 1) > 1
      || info.alpha == true && StillReader.isHEIF(info.type)
    guard mayDiffer, let shown = StillReader.header(of: info.type, input.reader())?.shown else { return }
    tracks = shown.tracks
    subpage = shown.subpage
    isPremultiplied = shown.isPremultiplied
    guard info.type != .tiff else {
      index = shown.page
      return
    }
    // An animation of a single frame is shown by that frame too.
    let hasFrame = shown.isApart && !shown.delays.isEmpty
    guard info.animated == true || hasFrame, !shown.prefersStill else { return }
    index = shown.longestFrame(among: animationPixels / max(1, info.displaySize?.pixelCount ?? 1))
    isInSequence = shown.isApart || index > 0
  }
}
