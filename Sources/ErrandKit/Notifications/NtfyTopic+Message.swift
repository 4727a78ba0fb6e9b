package import CEL
package import Engine

extension NtfyTopic {
  /// Encodes a notification for the server.
  package func message(_ notification: DesktopNotification) -> Value {
    let priority: Int64 =
      switch notification.urgency {
      case .low: 2
      case .normal: 3
      case .critical: 5
      }
    return .record([
      "topic": name, "title": notification.title, "message": notification.text,
      "priority": priority,
    ])
  }
}
