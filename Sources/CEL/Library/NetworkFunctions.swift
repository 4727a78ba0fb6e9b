/// The network extension.
enum NetworkFunctions {
  static let all: [LibraryFunction] = [
    .init("ip") {
      Function($0) { (text: String) throws(EvaluationError) in AddressValue(try address(text)) }
      Function($0, .method) { (network: NetworkValue) in AddressValue(network.address) }
    },
    .init("isIP") { Function($0) { (text: String) in IPAddress(text) != nil } },
    .init("ip.isCanonical") {
      Function($0) { (text: String) throws(EvaluationError) in
        try address(text).text.hasSameCodePoints(as: text)
      }
    },
    .init("cidr") { Function($0) { (text: String) throws(EvaluationError) in try network(text) } },
    .init("isCIDR") { Function($0) { (text: String) in NetworkValue(text: text) != nil } },
    .init("family") {
      Function($0, .method) { (value: AddressValue) in Int64(value.address.isVersion4 ? 4 : 6) }
    },
    .init("isUnspecified") { test($0, \.isUnspecified) },
    .init("isLoopback") { test($0, \.isLoopback) },
    .init("isGlobalUnicast") { test($0, \.isGlobalUnicast) },
    .init("isLinkLocalUnicast") { test($0, \.isLinkLocalUnicast) },
    .init("isLinkLocalMulticast") { test($0, \.isLinkLocalMulticast) },
    .init("containsIP") {
      Function($0, .method) { (network: NetworkValue, other: AddressValue) in
        network.contains(other.address)
      }
      Function($0, .method) { (network: NetworkValue, text: String) throws(EvaluationError) in
        network.contains(try address(text))
      }
    },
    .init("containsCIDR") {
      Function($0, .method) { (network: NetworkValue, other: NetworkValue) in
        network.contains(other)
      }
      Function($0, .method) { (outer: NetworkValue, text: String) throws(EvaluationError) in
        outer.contains(try network(text))
      }
    },
    .init("masked") {
      Function($0, .method) { (value: NetworkValue) in
        NetworkValue(
          value.address.masked(to: value.prefixLength), prefixLength: value.prefixLength)
      }
    },
    .init("prefixLength") {
      Function($0, .method) { (value: NetworkValue) in Int64(value.prefixLength) }
    },
  ]

  private static func test(_ name: String, _ holds: @escaping @Sendable (IPAddress) -> Bool)
    -> Function
  {
    Function(name, .method) { (value: AddressValue) in holds(value.address) }
  }

  private static func address(_ text: String) throws(EvaluationError) -> IPAddress {
    if let address = IPAddress(text) { return address }
    throw EvaluationError(
      "\(Value.string(text)) is not an IP address such as 192.0.2.1 or 2001:db8::1")
  }

  private static func network(_ text: String) throws(EvaluationError) -> NetworkValue {
    if let network = NetworkValue(text: text) { return network }
    throw EvaluationError("\(Value.string(text)) is not a network such as 192.0.2.0/24")
  }
}
