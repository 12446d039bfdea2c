internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import TestSupport

/// What an engine would answer, by a formula: bytes and similarity that grow with size and quality, each image in its own way.
struct FitModel {
  /// Bytes a pixel at quality 50, and how hard an image is to see when it is coarse.
  let detail: [MediaAttachment.ID: Double]
  /// Images that cannot be decoded.
  var broken: Set<MediaAttachment.ID> = []
  /// Of which videos the metadata cannot be taken out, or need not.
  var stripping: [MediaAttachment.ID: MessageFit.Stripping] = [:]
  /// How often each was encoded.
  private(set) var encoded: [MediaAttachment.ID: Int] = [:]

  init(detail: [MediaAttachment.ID: Double]) { self.detail = detail }

  private func candidate(_ form: MessageFit.Plan.Form, of measurement: MessageFit.Measurement)
    -> MessageFit.Plan.Candidate
  {
    let detail = detail[measurement.id] ?? 0.1
    let pixels = Double(form.box.pixelCount)
    let share = pixels / Double(measurement.displayBox.pixelCount)
    switch form.encoding {
    case .asIs:
      let bytes = max(1, measurement.info.bytes - 100)
      return MessageFit.Plan.Candidate(
        form: form, type: measurement.info.type, size: form.box, bytes: bytes, similarity: 1)
    case .png:
      let bytes = Int(pixels * detail * 20) + 100
      return MessageFit.Plan.Candidate(
        form: form, type: .png, size: form.box, bytes: bytes, similarity: min(1, 0.5 + share / 2))
    case .jpeg(let quality):
      // A step here and there, as real encoders have: nothing may rely on a smooth curve.
      let bump = Double((quality * 7 + form.box.width) % 5)
      let bytes = Int(pixels * detail * Double(quality) / (130 - Double(quality)) * (1 + bump / 100)) + 300
      let similarity = (1 - detail * (1.2 - share)) * (1 - 3 * detail / Double(quality + 5))
      return MessageFit.Plan.Candidate(
        form: form, type: .jpeg, size: form.box, bytes: bytes, similarity: max(0, similarity))
    }
  }

  /// Fits a message with these answers.
  mutating func fit(
    _ composition: MessageComposition, under profile: CarrierProfile, transcodes: Bool = false,
    metadata: MessageFit.MetadataRule = .strip
  ) -> MessageFit.Plan.Outcome {
    var fit = MessageFit(composition, under: profile, transcodes: transcodes, metadata: metadata)
    while true {
      switch fit.next() {
      case .measure(let measurements):
        for measurement in measurements {
          encoded[measurement.id, default: 0] += measurement.forms.count { $0.encoding != .asIs }
          if broken.contains(measurement.id) {
            fit.record(MediaFailure(.corrupt, "It is damaged."), of: measurement.id)
          } else {
            fit.record(
              measurement.forms.map { candidate($0, of: measurement) }, tried: measurement.forms, of: measurement.id)
          }
        }
      case .strip(let videos):
        // Videos have metadata.
        let kinds = composition.attachments.reduce(into: [:]) { $0[$1.id] = $1.info.kind }
        for id in videos { fit.record(stripping[id] ?? (kinds[id] == .video ? .stripped : .unchanged), of: id) }
      case .transcode(let budgets):
        for budget in budgets {
          // Four kilobytes a second is the least that is worth watching.
          let least = Int((budget.info.duration ?? 1) * 4_096)
          guard budget.maxBytes >= least else {
            fit.record(nil, of: budget.id)
            continue
          }
          var info = MediaInfo(type: MediaType("video/mp4"), bytes: budget.maxBytes)
          info.duration = budget.info.duration
          fit.record(info, of: budget.id)
        }
      case .done(let outcome): return outcome
      }
    }
  }
}

/// A message of random images, texts and other files.
struct RandomFit {
  let composition: MessageComposition
  let profile: CarrierProfile
  let model: FitModel

  init(_ random: inout SeededGenerator) {
    var content: [MessageComposition.Item] = []
    var detail: [MediaAttachment.ID: Double] = [:]
    var broken: Set<MediaAttachment.ID> = []
    var stripping: [MediaAttachment.ID: MessageFit.Stripping] = [:]
    for number in 0..<(1 + random.below(6)) {
      if random.below(3) == 0 { content.append(.text(String(repeating: "añb ", count: random.below(200)))) }
      let id = MediaAttachment.ID("\(number)")
      var info: MediaInfo
      switch random.below(10) {
      case 0: info = MediaInfo(type: MediaType("audio/amr"), bytes: 1 + random.below(60_000))
      case 1: info = MediaInfo(type: MediaType("text/x-vcard"), bytes: 1 + random.below(2_000))
      case 2:
        info = MediaInfo(type: MediaType("video/mp4"), bytes: 1 + random.below(400_000))
        stripping[id] = [.stripped, .unchanged, .impossible][number % 3]
      default:
        let types: [MediaType] = [.jpeg, .jpeg, .jpeg, .heic, .png, .gif, .webp]
        info = MediaInfo(type: types[random.below(types.count)], bytes: 2_000 + random.below(1_500_000))
        info.width = 1 + random.below(4_000)
        info.height = 1 + random.below(4_000)
        info.alpha = info.type == .png && random.below(2) == 0 ? true : nil
        if info.type == .gif, random.below(2) == 0 { (info.animated, info.frames) = (true, 9) }
        if random.below(12) == 0 { broken.insert(id) }
        detail[id] = 0.01 + Double(random.below(100)) / 500
      }
      let name = random.below(4) == 0 ? nil : "IMG_\(random.below(3)).\(info.extension ?? "bin")"
      content.append(
        .attachment(AttachmentDraft.Item(MediaAttachment(id: id, name: name, info: info))))
    }
    composition = MessageComposition(
      content: content, recipients: [MessageRecipient("+15551234567")],
      subject: random.below(3) == 0 ? "Subject" : nil)
    var profile = CarrierProfile.presets[1 + random.below(CarrierProfile.presets.count - 1)]
    if random.below(3) == 0 { profile.maxMessageBytes = 2_000 + random.below(500_000) }
    self.profile = profile
    var model = FitModel(detail: detail)
    model.broken = broken
    model.stripping = stripping
    self.model = model
  }
}
