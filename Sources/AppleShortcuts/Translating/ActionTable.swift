/// A row of the table of actions: its identifier, how well it is translated, and the function that makes
/// its steps.
struct ActionRow: Sendable {
  typealias Action = ActionTree.Action
  typealias Outcome = Translation.Outcome

  /// The identifier without `is.workflow.actions.`.
  let name: String
  /// The difference that every use has; nil if there is none.
  let difference: String?
  /// The features missing here that some uses need; nil if there are none.
  let exception: String?
  let translate: @Sendable (inout Translation, Action) -> Outcome

  /// An action that is translated; with a difference if there is a note.
  init(
    _ name: String, _ difference: String? = nil,
    _ make: @escaping @Sendable (inout Translation, Action) -> Void
  ) {
    self.name = name
    self.difference = difference
    exception = nil
    translate = { translation, action in
      make(&translation, action)
      return difference.map { .approximated($0) } ?? .translated
    }
  }

  /// An action whose parameters determine how well it is translated.
  init(
    deciding name: String, _ exception: String,
    _ translate: @escaping @Sendable (inout Translation, Action) -> Outcome
  ) {
    self.name = name
    difference = nil
    self.exception = exception
    self.translate = translate
  }
}

/// All supported actions, and the features that unsupported actions would need.
enum ActionTable {
  static let all: [ActionRow] =
    FlowActions.rows + TextActions.rows + NumberActions.rows + DateActions.rows + ListActions.rows
    + WebActions.rows + FileActions.rows + ScriptActions.rows + ImageActions.rows
    + DialogActions.rows
    + DeviceActions.rows + SearchActions.rows

  static let rows: [String: ActionRow] = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The need of an unknown action: its application, or an action of Apple's app.
  static func need(ofUnknown name: String) -> String {
    if name.contains("."), name.first?.isLowercase == true, name.split(separator: ".").count > 2 {
      return "an application for \(name)"
    }
    return "\(name) of Apple's app"
  }

  /// The features that unsupported actions would need.
  static let needs: [String: String] = [
    "addnewevent": "a calendar", "airdropdocument": "AirDrop",
    "airplanemode.set": "the switches of a phone",
    "addtoplaylist": "a music library", "appearance": "the appearance of Apple's system",
    "askllm": "a language model", "cellulardata.set": "the switches of a phone",
    "bluetooth.set": "the switches of a phone", "clearupnext": "a music library",
    "createplaylist": "a music library", "deletephotos": "a library of photos",
    "detect.address": "the detection of addresses",
    "dnd.set": "the Focus of Apple's system", "evernote.new": "Evernote",
    "exportsong": "a music library", "filter.calendarevents": "a calendar",
    "filter.contacts": "an address book", "filter.music": "a music library",
    "filter.notes": "Apple's Notes", "filter.photos": "a library of photos",
    "filter.reminders": "Apple's Reminders", "flashlight": "a light",
    "get.playlist": "a music library", "getcurrentlocation": "the location",
    "getcurrentsong": "a music library", "getdistance": "a map service",
    "gettraveltime": "a map service", "getupcomingevents": "a calendar",
    "getupcomingreminders": "Apple's Reminders", "giphy": "Giphy", "handoff": "another device",
    "imgur.upload": "Imgur", "lowpowermode.set": "the switches of a phone",
    "playmusic": "a music library",
    "properties.health.quantity": "health data", "properties.music": "a music library",
    "recordaudio": "a microphone", "runapplescript": "AppleScript",
    "runextension": "an extension of Apple's system",
    "runjavascriptonwebpage": "a page in Safari", "safari.geturl": "Safari",
    "searchlocalbusinesses": "a map service", "selectcontacts": "an address book",
    "sendmessage": "Messages", "setplaybackdestination": "AirPlay", "shazamMedia": "Shazam",
    "takephoto": "a camera", "takevideo": "a camera", "text.translate": "a translator",
    "tumblr.post": "Tumblr", "tweet": "Twitter", "wallpaper.set": "the wallpaper of a phone",
    "weather.currentconditions": "a weather service", "weather.forecast": "a weather service",
    "wifi.set": "the switches of a phone", "wordpress.post": "WordPress",
    "properties.calendarevents": "a calendar", "properties.reminders": "Apple's Reminders",
    "properties.weather.conditions": "a weather service",
    "properties.workflow": "the list of shortcuts", "getmyworkflows": "the list of shortcuts",
    "splitscreen": "windows of Apple's system", "hide.app": "windows of Apple's system",
    "useractivity.open": "an application of Apple's", "sirikit.donation.handle": "Siri",
    "removereminders": "Apple's Reminders", "shownote": "Apple's Notes",
    "trimvideo": "an editor of videos", "getframesfromimage": "the frames of an image",
    "image.removebackground": "the detection of subjects", "dropbox.open": "Dropbox",
    "dropbox.savefile": "Dropbox", "instapaper.add": "Instapaper",
  ]
}
