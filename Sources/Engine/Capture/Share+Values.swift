package import CEL
package import Inbox

extension Share {
  /// The things in it, as a handler would be given them, but for where their bytes lie.
  package var values: [Value] { items.map { $0.value(in: self, path: nil) } }
}
