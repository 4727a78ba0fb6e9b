/// An event of the machine that triggers automations.
package enum MachineEvent: String, CaseIterable, Sendable {
  /// It has started.
  case start
  /// It wakes from sleep.
  case resume
  /// It has a network again, or none any more.
  case online, offline
}
