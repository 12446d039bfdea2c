/// What a file's header says about which of its images, pages and frames represents it. Each reader sets what its
/// format has.
///
/// The still of an animation is the frame that is shown longest among the first hundred, the first of equal ones: a
/// frame that flashes by is not what people see. Delays count as the file states them. Most viewers lengthen delays of
/// 10 ms and less to 100 ms, each a little differently; a frame that is chosen by what is stated is seen in all of them
/// (docs/decisions/0014).
struct ShownImage {
  /// The number of frames among which the still is chosen.
  static let frameLimit = 100

  /// The times for which the first frames are shown, in the order in which they are shown, in any unit. Frames that the
  /// file cuts off are missing.
  private(set) var delays: [Double] = []
  /// The page of a TIFF that is not a reduced version of another.
  var page = 0
  /// The image below the first page that represents it, if the page is only a reduced version.
  var subpage: Int?
  /// Whether the still image of the file is another one than the first frame of its sequence.
  var isApart = false
  /// Whether viewers show the still image, although there is a sequence too.
  var prefersStill = false
  /// Whether the colors of the still image are multiplied by its alpha.
  var isPremultiplied = false
  /// The tracks of a HEIF sequence.
  var tracks = ImageChoice.Tracks()

  /// Adds a frame.
  mutating func add(delay: Double) {
    if delays.count < Self.frameLimit { delays.append(delay) }
  }

  /// The index of the frame that is shown longest among the first ones.
  func longestFrame(among count: Int) -> Int {
    let first = delays.prefix(max(1, count))
    return first.indices.reduce(0) { first[$1] > first[$0] ? $1 : $0 }
  }
}
