internal import Messaging
internal import Testing

/// Settings.
@Suite struct RetrievalModeTests {
  @Test("R-MMS-56, R-MMS-58: three choices, each convertible to a mode and back")
  func choices() {
    #expect(MessageSettings.RetrievalChoice.off.mode == .manual)
    #expect(MessageSettings.RetrievalChoice.onWithRoaming.mode == .automatic)
    #expect(MessageSettings.RetrievalChoice.onWithoutRoaming.mode == .automaticHome)
    for choice in MessageSettings.RetrievalChoice.allCases {
      #expect(MessageSettings.RetrievalChoice(choice.mode) == choice)
    }
    #expect(MessageSettings.RetrievalChoice(.never) == .off)
  }

  @Test("R-MMS-57: two switches; roaming is disabled while automatic is off, and keeps its value")
  func switches() {
    var switches = MessageSettings.RetrievalSwitches(isAutomatic: true, includesRoaming: true)
    #expect(switches.mode == .automatic)
    #expect(switches.canChangeRoaming)
    switches.isAutomatic = false
    #expect(switches.mode == .manual)
    #expect(!switches.canChangeRoaming)
    #expect(switches.includesRoaming)
    #expect(MessageSettings.RetrievalSwitches(.manual, keeping: switches) == switches)
    switches.isAutomatic = true
    #expect(switches.mode == .automatic)
    switches.includesRoaming = false
    #expect(switches.mode == .automaticHome)
    for mode in [MessageSettings.RetrievalMode.manual, .automatic, .automaticHome] {
      #expect(MessageSettings.RetrievalSwitches(mode).mode == mode)
    }
    #expect(MessageSettings.RetrievalSwitches(.never).mode == .manual)
  }

  @Test("R-MMS-55, R-MMS-56: the defaults are those of a new phone")
  func defaults() throws {
    let settings = MessageSettings()
    #expect(settings.retrievalMode == .manual)
    #expect(settings.requestsReadReports)
    #expect(!settings.requestsMMSDeliveryReports)
    #expect(try JSON.roundTrip(settings) == settings)
  }
}
