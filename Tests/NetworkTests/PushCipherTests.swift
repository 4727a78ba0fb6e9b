import Engine
import Links
import Network
import Testing

/// The encryption of Web Push.
@Suite struct PushCipherTests {
  private func bytes(_ text: String) throws -> [UInt8] { try #require([UInt8](base64URL: text)) }

  /// The keys of the example of RFC 8291 §5.
  private func example() throws -> (receiver: PushCipher.Receiver, once: PushCipher.KeyPair) {
    (
      PushCipher.Receiver(
        point: try bytes(
          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        secret: try bytes("BTBZMqHH6r4Tts7J_aSIgg")),
      PushCipher.KeyPair(
        secret: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        point: try bytes(
          "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
      )
    )
  }

  @Test func encryptsTheExampleOfRFC8291() throws {
    let (receiver, once) = try example()
    let sealed = try PushCipher.openSSL.seal(
      Array("When I grow up, I want to be a watermelon".utf8), receiver, once,
      bytes("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(
      sealed.base64URL == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZ"
        + "wbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test(arguments: [0, 1, 40, 64])
  func aPointOutsideTheCurveIsRefused(byte: Int) throws {
    let (receiver, once) = try example()
    var point = receiver.point
    point[byte] ^= 1
    let other = PushCipher.Receiver(point: point, secret: receiver.secret)
    let salt = [UInt8](repeating: 1, count: 16)
    #expect(throws: RunError.self) { try PushCipher.openSSL.seal([1], other, once, salt) }
  }

  @Test(arguments: [0, 64, 66])
  func aKeyOfAnotherLengthIsRefused(length: Int) throws {
    let (receiver, once) = try example()
    let other = PushCipher.Receiver(
      point: [UInt8](repeating: 4, count: length), secret: receiver.secret)
    let salt = [UInt8](repeating: 1, count: 16)
    #expect(throws: RunError.self) { try PushCipher.openSSL.seal([1], other, once, salt) }
  }
}
