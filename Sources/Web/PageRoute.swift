/// A page with the paths that show it and those of its forms; the first match wins.
struct PageRoute: Sendable {
  let page: any Page.Type
  private let shown: [PathPattern]
  private let forms: [PathPattern]

  private init(_ page: any Page.Type, get shown: [String] = [], post forms: [String] = []) {
    self.page = page
    self.shown = shown.map(PathPattern.init)
    self.forms = forms.map(PathPattern.init)
  }

  /// The values of the parameters of a path; nil for the path of another page.
  func values(of path: [String], isForm: Bool) -> [String: String]? {
    (isForm ? forms : shown).lazy.compactMap { $0.values(of: path) }.first
  }

  static let all = [
    PageRoute(ListPage.self, get: ["/", "/list/{list}", "/tag/{tag}"]),
    PageRoute(SelectionForm.self, post: ["/bulk"]),
    PageRoute(SmartListForm.self, post: ["/lists", "/lists/{action}"]),
    PageRoute(
      EditPage.self, get: ["/item/{entity}/{item}/edit"], post: ["/item/{entity}/{item}/edit"]),
    PageRoute(
      ItemPage.self, get: ["/item/{entity}/{item}"], post: ["/item/{entity}/{item}/{action}"]),
    PageRoute(NewItemPage.self, get: ["/new/{entity}"], post: ["/new/{entity}"]),
    PageRoute(ReaderPage.self, get: ["/read/{item}"]),
    PageRoute(UndoForm.self, post: ["/undo/{change}"]),
    PageRoute(TaskPage.self, post: ["/tasks"]),
    PageRoute(CalendarPage.self, get: ["/day", "/day/{day}", "/week", "/week/{day}"]),
    PageRoute(Scratchpad.self, post: ["/pad"]),
    PageRoute(TagsPage.self, get: ["/tags"], post: ["/tags/{action}"]),
    PageRoute(Suggestions.self, get: ["/tag-names", "/references", "/understood"]),
    PageRoute(GalleryPage.self, get: ["/gallery"], post: ["/gallery/suggested/{action}"]),
    PageRoute(AddPage.self, get: ["/gallery/add"], post: ["/gallery/add"]),
    PageRoute(NewDefinitionPage.self, get: ["/make/{kind}"], post: ["/make/{kind}"]),
    PageRoute(SentencePage.self, get: ["/do"]),
    PageRoute(ActionPage.self, get: ["/run/{name}"]),
    PageRoute(TestPage.self, get: ["/test/{name}"], post: ["/test/{name}"]),
    PageRoute(SourcePage.self, get: ["/source/{name}"], post: ["/source/{name}", "/check"]),
    PageRoute(
      ActivityPage.self, get: ["/activity"],
      post: [
        "/jobs/{job}/{action}", "/queue/{action}", "/runs/{run}/cancel",
        "/automations/{automation}/{action}",
      ]),
    PageRoute(RecordedRunPage.self, get: ["/activity/{run}"]),
    PageRoute(
      NotificationPage.self, get: ["/notification/{ticket}"], post: ["/notification/{ticket}"]),
    PageRoute(WelcomePage.self, get: ["/welcome"]),
    PageRoute(ImportPage.self, get: ["/import", "/import/{import}"], post: ["/import"]),
    PageRoute(InboxPage.self, get: ["/inbox"], post: ["/inbox/{action}"]),
    PageRoute(
      WidgetPage.self, get: ["/widgets", "/widgets/{name}"], post: ["/widgets/{name}/press"]),
    PageRoute(
      SettingsPage.self, get: ["/settings", "/settings/{action}"], post: ["/settings/{action}"]),
  ]
}
