/// An address as a value of CEL.
final class AddressValue: ObjectValue, ValueConvertible {
  static let valueType = CELType.opaque("net.IP")

  /// The address.
  let address: IPAddress

  /// Wraps an address.
  init(_ address: IPAddress) {
    self.address = address
  }

  convenience init?(_ value: Value) {
    guard case .object(let object as AddressValue) = value else { return nil }
    self.init(object.address)
  }

  var value: Value { .object(self) }
  var typeName: String { "net.IP" }
  func isEqual(to other: any ObjectValue) -> Bool { (other as? AddressValue)?.address == address }
}

extension AddressValue: CustomStringConvertible {
  var description: String { address.text }
}

/// A network (RFC 4632) as a value of CEL: an address, and how many of its bits name the network.
final class NetworkValue: ObjectValue, ValueConvertible {
  static let valueType = CELType.opaque("net.CIDR")

  /// The address, also its bits that do not name the network.
  let address: IPAddress
  /// How many bits name the network.
  let prefixLength: Int

  /// Makes a network.
  init(_ address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Reads `address/length`; nil for anything else.
  convenience init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(String(parts[0])),
      (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      parts[1].utf8.count == 1 || parts[1].utf8.first != UInt8(ascii: "0"),
      let length = Int(parts[1]), length <= address.bytes.count * 8,
      // The length of a mapped address would count bits that its IPv4 address does not have.
      !(address.isVersion4 && parts[0].contains(":"))
    else { return nil }
    self.init(address, prefixLength: length)
  }

  convenience init?(_ value: Value) {
    guard case .object(let object as NetworkValue) = value else { return nil }
    self.init(object.address, prefixLength: object.prefixLength)
  }

  var value: Value { .object(self) }
  var typeName: String { "net.CIDR" }

  func isEqual(to other: any ObjectValue) -> Bool {
    guard let other = other as? NetworkValue else { return false }
    return other.address == address && other.prefixLength == prefixLength
  }

  /// Whether an address lies in the network.
  func contains(_ other: IPAddress) -> Bool {
    other.isVersion4 == address.isVersion4
      && other.masked(to: prefixLength) == address.masked(to: prefixLength)
  }

  /// Whether all of another network lies in this one.
  func contains(_ other: NetworkValue) -> Bool {
    prefixLength <= other.prefixLength && contains(other.address)
  }
}

extension NetworkValue: CustomStringConvertible {
  var description: String { "\(address.text)/\(prefixLength)" }
}

extension Value {
  /// The address or the network of its text, as its description gives it; nil for another text.
  package static func network(text: String) -> Value? {
    if text.contains("/") { return NetworkValue(text: text)?.value }
    return IPAddress(text).map { AddressValue($0).value }
  }
}
