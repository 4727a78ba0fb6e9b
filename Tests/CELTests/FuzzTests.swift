import CELFuzz
import TestSupport
import Testing

@Suite struct FuzzTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomTextsKeepInvariants(_ seed: UInt64) {
    var writer = ExpressionWriter(seed: seed)
    var probe = ExpressionProbe()
    let count = Amount.of("ERRAND_EXPRESSIONS", quick: 1_000, whole: 20_000)
    for _ in 0..<count {
      let bytes = writer.next()
      let fault = probe.fault(in: bytes)
      #expect(fault == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
    // The texts must not all be noise.
    #expect(probe.parsed > count * 2 / 5)
    #expect(probe.evaluated > count * 2 / 25)
  }
}
