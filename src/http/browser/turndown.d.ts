declare module 'turndown' {
  interface Rule {
    filter: string | readonly string[] | ((node: HTMLElement) => boolean)
    replacement(content: string, node: HTMLElement): string
  }
  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>)
    addRule(name: string, rule: Rule): this
    escape(text: string): string
    turndown(root: HTMLElement): string
  }
}
