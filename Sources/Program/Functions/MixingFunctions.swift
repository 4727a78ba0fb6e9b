import CEL

/// Functions that mix lists and shorten texts.
enum MixingFunctions {
  /// Their names.
  static let names = ["shuffled", "truncate"]

  /// All of them.
  static func all(_ context: FunctionContext) -> [Function] {
    [
      Function(
        "shuffled", .method, [.list(.parameter("T"))], returns: .list(.parameter("T")),
        isPure: false
      ) { (items: [Value]) throws(EvaluationError) -> Value in
        var items = items
        // Fisher and Yates, in Durstenfeld's form.
        for last in items.indices.dropFirst().reversed() {
          items.swapAt(last, index(below: last + 1, context))
        }
        return .list(items)
      },
      Function("truncate", .method) { (text: String, length: Int64) throws(EvaluationError) in
        guard length >= 1 else { throw EvaluationError("a text can't be shorter than 1 character") }
        return text.count <= Int(clamping: length)
          ? text : String(text.prefix(Int(clamping: length) - 1)) + "…"
      },
    ]
  }

  private static func index(below count: Int, _ context: FunctionContext) -> Int {
    // The bias of a remainder of 64 bits is less than one in 10^12 for any list that fits.
    Int(bits(context) % UInt64(count))
  }

  private static func bits(_ context: FunctionContext) -> UInt64 {
    context.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
}
