/// Names for the same thing in other tools, too different for an edit distance.
enum Synonyms {
  /// One group of synonyms per line; a word may be in several groups.
  private static let groups: [String] = [
    "text content contents body message msg string value data",
    "message text description reason msg",
    "title heading headline subject summary caption name alias displayname friendlyname",
    "prompt question label text message",
    "times count attempts tries retries",
    "now time clock date today",
    "online network internet offline connection",
    "from src source origin list",
    "to dst dest destination target",
    "path file filename filepath src target name",
    "in dir folder directory path root",
    "dir cwd workdir workingdirectory folder directory path",
    "match pattern glob name regex",
    "url uri link href address website",
    "sort order orderby sortby ordering",
    "where filter condition query having",
    "limit top take max count size n",
    "entity type kind model table class from",
    "item id ref reference target object",
    "set fields properties attributes values data",
    "command cmd program exe executable script",
    "args arguments argv params parameters",
    "with args arguments params parameters inputs",
    "delay wait pause interval backoff",
    "for seconds secs minutes hours milliseconds duration time delay",
    "stdin input",
    "json body data payload",
    "form data fields body",
    "query params parameters search text words term q",
    "many multiple multi several multiselect",
    "expect assert asserts assertions expected should",
    "tap onclick click ontap",
    "parallel concurrency maxparallel workers",
    "where when if",
    "headers header",
    "save output outfile saveto path file",
    "parse format decode as",
    "values options choices enum cases",
    "default initial fallback value",
    "else otherwise",
    "urgency priority level importance",
    "actions buttons choices",
    "tags tag labels label keywords categories category project context area",
    "repeat recur recurrence recurring recurs rrule",
    "notes note description details body comment annotation",
    "createdat date created added timestamp time age",
    "updatedat date updated modified changed mtime",
    "due deadline duedate dueon until date",
    "done completed complete finished closed status",
    "description summary help about comment",
    "on trigger triggers event events schedule schedules cron",
    "steps action actions jobs tasks sequence commands script run runs do then",
    "variables vars env environment",
    "parameters params args arguments inputs options variables",
    "properties fields columns attributes schema members",
    "days weekday weekdays day dow daysofweek",
    "phrases sentences utterances examples sayings aliases alias",
    "tests test spec specs examples",
    "requires permissions needs capabilities allow",
    "enabled disabled active initialstate",
    "output outputs result return",
    "mode concurrency",
    "retry retries attempts",
    "accepts shares receives",
    "keep ignore skip donothing nothing",
    "replace overwrite upsert truncate w",
    "create x new exclusive",
    "fail error abort raise throw",
    "catch except rescue onerror onfailure",
    "finally ensure always",
    "dialog say said says speech spoken stdout printed",
    "restart cancelprevious cancel",
    "single one exclusive forbid",
    "queued queue serial",
    "critical high urgent important",
    "low minor quiet silent",
    "deep recursive recurse subfolders",
  ]

  /// Returns at most two candidates that are synonyms of a name.
  ///
  /// - Complexity: O(candidates × words of the table).
  static func of(_ name: String, in candidates: some Sequence<String>) -> [String] {
    let wanted = plain(name)
    // The common case: the name is in no group.
    guard groups.contains(where: { $0.contains(wanted) }) else { return [] }
    let known = candidates.map { (name: $0, plain: plain($0)) }
    // A name that differs only in case or dashes is a misspelling, not a synonym.
    if known.contains(where: { $0.plain == wanted }) { return [] }
    var found: [String] = []
    for group in groups {
      let words = group.split(separator: " ")
      guard words.contains(where: { $0 == wanted }) else { continue }
      let meant = words.lazy.compactMap { word in known.first { $0.plain == word }?.name }.first
      if let meant, !found.contains(meant) { found.append(meant) }
      if found.count == 2 { break }
    }
    return found
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }
}
