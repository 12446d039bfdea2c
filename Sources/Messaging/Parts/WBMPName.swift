/// WBMP, the one-bit images of early phones, is shown as PNG.
public enum WBMPName {
  /// The name of the PNG that a WBMP is decoded to; nil for the name of anything else (A26).
  public static func pngName(of name: String) -> String? {
    guard name.lowercased().hasSuffix(".wbmp") else { return nil }
    return name.dropLast(5) + ".png"
  }
}
