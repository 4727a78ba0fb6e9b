/// An IP address as a CEL value.
final class AddressValue: ObjectValue, ValueConvertible {
  static let valueType = CELType.opaque("net.IP")

  /// The address.
  let address: IPAddress

  /// Wraps an address.
  init(_ address: IPAddress) { self.address = address }

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

/// A network (RFC 4632) as a CEL value: an address and the length of its network prefix.
final class NetworkValue: ObjectValue, ValueConvertible {
  static let valueType = CELType.opaque("net.CIDR")

  /// The address, including its host bits.
  let address: IPAddress
  /// The number of bits of the network prefix.
  let prefixLength: Int

  /// Creates a network.
  init(_ address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Parses `address/length`; nil if it is invalid.
  convenience init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(String(parts[0])),
      (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      parts[1].utf8.count == 1 || parts[1].utf8.first != UInt8(ascii: "0"),
      let length = Int(parts[1]), length <= address.bytes.count * 8,
      // The length would count bits of the IPv6 form, which the mapped IPv4 address lacks.
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

  /// Returns whether an address is in the network.
  func contains(_ other: IPAddress) -> Bool {
    other.isVersion4 == address.isVersion4
      && other.masked(to: prefixLength) == address.masked(to: prefixLength)
  }

  /// Returns whether another network is a subset of this one.
  func contains(_ other: NetworkValue) -> Bool {
    prefixLength <= other.prefixLength && contains(other.address)
  }
}

extension NetworkValue: CustomStringConvertible {
  var description: String { "\(address.text)/\(prefixLength)" }
}

extension Value {
  /// Parses the description of an address or a network; nil if it is neither.
  package static func network(text: String) -> Value? {
    if text.contains("/") { return NetworkValue(text: text)?.value }
    return IPAddress(text).map { AddressValue($0).value }
  }
}
