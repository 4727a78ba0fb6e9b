import CEL
import Catalog
import YAML

extension ActionDefinition {
  /// An input and named values by the positions of the parameters.
  func given(_ input: Value?, _ named: [(name: String, value: Value)]) -> [Int: GivenValue] {
    let names = allParameters.map(\.name.text)
    var given: [Int: GivenValue] = [:]
    if let input, let primary = primaryParameter?.name.text,
      let index = names.firstIndex(of: primary)
    {
      given[index] = .value(input)
    }
    for (name, value) in named {
      if let index = names.firstIndex(of: name) { given[index] = .value(value) }
    }
    return given
  }
}
