import Items
import Program

extension FileTransfer {
  /// The type of what a transfer gives: the new path, or null when it may be skipped.
  static func resultType(_ onConflict: Argument<ArgumentName>) -> ResultType {
    ResultType { call in
      call.name(onConflict) == Conflict.skip.rawValue ? .optional(.string) : .string
    }
  }
}
