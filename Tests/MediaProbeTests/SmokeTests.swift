import Testing

@Suite struct SmokeTests {}
