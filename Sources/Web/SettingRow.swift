import ErrandKit

/// A setting in words of the page, under its subject.
struct SettingRow {
  /// A subject of the settings.
  enum Subject: String, CaseIterable {
    case general, access, notifications, runs, terminal
  }

  let setting: Setting
  let subject: Subject
  let title: String
  let hint: String
  /// The titles of values that have others than their own.
  var values: [String: String] = [:]

  private init(
    _ setting: Setting, _ subject: Subject, _ title: String, _ hint: String,
    values: [String: String] = [:]
  ) {
    (self.setting, self.subject, self.title, self.hint) = (setting, subject, title, hint)
    self.values = values
  }

  /// The rows of all settings, by use.
  static let all = [
    SettingRow(
      .theme, .general, "Appearance", "Light, dark, or as the system has it",
      values: ["auto": "As the system", "light": "Light", "dark": "Dark"]),
    SettingRow(
      .enrich, .general, "Look at new pages", "Title, text and picture are fetched after a save"),
    SettingRow(
      .worker, .general, "Work in the background",
      "Fetches pages, takes in shares and runs automations while this server runs"),
    SettingRow(
      .shelf, .general, "Shelf",
      "Keeps what others share with you until you decide; off empties it"),
    SettingRow(
      .cleanURLs, .general, "Clean addresses",
      "Addresses are saved without the parameters that track visitors"),
    SettingRow(
      .learning, .general, "Learn from what you do",
      "On this machine only, for suggestions and for how you mean a sentence"),
    SettingRow(
      .location, .general, "Your place",
      "Degrees north and east, such as 52.52, 13.40, for sunrise and sunset"),
    SettingRow(
      .holidays, .general, "Days off",
      "A calendar such as ~/holidays.ics, or days such as 2026-12-25"),
    SettingRow(
      .linkBase, .general, "Signed links begin with", "The default is a name on this machine only"),
    SettingRow(
      .browserSearch, .access, "Browser extension may search",
      "It may always save; this lets it find and show links"),
    SettingRow(
      .embedOrigins, .access, "Pages that may show widgets",
      "Their addresses, such as https://home.example"),
    SettingRow(.mailTo, .notifications, "Mail", "The address that gets notifications by mail"),
    SettingRow(.ntfy, .notifications, "ntfy", "A topic such as https://ntfy.sh/backups"),
    SettingRow(
      .ntfyToken, .notifications, "ntfy access", "The name of the secret with the topic’s token"),
    SettingRow(
      .notifyCommand, .notifications, "Program", "Gets {title}, {text} and {urgency}"),
    SettingRow(
      .pushHosts, .notifications, "Further push services",
      "Hosts of browsers’ makers, such as push.example.com"),
    SettingRow(.keepRuns, .runs, "Keep finished runs for", "Runs older than this are forgotten"),
    SettingRow(
      .answerTime, .runs, "Questions wait for", "Then their run ends, or waits to be continued"),
    SettingRow(.maxSteps, .runs, "Steps a run may take", "More than this is a mistake"),
    SettingRow(
      .secretCommand, .terminal, "Program for secrets",
      "Prints a secret; {name} stands for its name"),
    SettingRow(
      .colour, .terminal, "Colour", "Of the text in a terminal",
      values: ["auto": "If the terminal has it", "always": "Always", "never": "Never"]),
    SettingRow(
      .pager, .terminal, "Pager", "Shows long results page by page; none turns it off"),
  ]
}
