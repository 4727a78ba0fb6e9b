import Engine
import ErrandKit

extension AccessGate {
  /// The gate of a run, at which the flags of its call and its front answer.
  ///
  /// - Throws: `UsageError` for a flag that can't be understood.
  init(_ invocation: Invocation, _ run: Run) throws {
    let given = try AccessGrants(
      invocation.arguments.all(Flag.allow.name), ProcessEnvironment.value("ERRAND_ALLOW"))
    self.init(
      invocation.places, invocation.front, allowed: given.touches, allowsAll: given.isAll,
      canonical: invocation.canonical(in: run.host.machine.files))
  }
}
