package import CEL
package import Engine

extension NtfyTopic {
  /// A notification as the server takes it.
  package func message(_ notification: DesktopNotification) -> Value {
    let priority: Int64 =
      switch notification.urgency {
      case .low: 2
      case .normal: 3
      case .critical: 5
      }
    return .map(
      MapValue([
        ("topic", .string(name)), ("title", .string(notification.title)),
        ("message", .string(notification.text)), ("priority", .int(priority)),
      ]))
  }
}
