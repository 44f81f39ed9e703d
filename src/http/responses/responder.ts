import type { Audience, Revision, Store } from '../../store/port.ts'
import { ChangelogQuery, type ProductParams, type VersionParams } from '../openapi/request-schemas.ts'
import type { ChangelogEnvelope, VersionEnvelope } from '../openapi/response-schemas.ts'
import type { Fresh } from '../pipeline/cache.ts'
import { notFound } from './errors.ts'
import { nextLink, pageOf } from './paging.ts'
import { type Answer, type Coding, createAnswer, type HeaderFields, negotiate, send } from './responses.ts'
import { changelogEnvelope, versionEnvelope } from './serialize.ts'

export type Answers = ReturnType<typeof createAnswers>

export interface AnswerSettings {
  publicMaxAge: number
  cacheMaxBytes: number
  /** Whether the gate is closed: then nobody else may keep even a public answer. */
  gated: boolean
  /** What every answer of the public surface says. */
  publicHeadings: HeaderFields
}

/** What an entry takes beside its bytes and its key, its headers mostly: measured, as the growth of the process. */
const ENTRY_BYTES = 2_816

/**
 * Answers the reads: asks the store, puts what it says into bytes, and remembers them while the data stays the
 * same. An answer is remembered for one audience, one target (path and query) and one coding; what is hidden
 * or missing is not.
 */
export function createAnswers(store: Store, fresh: Fresh, settings: AnswerSettings) {
  const { publicMaxAge, cacheMaxBytes, gated } = settings
  const remembered = fresh.map<Answer>(
    cacheMaxBytes,
    (answer, key) => answer.body.size + 2 * key.length + ENTRY_BYTES,
  )
  const keyedHeadings: HeaderFields = {
    'cache-control': 'private, no-cache',
    vary: gated ? 'Accept-Encoding, Authorization, X-Site-Authorization' : 'Accept-Encoding, Authorization',
  }
  const sharing: HeaderFields = gated
    ? keyedHeadings
    : { 'cache-control': `public, max-age=${publicMaxAge}`, vary: 'Accept-Encoding' }
  const publicHeadings: HeaderFields = { ...settings.publicHeadings, ...sharing }

  /** The remembered answer, if there is one. The caller has asked before whether the audience may read it. */
  const recall = (audience: Audience, target: string, request: Headers): Answer | undefined =>
    remembered.get(keyOf(audience, target, negotiate(request.get('accept-encoding'))))

  /** Answers with a product's changelog. Throws `not_found`, `bad_request` or `unavailable`. */
  const changelog = async (
    audience: Audience,
    request: Request,
    params: typeof ProductParams.static,
    query: ChangelogQuery,
  ): Promise<Response> => {
    const page = pageOf(query, request.url)
    const revision = fresh.revision()
    const read = await store.readChangelog(audience, params.teamSlug, params.productSlug, page)
    if (!read) throw notFound()
    const link = read.next && nextLink(new URL(request.url).pathname, query, read.next)
    // A parameter that means nothing must not make a second copy of what it does not change.
    const mayRemember = Object.keys(query).every((name) => Object.hasOwn(ChangelogQuery.properties, name))
    return publish(audience, request, changelogEnvelope(read), link, mayRemember ? revision : null)
  }

  /** Answers with one version. Throws `not_found` or `unavailable`. */
  const version = async (
    audience: Audience,
    request: Request,
    params: typeof VersionParams.static,
  ): Promise<Response> => {
    const revision = fresh.revision()
    const read = await store.readVersion(audience, params.teamSlug, params.productSlug, params.versionId)
    if (!read) throw notFound()
    const mayRemember = !request.url.includes('?')
    return publish(audience, request, versionEnvelope(read), null, mayRemember ? revision : null)
  }

  /** Sends a body, and remembers it if a revision is given at which it was true. */
  const publish = async (
    audience: Audience,
    request: Request,
    body: ChangelogEnvelope | VersionEnvelope,
    link: string | null,
    revision: Revision | null,
  ): Promise<Response> => {
    const coding = negotiate(request.headers.get('accept-encoding'))
    const common = audience === 'public' ? publicHeadings : keyedHeadings
    // One object for all answers that say the same.
    const headings = link === null ? common : { ...common, link }
    const json = JSON.stringify(body)
    const answer = await createAnswer(json, coding, headings)
    // An encoded answer is small beside what it was made from.
    if (answer.body.size < json.length) fresh.discard(json.length)
    remembered.set(keyOf(audience, targetOf(request.url), coding), answer, revision)
    return send(answer, request.headers)
  }

  /** Answers with something that is not from the store, to be kept by whoever may keep public answers. */
  const document = async (request: Request, body: object): Promise<Response> => {
    const coding = negotiate(request.headers.get('accept-encoding'))
    return send(await createAnswer(JSON.stringify(body), coding, sharing), request.headers)
  }

  return { recall, changelog, version, document }
}

const keyOf = (audience: Audience, target: string, coding: Coding): string => {
  const who = audience === 'public' ? '' : audience.keyId
  return coding === 'identity' ? who + target : `${who}${target} ${coding}`
}

/** Path and query of an address, as the client wrote them; the whole text if it has no host. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : 0)
  return start <= 0 ? url : url.slice(start)
}
