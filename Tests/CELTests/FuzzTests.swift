import CELFuzz
import Testing

@Suite struct FuzzTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func noTextIsTakenWrongly(_ seed: UInt64) {
    var writer = ExpressionWriter(seed: seed)
    var probe = ExpressionProbe()
    for _ in 0..<5_000 {
      let bytes = writer.next()
      let fault = probe.fault(in: bytes)
      #expect(fault == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
    // The texts must not all be noise.
    #expect(probe.parsed > 2_000)
    #expect(probe.evaluated > 400)
  }
}
