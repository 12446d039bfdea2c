internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Renders one document: its first page is measured, rasterised once on white paper, and reduced.
struct PageRenderer {
  let info: MediaInfo
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  func render(_ input: borrowing MediaInput) throws(MediaFailure) -> ThumbnailResult {
    // A document whose page count is damaged may still have a first page.
    try info.checkReadable()
    var size = mediatool_pdf_size()
    try check(mediatool_pdf_page_size(input.handle, &size), input)
    let plan = try PageScale(
      requests: requests, width: size.width, height: size.height, maxPixels: options.limits.pixels)
    let page = try draw(input, scale: plan.scale)
    let drawn = page.size
    let requests = requests.map { request in
      var request = request
      request.crop = request.crop.map { plan.drawn($0, in: drawn) }
      return request
    }
    var result = try RenditionWriter.result(
      of: page, from: .page, requests: requests, options: options, deadline: deadline)
    result.error = info.error
    return result
  }

  private func draw(_ input: borrowing MediaInput, scale: Double) throws(MediaFailure) -> Image {
    let options = mediatool_pdf_page_options(scale: scale, max_pixels: Int64(self.options.limits.pixels))
    var status = MEDIATOOL_PDF_OK
    do throws(MediaFailure) {
      return try Image.make { (image, _) in
        status = mediatool_pdf_draw(input.handle, options, image)
        return status == MEDIATOOL_PDF_OK ? 0 : -1
      }
    } catch {
      try check(status, input)
      throw error
    }
  }

  private func check(_ status: mediatool_pdf_status, _ input: borrowing MediaInput) throws(MediaFailure) {
    if let failure = PDF.failure(status: status.rawValue, input: input) { throw failure }
  }
}
