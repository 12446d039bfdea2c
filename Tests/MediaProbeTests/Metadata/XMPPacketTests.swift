internal import Testing

@testable internal import MediaProbe

@Suite struct XMPPacketTests {
  private func parsed(_ text: String) -> XMPPacket { XMPPacket(ascii(text)) }

  @Test func `Attributes and elements are equivalent`() {
    let first = parsed(xmpPacket(attributes: "tiff:Make=\"Maker\" exif:GPSLatitude='39,6.9N'"))
    let second = parsed(
      xmpPacket(elements: "<tiff:Make>Maker</tiff:Make><exif:GPSLatitude>39,6.9N</exif:GPSLatitude>"))
    for packet in [first, second] {
      #expect(packet[.make] == "Maker")
      #expect(packet[.gpsLatitude] == "39,6.9N")
      #expect(packet[.model] == nil)
    }
  }

  @Test func `Arrays give their first item`() {
    let packet = parsed(
      xmpPacket(
        elements: """
          <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B &#x2713;</rdf:li><rdf:li xml:lang="de">C</rdf:li></rdf:Alt>
          </dc:title><dc:creator><rdf:Seq><rdf:li><![CDATA[Some <one>]]></rdf:li><rdf:li>else</rdf:li></rdf:Seq></dc:creator>
          """))
    #expect(packet[.title] == "A & B ✓")
    #expect(packet[.creator] == "Some <one>")
  }

  @Test func `The namespace counts, and not the prefix`() {
    let text = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description
       xmlns:a="http://ns.adobe.com/tiff/1.0/" xmlns:tiff="http://example.org/other/" a:Make="Right" tiff:Model="Wrong"/></r:RDF>
      """
    #expect(parsed(text)[.make] == "Right")
    #expect(parsed(text)[.model] == nil)
  }

  @Test func `Properties of other files are ignored`() {
    let nested = """
      <xmp:Pantry><rdf:Bag><rdf:li><rdf:Description tiff:Make="Other"><tiff:Model>Other</tiff:Model></rdf:Description></rdf:li>
      </rdf:Bag></xmp:Pantry><tiff:Model>Ours</tiff:Model>
      """
    let packet = parsed(xmpPacket(elements: nested))
    #expect(packet[.make] == nil)
    #expect(packet[.model] == "Ours")
  }

  @Test func `A container directory locates the video`() {
    let attributes = """
      <Container:Directory><rdf:Seq>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Padding="7"/></rdf:li>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Length="100"/></rdf:li>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="MotionPhoto" Item:Length="5000" Item:Padding="3"/></rdf:li>
      </rdf:Seq></Container:Directory>
      """
    #expect(parsed(xmpPacket(elements: attributes)).motionVideoDistance == 5_003)
    #expect(parsed(xmpPacket(elements: attributes)).distance(ofItem: "GainMap") == 5_103)
    let elements = """
      <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item rdf:parseType="Resource">
      <Item:Semantic>Primary</Item:Semantic></Container:Item></rdf:li><rdf:li><Container:Item rdf:parseType="Resource">
      <Item:Semantic>MotionPhoto</Item:Semantic><Item:Length>42</Item:Length></Container:Item></rdf:li></rdf:Seq>
      </Container:Directory>
      """
    #expect(parsed(xmpPacket(elements: elements)).motionVideoDistance == 42)
  }

  @Test func `Overflowing lengths give no offset`() {
    let items = """
      <Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary"/></rdf:li>
      <rdf:li><Container:Item Item:Semantic="MotionPhoto" Item:Length="9223372036854775807"/></rdf:li>
      <rdf:li><Container:Item Item:Semantic="Other" Item:Length="9223372036854775807"/></rdf:li></rdf:Seq></Container:Directory>
      """
    #expect(parsed(xmpPacket(elements: items)).motionVideoDistance == nil)
  }

  @Test func `Internal entities are not expanded`() {
    let bomb = """
      <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]>
      """
    let packet = parsed(
      bomb + xmpPacket(attributes: "tiff:Make=\"&b;\" tiff:Model=\"&e;\" exif:GPSLatitude=\"&#0;1N\""))
    #expect(packet[.make] == "&b;")
    #expect(packet[.model] == "&e;")
  }

  @Test func `Malformed XML keeps earlier properties`() {
    let packet = parsed(xmpPacket(elements: "<tiff:Make>Maker</tiff:Make><<>\"<tiff:Model>Model</tiff:Model>"))
    #expect(packet[.make] == "Maker")
    #expect(packet[.model] == nil)
  }

  @Test func `Depth is bounded`() {
    let deep = String(repeating: "<tiff:x>", count: 100_000)
    #expect(parsed(xmpPacket(elements: "<tiff:Make>Maker</tiff:Make>" + deep))[.make] == "Maker")
    #expect(parsed(deep + xmpPacket(attributes: "tiff:Make=\"Maker\""))[.make] == nil)
  }

  @Test func `The container directory of a gain map by Apple is read`() {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">
      <apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType></rdf:Description></rdf:RDF>
      """
    #expect(parsed(text).isAppleGainMap)
    #expect(!parsed(xmpPacket()).isAppleGainMap)
  }
}
