import type { Kind } from '../../../domain/kinds.ts'
import type { ErrorCode } from '../../errors.ts'

/**
 * Everything that pages and the widget say in a language. `{name}` stands for a value, and English has all of them. To add a
 * language: a file like the others, a row in `languages.ts`, and its code in `domain/records.ts`.
 */
export interface Words {
  /** How `Intl` writes dates and numbers. */
  locale: string
  direction: 'ltr' | 'rtl'
  kinds: Readonly<Record<Kind, string>>
  site: {
    whatsNew: string
    /** For search engines: of the list of all products. */
    about: string
    aboutNamed: string
    breadcrumb: string
    startPage: string
    goToStart: string
    nothingPublic: string
  }
  subscribe: { menu: string; readers: string; chats: string; scripts: string; file: string }
  search: { button: string; changes: string }
  pages: { name: string; newer: string; older: string; searchOlder: string }
  changelog: {
    about: string
    newestRelease: string
    newest: string
    releases: Plural
    moreReleases: string
    noReleases: string
    changes: Plural
    breakingChanges: Plural
    securityChanges: Plural
    inReleases: string
    under: string
    mention: Plural
    withAsides: string
    atLeast: string
    furtherOn: string
    showAll: string
    all: string
    kindsOfChange: string
    nothing: string
    noneOfKind: string
    noneOfKindSoFar: string
    noneMentions: string
    noneMentionsSoFar: string
  }
  release: {
    about: string
    aboutUndated: string
    nothingListed: string
    noChanges: string
    placeInList: string
    ofAll: string
    readAll: string
    showAll: string
    inThisRelease: string
    tooLong: string
    asMarkdown: string
    range: string
    changes: string
    changesOfThis: string
    releases: string
    next: string
    previous: string
  }
  timeline: {
    aboutTeam: string
    latest: string
    products: Plural
    productsOfTeams: Plural
    manyProducts: string
    newest: string
    heading: string
    first: string
    more: string
    noRelease: string
    /** What a release has of each kind, such as "4 added", in the order of `separator`. */
    counts: Readonly<Record<Exclude<Kind, 'breaking' | 'security'>, Plural>>
    separator: string
  }
  upgrade: {
    plan: string
    upTo: string
    fromTo: string
    about: string
    inThese: string
    until: string
    allKinds: string
    from: string
    to: string
    button: string
    showAll: string
    allOf: string
    nothingNewer: string
    older: string
  }
  feed: { ofProduct: string; ofTeam: string }
  badge: { name: string; none: string }
  authored: AuthoredWords
  errors: Readonly<Record<ErrorCode, ErrorWords>>
  widget: WidgetWords
}

/** One text for each plural that the language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** What is added to the text of authors. */
export interface AuthoredWords {
  note: string
  tip: string
  important: string
  warning: string
  caution: string
  /** For those who do not see them. */
  table: string
  image: string
  done: string
  notDone: string
  footnote: string
  footnotes: string
  backToText: string
}

/** Without a message, it is the one for programs. */
export interface ErrorWords {
  title: string
  message: string | null
}

export interface WidgetWords {
  button: string
  heading: string
  all: string
  more: Plural
  unread: string
  unreadCount: string
  failed: string
  nothing: string
}
