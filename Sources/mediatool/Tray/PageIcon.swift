/// The icons of the page as inline SVG: it can load nothing, and characters look different everywhere.
enum PageIcon {
  case camera, video, lock, photo

  /// An `svg` element that screen readers skip, because a text next to it says the same.
  var svg: String {
    "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">\(shapes)</svg>"
  }

  private var shapes: String {
    switch self {
    case .camera:
      "<path d=\"M3 8.5A1.5 1.5 0 0 1 4.5 7H8l1.5-2.5h5L16 7h3.5A1.5 1.5 0 0 1 21 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z\"/>"
        + "<circle cx=\"12\" cy=\"13\" r=\"3.5\"/>"
    case .video:
      "<rect x=\"3\" y=\"5\" width=\"18\" height=\"14\" rx=\"1.5\"/><path d=\"M10 9l5 3-5 3z\"/>"
    case .lock:
      "<rect x=\"5\" y=\"11\" width=\"14\" height=\"9\" rx=\"1.5\"/><path d=\"M8 11V8a4 4 0 0 1 8 0v3\"/>"
    case .photo:
      "<rect x=\"3\" y=\"5\" width=\"18\" height=\"14\" rx=\"1.5\"/><circle cx=\"8.5\" cy=\"10\" r=\"1.5\"/><path d=\"M4 18l5.5-5 4 4 3-2.5L20.5 18\"/>"
    }
  }
}
