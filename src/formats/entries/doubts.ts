import { basename } from 'node:path/posix'
import { typeFromHeading } from '../../domain/slug.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { KIND_OF } from '../../domain/versions/kinds.ts'
import type { Line } from '../lines/line.ts'
import type { Warning } from '../parsed.ts'
import type { Entry } from './headlines.ts'
import type { Head } from './heads.ts'

/** What looks like a product changelog and is none. */

interface Reading {
  entries: readonly Entry[]
  lines: readonly Line[]
  heads: readonly Head[]
  /** What is above the entries, as written. */
  top: string
  name: string
}

/** Why the entries are something else; null if they are not. */
export function otherThanEntries(entries: readonly Entry[]): string | null {
  const ahead = entries.filter(({ period }) => period && period.at > Date.now() + DAY_MS)
  return ahead.length > 1 && ahead.length * 2 >= entries.length
    ? 'most of its dates are in the future, so it looks like a calendar or a plan'
    : null
}

const SIGNS: readonly { message: string; holds: (reading: Reading) => boolean }[] = [
  {
    message: 'the entries have links for headlines: if this is an index of articles, it is no changelog',
    holds: ({ entries }) => most(entries, ({ title }) => /^\[[^\]]*\]\([^)]*\)$/.test(title)),
  },
  {
    message: 'the entries are links to other pages: if this is a list of publications, it is no changelog',
    holds: ({ lines }) =>
      most(
        lines.filter(({ kind }) => kind === 'item'),
        ({ text }) => LINKED.test(text),
      ),
  },
  {
    message:
      'the entries tell how incidents were resolved: if this is the history of a status page, it is no changelog',
    holds: ({ lines }) => lines.filter(({ text }) => INCIDENT.test(text)).length > 1,
  },
  {
    message:
      'neither the name of the file nor its title or sections say that it is a changelog: each entry with a date is one version',
    holds: ({ name, heads, top }) => {
      const sections = heads.filter(({ title }) => KIND_OF.has(typeFromHeading(title) ?? ''))
      return !NAME.test(basename(name)) && !NAME.test(top) && sections.length === 0
    },
  },
]

export function warningsAbout(reading: Reading): Warning[] {
  const line = (reading.entries[0]?.at ?? 0) + 1
  return SIGNS.flatMap(({ message, holds }) => (holds(reading) ? { line, message } : []))
}

const most = <T>(all: readonly T[], holds: (one: T) => boolean): boolean =>
  all.length > 1 && all.filter(holds).length * 2 > all.length

/** A link with the words of a headline. */
const LINKED = /(?:^|[\s*"“])\[[^\]]{12,}\]\(https?:/
const INCIDENT = /^\W*(?:resolved|investigating|identified|monitoring|post-?mortem)\b\W/i

/** Names and titles of changelogs, in the languages of the program. */
const NAME =
  /change|release|what.?s.?new|\bnews\b|updates?\b|product|ship|history|roll-?out|neu(?:es|igkeit|heit|erung)|was.ist.neu|änder|aender|verbesser|versionen|nouveau|quoi de neuf|mises?.?[aà].?jour|évolutions|modifications|novedad|qué hay de nuevo|cambios|actualiza|mejoras|novidad|mudan|atualiza|melhorias|novit|aggiornament|cambiament|miglior|nieuw|wijzig|nyhet|nyhed|zmian|nowości|novink|изменен|обновлен|новост|更新|変更|履歴|新着|新機能|お知らせ|リリース|アップデート|新增|变更|업데이트|변경|공지/iu
