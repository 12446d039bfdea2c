public import ArgumentParser
public import MediaModel

// The values of these options are the model's own: whatever is added there can be asked for here. A conformance is as public as
// both of its sides, hence the imports.

extension RenditionRequest.Gravity: ExpressibleByArgument {}

extension RenditionRequest.ColorSpace: ExpressibleByArgument {}
