internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Drawings as programs write them are drawn, whatever is refused elsewhere. Each shows green in its middle.
@Suite struct OrdinaryDrawingTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test(arguments: Self.drawings.keys.sorted())
  func `An ordinary drawing is rendered`(program: String) throws {
    let text = try #require(Self.drawings[program])
    let result = try studio.render(studio.folder.write(Array(text.utf8), to: "drawing.svg"), [.box(512)])
    let rendition = try #require(result.renditions.first, "\(String(describing: result.error))")
    let pixel = try studio.pixels(of: rendition)[rendition.width / 2, rendition.height / 2]
    #expect(pixel[1] > 180, "\(program): \(pixel)")
    #expect(pixel[0] < 80, "\(program): \(pixel)")
    #expect(pixel[2] < 80, "\(program): \(pixel)")
    #expect(pixel[3] == 255, "\(program): \(pixel)")
  }

  private static let drawings = [
    "Inkscape": ##"""
    <?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!-- Created with Inkscape (http://www.inkscape.org/) -->
    <svg width="100mm" height="100mm" viewBox="0 0 100 100" version="1.1" id="svg5"
       inkscape:version="1.2.2 (b0a8486541, 2022-12-01)" sodipodi:docname="data: Plan (2) &amp; more.svg"
       inkscape:export-filename="C:\Users\joe\Bilder\plan (2).png" inkscape:export-xdpi="96"
       xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
       xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:xlink="http://www.w3.org/1999/xlink"
       xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
      <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:document-units="mm"/>
      <defs id="defs2">
        <linearGradient inkscape:collect="always" id="linearGradient1"><stop style="stop-color:#00ff00;stop-opacity:1;" offset="0"/>
          <stop style="stop-color:#00f000" offset="1"/></linearGradient>
        <linearGradient xlink:href="#linearGradient1" id="linearGradient2" x1="0" y1="0" x2="100" y2="0" gradientUnits="userSpaceOnUse"/>
        <filter style="color-interpolation-filters:sRGB" id="filter1" x="-0.1" y="-0.1" width="1.2" height="1.2">
          <feGaussianBlur inkscape:collect="always" stdDeviation="0.2" id="feGaussianBlur1"/></filter>
      </defs>
      <g inkscape:label="Metadata: layer 1 (a)" inkscape:groupmode="layer" id="layer1">
        <rect style="fill:url(#linearGradient2);fill-opacity:1;stroke-width:0.26;filter:url(#filter1)" width="100" height="100"/>
        <text style="font-size:3px;font-family:'DejaVu Sans';-inkscape-font-specification:&quot;DejaVu Sans, Bold&quot;" y="9">a</text>
      </g>
    </svg>
    """##,
    "Illustrator": ##"""
    <?xml version="1.0" encoding="iso-8859-1"?>
    <!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
      <!ENTITY ns_svg "http://www.w3.org/2000/svg">
      <!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
      <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
      <!ENTITY st9 "fill:url(#SVGID_1_);stroke:none;">
    ]>
    <svg version="1.1" id="Ebene_1" xmlns:x="&ns_extend;" xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" x="0px" y="0px"
       viewBox="0 0 200 200" style="enable-background:new 0 0 200 200;" xml:space="preserve">
    <style type="text/css">
      .st0{fill-rule:evenodd;clip-rule:evenodd;fill:#00FF00;}
      .st1{font-family:'MyriadPro-Regular';}
      .cls-3{filter:url(#drop-shadow-1);}
      g &gt; .st2, .st2:hover{opacity:0;}
    </style>
    <linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="200" y2="0">
      <stop offset="0" style="stop-color:#00FF00"/><stop offset="1" style="stop-color:#00F000"/></linearGradient>
    <filter id="drop-shadow-1" filterUnits="userSpaceOnUse"><feOffset dx="7" dy="7"/><feGaussianBlur result="blur" stdDeviation="5"/>
      <feFlood flood-color="#000" flood-opacity=".75"/><feComposite in2="blur" operator="in"/><feComposite in="SourceGraphic"/></filter>
    <g data-name="C:\Kunde\Logo (alt)"><path style="&st9;" d="M0,0h200v200H0V0z"/>
    <rect class="st0 cls-3" width="190" height="190"/><text class="st1 st2" transform="matrix(1 0 0 1 9 9)">a</text></g>
    </svg>
    """##,
    "Figma": ##"""
    <svg width="512" height="512" viewBox="0 0 512 512" fill="none" xmlns="http://www.w3.org/2000/svg">
    \##(String(repeating: ##"<g filter="url(#filter0_d_1_2)"><rect x="4" width="512" height="512" rx="8" fill="#00FF00"/></g>"##, count: 30))
    <defs><filter id="filter0_d_1_2" x="0" y="0" width="520" height="520" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
    <feFlood flood-opacity="0" result="BackgroundImageFix"/>
    <feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/>
    <feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feComposite in2="hardAlpha" operator="out"/>
    <feColorMatrix type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.25 0"/>
    <feBlend mode="normal" in2="BackgroundImageFix" result="effect1_dropShadow_1_2"/>
    <feBlend mode="normal" in="SourceGraphic" in2="effect1_dropShadow_1_2" result="shape"/></filter></defs></svg>
    """##,
    "Excalidraw": ##"""
    <svg version="1.1" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200">
    <!-- svg-source:excalidraw --><metadata></metadata><defs><style class="style-fonts">
    @font-face { font-family: Excalifont; src: url(data:font/woff2;base64,d09GMgABAAAAAAUMAA4AAAAACGgAAAS6AAEAAAAA); }
    @font-face { font-family: Other; src: url("data:application/x-font-ttf;charset=utf-8;base64,AAEAAAAQAQAABAAATFRTSA=="); }
    </style></defs><rect x="0" y="0" width="300" height="200" fill="#00ff00"></rect>
    <text font-family="Excalifont, Segoe UI Emoji" font-size="20px">data: (draft)</text></svg>
    """##,
    "diagrams.net": ##"""
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="121px" height="61px" viewBox="-0.5 -0.5 121 61"
     content="&lt;mxfile host=&quot;app.diagrams.net&quot;&gt;7VZNc5swEP01PibDh+LaR2Mn7aHtZOpOm55k&#10;(x)&lt;/mxfile&gt;">
    <defs><style type="text/css"><![CDATA[@import url(https://fonts.googleapis.com/css?family=Architects+Daughter&display=swap);]]></style></defs>
    <g><rect x="0" y="0" width="120" height="60" fill="rgb(0, 255, 0)" stroke="rgb(0, 0, 0)" pointer-events="all"/>
    <g transform="translate(-0.5 -0.5)"><switch><foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml"
    style="font-family: &quot;Architects Daughter&quot;; content: &#39;x&#39;"/></foreignObject><text x="9" y="9">x</text></switch></g></g></svg>
    """##,
    "Sketch": ##"""
    <?xml version="1.0" encoding="UTF-8"?>
    <svg width="100px" height="100px" viewBox="0 0 100 100" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <title>Data: (1)</title><defs><rect id="path-1" width="100" height="100"/>
    <filter x="-10%" y="-10%" width="120%" height="120%" filterUnits="objectBoundingBox" id="filter-2">
    <feMorphology radius="1" operator="dilate" in="SourceAlpha" result="shadowSpreadOuter1"/><feOffset dy="2" in="shadowSpreadOuter1" result="o"/>
    <feGaussianBlur stdDeviation="1" in="o"/></filter></defs>
    <g id="Page-1"><use fill="black" filter="url(#filter-2)" xlink:href="#path-1"></use><use fill="#00FF00" xlink:href="#path-1"></use></g></svg>
    """##,
    "matplotlib": ##"""
    <?xml version="1.0" encoding="utf-8" standalone="no"?>
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <svg xmlns:xlink="http://www.w3.org/1999/xlink" width="460.8pt" height="345.6pt" viewBox="0 0 460.8 345.6" xmlns="http://www.w3.org/2000/svg" version="1.1">
    <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><x>data: &amp; more</x></rdf:RDF></metadata>
    <defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>
    <g id="figure_1"><g id="patch_1"><path d="M 0 345.6 L 460.8 345.6 L 460.8 0 L 0 0 z" clip-path="url(#p1)" style="fill: #00ff00"/></g>
    <defs><path id="m1" d="M 0 0 L 0 3.5" style="stroke: #000000"/></defs>
    \##(String(repeating: ##"<use xlink:href="#m1" x="9" y="9" style="stroke: #000000"/>"##, count: 2_000))</g>
    <defs><clipPath id="p1"><rect x="0" y="0" width="460.8" height="345.6"/></clipPath></defs></svg>
    """##,
    "Notepad, UTF-8 with a mark": "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\r\n"
      + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><style>rect { fill: #0f0 }</style><rect width='9' height='9'/></svg>\r\n\r\n",
  ]

  @Test func `UTF-16 with a byte order mark is rendered`() throws {
    let text = #"<?xml version="1.0" encoding="UTF-16"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(try studio.render(studio.folder.write(bytes, to: "drawing.svg"), [.box(9)]).renditions.count == 1)
  }
}
