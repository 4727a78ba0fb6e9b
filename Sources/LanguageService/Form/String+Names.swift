extension String {
  /// A name such as `find-files` as one of a result, such as `findFiles`.
  package var camelCased: String {
    split(separator: "-").enumerated().map { index, word in
      (index == 0 ? word.prefix(1).lowercased() : word.prefix(1).uppercased()) + word.dropFirst()
    }.joined()
  }

  /// The name, or the first one with a number at its end, from 2 on, that is not taken.
  package func numbered(
    after separator: String = "", unless isTaken: (String) -> Bool
  ) -> String {
    guard isTaken(self) else { return self }
    var number = 2
    while isTaken("\(self)\(separator)\(number)") { number += 1 }
    return "\(self)\(separator)\(number)"
  }
}
