import CEL

/// Actions that search public services and maps, or read the results.
enum SearchActions {
  private static let keys = [
    "Name": "trackName", "Title": "trackName", "App Name": "trackName", "Artist": "artistName",
    "Album": "collectionName",
    "Developer Name": "artistName", "Store URL": "trackViewUrl", "iTunes URL": "trackViewUrl",
    "URL": "trackViewUrl",
    "Price": "formattedPrice", "Description": "description", "Version": "version",
    "Bundle Identifier": "bundleId",
    "Artwork": "artworkUrl100", "Artwork URL": "artworkUrl100", "Genre": "primaryGenreName",
    "Category": "primaryGenreName",
    "Size": "fileSizeBytes", "Rating": "averageUserRating",
    "Minimum OS Version": "minimumOsVersion",
    "Last Updated": "currentVersionReleaseDate", "Store ID": "trackId", "Feed URL": "feedUrl",
    "Podcast Name": "collectionName",
    "Release Notes": "releaseNotes", "What's New": "releaseNotes",
  ]

  static let rows: [ActionRow] = [
    ActionRow("searchitunes", "the public search of iTunes") { t, a in
      search(&t, a, media: a.word("WFMediaType")?.lowercased())
    },
    ActionRow("searchappstore", "the public search of iTunes") { t, a in
      search(&t, a, media: "software")
    },
    ActionRow("searchpodcasts", "the public search of iTunes") { t, a in
      search(&t, a, media: "podcast")
    },
    ActionRow("properties.itunesstore", "of what the search found") { t, a in
      WebActions.property(&t, a, keys)
    },
    ActionRow("properties.appstore", "of what the search found") { t, a in
      WebActions.property(&t, a, keys)
    },
    ActionRow("properties.podcast", "of what the search found") { t, a in
      WebActions.property(&t, a, keys)
    },
    ActionRow("getmapslink", "OpenStreetMap") { t, a in
      let place = t.givenText(a, "WFInput")
      t.give(
        .joined([
          .text("https://www.openstreetmap.org/search?query="), .cel("\(place).urlEncode()", .text),
        ]), a, name: "link")
    },
    ActionRow("searchmaps", "OpenStreetMap") { t, a in
      open("https://www.openstreetmap.org/search?query=", t.givenText(a, "WFInput"), &t)
    },
    ActionRow("getdirections", "OpenStreetMap") { t, a in
      let place = t.givenText(a, "WFDestination", "WFInput")
      open("https://www.openstreetmap.org/directions?to=", place, &t)
    },
    ActionRow("showdefinition", "in Wiktionary") { t, a in
      open("https://en.wiktionary.org/wiki/", t.givenText(a, "Word", "WFInput"), &t)
    },
    ActionRow("address", "as a text") { t, a in
      var lines: [Code] = []
      for key in [
        "WFAddressLine1", "WFAddressLine2", "WFPostalCode", "WFCity", "WFState", "WFCountry",
      ]
      where a.parameters[key] != nil { lines.append(t.text(a, key)) }
      t.give(Code.list(lines).asText, a, name: "address")
    },
    ActionRow("phonenumber", "as a text") { t, a in
      t.give(t.givenText(a, "WFPhoneNumber"), a, name: "number")
    },
  ]

  /// Opens an address with words at its end.
  private static func open(_ address: String, _ words: Code, _ t: inout Translation) {
    let url: Code = .joined([.text(address), .cel("\(words).urlEncode()", .text)])
    t.call("open-url", [(nil, .code(url))])
  }

  private static func search(_ t: inout Translation, _ a: ActionTree.Action, media: String?) {
    var query: [(key: String, value: Step.Argument)] = [
      ("term", .code(t.givenText(a, "WFSearchTerm", "WFInput")))
    ]
    if let media, !media.isEmpty { query.append(("media", .text(media))) }
    if let country = t.value(a.parameters["WFCountry"]), country.literal != "" {
      query.append(("country", .code(country.asText)))
    }
    if let count = t.value(a.parameters["WFItemLimit"]), count.literal != "" {
      query.append(("limit", .code(count.asWhole)))
    }
    let answer = t.local(
      "http",
      [
        ("url", .text("https://itunes.apple.com/search")), ("query", .map(query)),
        ("parse", .word("json")),
      ], .any,
      name: "answer")
    t.give(.cel("toList(valueFor(\(answer), \"results\"))", .list), a, name: "results")
  }
}
