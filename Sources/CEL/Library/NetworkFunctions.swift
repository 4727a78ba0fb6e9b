/// The network extension.
enum NetworkFunctions: FunctionLibrary {
  static let names = [
    "ip", "isIP", "ip.isCanonical", "cidr", "isCIDR", "family", "isUnspecified", "isLoopback",
    "isGlobalUnicast", "isLinkLocalUnicast", "isLinkLocalMulticast", "containsIP",
    "containsCIDR", "masked", "prefixLength",
  ]

  static func overloads(of name: String) -> [Function]? {
    switch name {
    case "ip":
      [
        Function(name) { (text: String) throws(EvaluationError) in
          AddressValue(try address(text))
        },
        Function(name, .method) { (network: NetworkValue) in AddressValue(network.address) },
      ]
    case "isIP": [Function(name) { (text: String) in IPAddress(text) != nil }]
    case "ip.isCanonical":
      [
        Function(name) { (text: String) throws(EvaluationError) in
          try address(text).text.hasSameCodePoints(as: text)
        }
      ]
    case "cidr":
      [Function(name) { (text: String) throws(EvaluationError) in try network(text) }]
    case "isCIDR": [Function(name) { (text: String) in NetworkValue(text: text) != nil }]
    case "family":
      [
        Function(name, .method) { (value: AddressValue) in
          Int64(value.address.isVersion4 ? 4 : 6)
        }
      ]
    case "isUnspecified": test(name, \.isUnspecified)
    case "isLoopback": test(name, \.isLoopback)
    case "isGlobalUnicast": test(name, \.isGlobalUnicast)
    case "isLinkLocalUnicast": test(name, \.isLinkLocalUnicast)
    case "isLinkLocalMulticast": test(name, \.isLinkLocalMulticast)
    case "containsIP", "containsCIDR": containment(name)
    case "masked":
      [
        Function(name, .method) { (value: NetworkValue) in
          NetworkValue(
            value.address.masked(to: value.prefixLength), prefixLength: value.prefixLength)
        }
      ]
    case "prefixLength":
      [Function(name, .method) { (value: NetworkValue) in Int64(value.prefixLength) }]
    default: nil
    }
  }

  private static func test(
    _ name: String, _ holds: @escaping @Sendable (IPAddress) -> Bool
  ) -> [Function] {
    [Function(name, .method) { (value: AddressValue) in holds(value.address) }]
  }

  private static func containment(_ name: String) -> [Function] {
    if name == "containsIP" {
      return [
        Function(name, .method) { (network: NetworkValue, other: AddressValue) in
          network.contains(other.address)
        },
        Function(name, .method) { (network: NetworkValue, text: String) throws(EvaluationError) in
          network.contains(try address(text))
        },
      ]
    }
    return [
      Function(name, .method) { (network: NetworkValue, other: NetworkValue) in
        network.contains(other)
      },
      Function(name, .method) { (outer: NetworkValue, text: String) throws(EvaluationError) in
        outer.contains(try network(text))
      },
    ]
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
