import { ALL_RIGHTS, type Right } from '../../acts/acting.ts'
import type { Access, DeskSettings } from '../../config/desk.ts'
import { inCidr, parseAddress } from '../../domain/addresses/ip-address.ts'
import { createEntrance, type Entrance, randomToken } from '../../http/entrance.ts'

/** Who writes, and may do what. The name is null where nobody says it. */
export interface Writer {
  name: string | null
  rights: ReadonlySet<Right>
  /** Whose changelogs; null for all. */
  teams: ReadonlySet<string> | null
}

/** How the desk knows who writes. */
export interface Door {
  /** The path that all addresses begin with. */
  base: string
  /** A new one-time path; null behind a proxy. */
  open: Entrance['open'] | null
  enter: Entrance['enter']
  /** Null for somebody who is not signed in. */
  writerOf(request: Request, peer: string | undefined): Writer | null
  /** What the name of a header is for a page that says that it is missing; null without a proxy. */
  header: string | null
}

export function createDoor({ access, teamsOf, mayPublish }: DeskSettings): Door {
  const writer = (name: string | null, groups: readonly string[]): Writer => ({
    name,
    rights: mayPublish(name, groups) ? ALL_RIGHTS : DRAFTS_ONLY,
    teams: teamsOf(groups),
  })
  return access.kind === 'local' ? localDoor(writer(null, [])) : proxyDoor(access, writer)
}

const DRAFTS_ONLY: ReadonlySet<Right> = new Set<Right>(['write'])

/** Browsers send cookies to every port of a machine, so the path is random. */
function localDoor(writer: Writer): Door {
  const base = `/${randomToken()}`
  const entrance = createEntrance('desk', { path: `${base}/` })
  return {
    base,
    open: entrance.open,
    enter: entrance.enter,
    writerOf: (request) => (entrance.knows(request) ? writer : null),
    header: null,
  }
}

function proxyDoor(
  { header, groupsHeader, proxies }: Extract<Access, { kind: 'proxy' }>,
  writer: (name: string, groups: readonly string[]) => Writer,
): Door {
  return {
    base: '',
    open: null,
    enter: () => null,
    writerOf: ({ headers }, peer) => {
      const address = parseAddress(peer ?? '')
      const isProxy = address !== null && proxies.some((proxy) => inCidr(address, proxy))
      const name = isProxy ? nameIn(headers.get(header)) : null
      return name === null
        ? null
        : writer(name, groupsHeader === '' ? [] : groupsIn(headers.get(groupsHeader)))
    },
    header,
  }
}

const LONGEST_NAME = 100

/** Characters that nobody sees, so that one name could pass for another. Those that join letters belong to some names. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u

/** Null without a name, and for one that could pass for another. A header that came twice is joined with a comma, and nobody's. */
function nameIn(header: string | null): string | null {
  if (header === null || header.includes(',')) return null
  const name = decoded(header).trim()
  return name === '' || name.length > LONGEST_NAME || UNSEEN.test(name) ? null : name
}

const groupsIn = (header: string | null): string[] =>
  decoded(header ?? '')
    .split(/[,;|]/)
    .map((group) => group.trim())

/** Header bytes are read as Latin-1, and many proxies send UTF-8. */
function decoded(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? header : text
}
