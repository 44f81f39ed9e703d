import type { Config } from '../config/config.ts'
import { changelogPagePath } from '../domain/addresses/paths.ts'
import type { Instant, Product, Team, Version } from '../domain/records.ts'
import { NO_VERSION_PROPERTIES, versionProperties } from '../domain/versions/properties.ts'
import type { ParsedVersion } from '../formats/parsed.ts'
import { randomToken } from '../http/entrance.ts'
import type { Logger } from '../http/handler.ts'
import { createPreviewHandler, previewStore } from '../http/preview.ts'
import type { Handler } from '../http/request/context.ts'
import { withReads } from '../store/queries/reads.ts'
import type { Store, VersionRead } from '../store/store.ts'

interface Unsaved {
  product: Product
  /** The stored version; null for a new one. */
  version: Version | null
  text: ParsedVersion
  now: Instant
}

/** The page of a release whose text is not saved, by the code of the real page. */
export type UnsavedPages = (unsaved: Unsaved) => Promise<Response>

/** `base` is the path of the desk, which has the pictures too. */
export function createUnsavedPages(config: Config, store: Store, logger: Logger, base: string): UnsavedPages {
  /** Texts by the names that stand for them in the path. */
  const unsaved = new Map<string, VersionRead>()
  const withUnsaved = withReads(store, (reads, at) => ({
    readVersion: (...given) => {
      const found = unsaved.get(given[3])
      return found ? { value: found, revision: at ?? store.revision() } : reads.readVersion(...given)
    },
  }))
  const handlers = new Map<string, Handler>()
  const handlerFor = (team: Team): Handler => {
    const known = handlers.get(team.id)
    const handler =
      known ??
      createPreviewHandler({ ...config, cacheMaxBytes: 0 }, previewStore(withUnsaved, team), logger, base)
    handlers.set(team.id, handler)
    return handler
  }
  return async ({ product, version, text, now }) => {
    const { team } = product
    const name = `unsaved-${randomToken()}`
    unsaved.set(name, readOf(product, version, text, now))
    try {
      const url = `http://localhost${changelogPagePath(team.slug, product.slug)}/${name}`
      const page = await handlerFor(team)(new Request(url), () => ({ address: '127.0.0.1', port: 0 }))
      return inert(page, "frame-ancestors 'self'", 'allow-same-origin')
    } finally {
      unsaved.delete(name)
    }
  }
}

/** What everybody sees at a path. `base` is where the desk has these pages. */
export type PublicPages = (path: string) => Promise<Response>

/** The pages of the server, which need not run. */
export function createPublicPages(config: Config, store: Store, logger: Logger, base: string): PublicPages {
  const handle = createPreviewHandler({ ...config, cacheMaxBytes: 0 }, store, logger, base)
  return async (path) => {
    const page = await handle(new Request(`http://localhost${path}`), () => ({
      address: '127.0.0.1',
      port: 0,
    }))
    if (!page.headers.get('content-type')?.startsWith('text/html')) return page
    const own = (await page.text()).replaceAll(/ (href|action)="(?=\/(?!\/))/g, ` $1="${base}`)
    return inert(
      new Response(own, page),
      "frame-ancestors 'none'",
      'allow-same-origin allow-forms allow-popups',
    )
  }
}

/** A page that runs no script: its address is that of the desk. */
function inert({ status, body, headers }: Response, ancestors: string, sandbox: string): Response {
  const own = (headers.get('content-security-policy') ?? '').replace(/ script-src [^;]*;/, '')
  const policy = `${own.replace("frame-ancestors 'none'", ancestors)}; sandbox ${sandbox}`
  const kept = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  return new Response(body, { status, headers: kept })
}

/** As the store reads a version. */
function readOf(product: Product, version: Version | null, text: ParsedVersion, now: Instant): VersionRead {
  const { team, changelog, language, repository, subscribeUrl } = product
  const changes = text.changes.map((change, at) => ({ ...change, id: `chg_unsaved-${at}` }))
  return {
    team,
    product,
    changelog,
    settings: { language, repository, subscribeUrl, teamSubscribeUrl: team.subscribeUrl },
    source: text.source ?? null,
    version: {
      ...versionProperties({ ...NO_VERSION_PROPERTIES, ...version, ...text }),
      id: version?.id ?? 'ver_unsaved',
      label: text.label || '…',
      title: text.title,
      status: version?.status ?? 'draft',
      publishedAt: text.date ?? version?.publishedAt ?? now,
      dateKnown: text.date !== null,
      createdAt: version?.createdAt ?? now,
      changeCount: changes.length,
      kinds: null,
      changes,
    },
  }
}
