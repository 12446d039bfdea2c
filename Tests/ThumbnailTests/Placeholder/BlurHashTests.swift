internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite struct BlurHashTests {
  private func hash(_ image: PixelBuffer, _ columns: Int = 4, _ rows: Int = 3) throws -> String {
    let reduced = try #require(ReducedImage(rgba: image.rgba, size: image.size))
    return BlurHash.encode(reduced.flattened(), columns: columns, rows: rows)
  }

  /// Published: black 100 × 100 and one color in encode_test.go of buckket/go-blurhash; one white pixel in spec/blurhash_spec.cr of
  /// Sija/blurhash.cr, which took it from Gargron/blurhash.
  @Test func `The hash agrees with published ones`() throws {
    #expect(try hash(SyntheticImage.flat(100, 100, 0, 0, 0)) == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
    #expect(try hash(SyntheticImage.flat(100, 100, 213, 30, 120), 1, 1) == "00OZZy")
    #expect(try hash(SyntheticImage.flat(1, 1, 255, 255, 255), 4, 4) == "U~TSUA~q~q~q~q~q~q~q~q~q~q~q~q~q~q~q")
  }

  /// Hashes by blurhash-python 1.2.2 (PyPI), which is Wolt's C encoder.
  @Test(arguments: [
    (SyntheticImage.slope(64, 48), "L$HT?*2d$7Shmfa%juf8g3fRfQfR"),
    (SyntheticImage.slope(48, 64), "L$HdXW2c$7ShiDa%juf8gNfkfQfk"),
    (SyntheticImage.slope(100, 1), "L~HPf|6pw$SP|l6pw$SP|l6pw$SP"),
    (SyntheticImage.slope(1, 100), "L~04X$hLhLhLe3e3e3e3g4g4g4g4"),
    (SyntheticImage.slope(2, 2), "L~Lo]sh22Lh2|lfZ2JfZdUd+fTd+"),
    (SyntheticImage.slope(100, 100), "L%HT?*2d$7ShiCa%fRf8gMfRfQfQ"),
    (SyntheticImage.checkers(100, 75), "L1JWq:]qwb]q}0sSs8sSwbwbwbwb"),
    (SyntheticImage.checkers(20, 20), "LbJzEm$P#%j_$Pwb,AOF#%,A{[Fg"),
    (SyntheticImage.noise(32, 32, seed: 1), "L6HVC*^j#D%N.lM}Mzoh-lV|TB%C"),
    (SyntheticImage.noise(100, 57, seed: 2), "L2HoB@_KJM%$-XO+w6b.%ht$OXt1"),
    (SyntheticImage.noise(7, 31, seed: 3), "LIHC1S_Nf:_LyCNhNLm-R.R;OUS#"),
    (SyntheticImage.flat(1, 1, 255, 255, 255), "L~TSUA~q~q~q~q~q~q~q~q~q~q~q"),
    (SyntheticImage.flat(10, 10, 213, 30, 120), "LLOZZy|#fQ|#|#sWfQsWfQfQfQfQ"),
    (SyntheticImage.flat(5, 3, 128, 128, 128), "LNEyb[?bfQ?b~qxufQxufQfQfQfQ"),
  ])
  func `The hash agrees with the reference encoder`(image: PixelBuffer, expected: String) throws {
    #expect(try hash(image) == expected)
  }

  /// The largest form, by the same encoder.
  @Test func `The hash agrees with the reference encoder for nine by nine components`() throws {
    let expected =
      "|6HVC*^j#D%Nja.RW0wcOZ.lM}MzohbptmR,icsh-lV|TB%CIwv$XNtJO=?P+atcZ}roTW#EobNDvnV%w?abF?K$Iuw0z??cJDnCZ~O=v%StnXWRI-"
      + "$evnKtcCj2M#x-tR-oI-z?O=V@J7k?jDO,Q:r;$zvpbVWar_+[RW"
    #expect(try hash(SyntheticImage.noise(32, 32, seed: 1), 9, 9) == expected)
  }

  @Test func `The hash contains the average color`() throws {
    // Characters 2…5 are the mean light as an sRGB color: half black, half white is 188, not 128.
    let halves = PixelBuffer(width: 64, height: 2) { x, _ in x < 32 ? [0, 0, 0, 255] : [255, 255, 255, 255] }
    let hash = try hash(halves)
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    let color = hash.dropFirst(2).prefix(4).reduce(0) { $0 * 83 + (alphabet.firstIndex(of: $1) ?? 0) }
    #expect(color == 0xBCBCBC)
  }

  @Test func `A transparent part takes the average color`() throws {
    let half = PixelBuffer(width: 40, height: 40) { x, _ in x < 20 ? [213, 30, 120, 255] : [0, 255, 0, 0] }
    #expect(try hash(half) == hash(SyntheticImage.flat(40, 40, 213, 30, 120)))
  }

  @Test func `A wholly transparent image is white`() throws {
    #expect(try hash(SyntheticImage.flat(8, 8, 0, 0, 0, 0)) == hash(SyntheticImage.flat(8, 8, 255, 255, 255)))
  }
}
