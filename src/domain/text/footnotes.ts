/** The label of a footnote, between `[^` and `]`. */
export const NOTE_LABEL = /[^\]\s&<>"']{1,100}/.source

/** Code, or a mark behind a word that is not part of a pattern such as `[^a-z]+`. */
const CODE_OR_MARK = /(`+).+?\1|(?: ?\[\^\d+\]|(?<=[^\s[(])\[\^[\w-]+\])(?![*+?{(:])/g

/** A title without the marks of footnotes, for readers who cannot follow them. Part of the widget. */
export const withoutNotes = (title: string): string =>
  title.replace(CODE_OR_MARK, (all, ticks?: string) => (ticks ? all : ''))
