internal import MediaModel

/// Types that can execute code or contain files that can, and must never be served under a harmless type.
enum ActiveContent {
  static func contains(_ type: MediaType) -> Bool {
    type.kind == .archive || types.contains(type)
  }

  private static let types: Set<MediaType> = [
    .html, .xhtml, .svg, .shellScript, .python, .perl, .php, .postScript, .windowsProgram, .elf, .docm, .xlsm, .pptm,
    MediaType("application/x-mach-binary"), MediaType("application/x-shockwave-flash"), MediaType("application/wasm"),
    MediaType("application/x-ms-shortcut"), MediaType("text/javascript"),
  ]
}
