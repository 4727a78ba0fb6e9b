import Program

/// `stop`: ends the intent or shortcut without a value.
enum StopVerb {
  static let spec = VerbSpec("stop") { _ in .stop }
}
