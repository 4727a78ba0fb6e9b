import CEL

/// Functions on maps.
enum MapFunctions {
  /// Their names.
  static let names = ["keys", "values", "merge"]

  private static let map = CELType.map(.parameter("K"), .parameter("V"))

  /// All of them.
  static var all: [Function] {
    [
      Function("keys", .method, [map], returns: .list(.parameter("K"))) { (map: MapValue) in
        Value.list(map.entries.map(\.key))
      },
      Function("values", .method, [map], returns: .list(.parameter("V"))) { (map: MapValue) in
        Value.list(map.entries.map(\.value))
      },
      Function("merge", .method, [map, map], returns: map) {
        (first: MapValue, second: MapValue) in
        var merged = first
        for entry in second.entries { merged[entry.key] = entry.value }
        return Value.map(merged)
      },
    ]
  }
}
