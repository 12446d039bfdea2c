import MediaModel
import Testing

@Suite struct OrientationTests {
  @Test func anUprightPictureMapsToItself() {
    let rect = PixelRect(x: 1, y: 2, width: 3, height: 4)
    #expect(Orientation.up.storedRect(rect, in: PixelSize(width: 10, height: 20)) == rect)
  }
}
