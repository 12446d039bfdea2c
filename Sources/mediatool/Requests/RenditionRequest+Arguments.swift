public import ArgumentParser
public import MediaModel

// These options use the enums of the model, so that new cases are available at once. A conformance is as public as both of its sides, hence the
// imports.

extension RenditionRequest.Gravity: ExpressibleByArgument {}

extension RenditionRequest.ColorSpace: ExpressibleByArgument {}

extension RenditionRequest {
  /// A named size in the help of an option: `message (840x560, contain)`.
  var argumentHelp: String { "\(name) (\(box.width)x\(box.height), \(fit == .contain ? "contain" : "cover"))" }
}
