/// A mistake in the text of a schedule.
package struct ScheduleProblem: Error, Hashable {
  package let message: String
  package let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
