import { findDate } from '../keepachangelog/versions/dates.ts'

/** Whether a text is what `git log` prints, perhaps below a few lines. */
export const isGitLog = (text: string): boolean =>
  /^commit [0-9a-f]{7,40}\b[^\n]*\n(?:Merge: [^\n]*\n)?Author: [^\n]*\nDate: /m.test(text.slice(0, 2000))

/** What `git log` prints as a ChangeLog by date, line for line: the subject of a commit is an item, and its text below. */
export function changeLogOfGit(text: string): string {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [commit = ''] = /^commit [0-9a-f]{7,40}\b.*$/.exec(lines[at] ?? '') ?? []
    const blank = commit === '' ? -1 : lines.slice(at + 1, at + 8).indexOf('')
    if (blank < 2) {
      lines[at] = (lines[at] ?? '').replace(/^ {4}/, '\t  ')
      continue
    }
    const fields = lines.slice(at + 1, at + 1 + blank)
    const field = (name: string) => fields.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1)
    const date = findDate(field('Date') ?? '')
    if (date === null) continue
    const subject = at + 2 + blank
    const day = new Date(date.at).toISOString().slice(0, 10)
    const others = fields.filter((one) => !/^(?:Author|Date):/.test(one))
    const block = [`${day} ${field('Author') ?? ''}`, '', `\t* ${(lines[subject] ?? '').trim()}`]
    const rest = `\t  (${[commit, ...others].join(', ')})`
    for (let to = at; to <= subject; to++) lines[to] = block[to - at] ?? (to === subject ? rest : '')
    at = subject
  }
  return lines.join('\n')
}
