/** The attributes of `<changelog-widget>`, which are also its properties. */
export interface ChangelogWidgetAttributes {
  /** The public address of the changelog. */
  src?: string | undefined
  /** How many versions to show, 1 to 100. Default: 5 */
  limit?: number | string | undefined
  /** A page with all releases, instead of the one of the server. */
  href?: string | undefined
  /** `end`: the panel ends where the button ends. */
  align?: 'start' | 'end' | undefined
  /** The https address of the form of a mailing list. */
  subscribe?: string | undefined
}

/** The element that `/widget.js` of a server defines. What is set is text afterwards; null and undefined remove it. */
export interface ChangelogWidgetElement extends HTMLElement {
  get src(): string
  set src(value: string | null | undefined)
  get limit(): string
  set limit(value: number | string | null | undefined)
  get href(): string
  set href(value: string | null | undefined)
  get align(): string
  set align(value: 'start' | 'end' | null | undefined)
  get subscribe(): string
  set subscribe(value: string | null | undefined)
}

declare global {
  interface HTMLElementTagNameMap {
    'changelog-widget': ChangelogWidgetElement
  }
}
