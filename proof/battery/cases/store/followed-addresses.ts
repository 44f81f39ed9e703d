import { png } from '../../../../test/support/pictures.ts'
import { outputOf } from '../../../../test/support/servers/process.ts'
import { until } from '../../../../test/support/until.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const EVERY_MS = 900_000
/** How often the list is asked for, before a release counts as held up. */
const TRIES = 100
const PAUSE_MS = 200
const OUTSIDE = [
  '../',
  '/',
  '//',
  '%2F',
  '%2F%2F',
  '%2e%2e/',
  '..%2F',
  '%252F',
  'a/../../',
  '%5C',
  '/%2F',
  './/',
]

export default {
  name: 'followed-addresses',
  how: 'A text shows pictures by addresses that lead out of its folder in every spelling, by redirects that do, and one that hangs. Nothing outside may be asked for, and every release of every source must come.',
  async run({ of }) {
    const within = new Tally('Followed pictures never leave the folder of their text')
    const held = new Tally('Pictures of one source hold up no release of any')
    const sources = of(40, 8)
    const shot = png(40, 30)
    const asked = new Set<string>()
    using away = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false },
      fetch: ({ url }) => {
        asked.add(url)
        return new Response(shot)
      },
    })
    const far = `127.0.0.1:${away.port}`
    const targets = [`${far}/x.png`, 'private/s.png', 'u:p@h/x.png', 'h:99999/x.png', '[/x.png']
    const addresses = OUTSIDE.flatMap((lead) => targets.map((target) => lead + target))
    const lines = [...addresses, 'far.png', 'up.png', 'hangs.png', 'ok.png'].map(
      (each) => `- ![A](${each})\n`,
    )
    using host = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', development: false, idleTimeout: 0 },
      fetch: ({ url }) => {
        const { pathname } = new URL(url)
        asked.add(pathname)
        if (pathname.endsWith('.md')) return new Response(`## 1.0.0 - 2026-01-02\n\n${lines.join('')}`)
        if (pathname.endsWith('/far.png')) return Response.redirect(`http://${far}/x/far.png`)
        if (pathname.endsWith('/up.png')) return Response.redirect(new URL('/private/s.png', url).href)
        if (pathname.endsWith('/hangs.png')) return new Promise<Response>(() => {})
        return new Response(shot)
      },
    })
    await using place = new Place()
    place.fill((seed) => {
      const team = seed.team('acme')
      for (let n = 0; n < sources; n++)
        seed.db.run(
          `INSERT INTO source (id, product_id, url, kind, tag_dates, every, prune, paused, created_at)
            VALUES (?, ?, ?, 'auto', 0, ?, 0, 0, 0)`,
          [
            `src_${n}`,
            seed.product(team, `p${n}`).id,
            // The address of one cannot even be parsed.
            n === 0 ? 'http://[' : `http://127.0.0.1:${host.port}/x${n}/CHANGELOG.md`,
            EVERY_MS,
          ],
        )
    })
    const { lines: said } = outputOf(place.start([PROGRAM, 'worker'], { FOLLOW_PRIVATE: 'true' }))
    await until(() => said.length > 0)
    const files = () => [...asked].filter((each) => each.endsWith('.md')).length
    await until(() => files() === sources - 1)
    await until(() => [...asked].filter((each) => each.endsWith('/hangs.png')).length >= 4)
    const states = async () =>
      JSON.parse((await place.run(['follow', 'list', '--json'])).stdout) as {
        product: string
        failing: object | null
        changedAt: string | null
      }[]
    const isThere = ({ product, failing, changedAt }: Awaited<ReturnType<typeof states>>[number]) =>
      product === 'acme/p0' ? failing !== null : changedAt !== null
    // Those that were asked last are imported only now. The pictures that hang do so to the end.
    for (let tries = 0; tries < TRIES && !(await states()).every(isThere); tries++) await Bun.sleep(PAUSE_MS)
    for (const state of await states()) held.count(isThere(state), () => `${state.product} is not there`)
    for (const each of asked) within.count(/^\/x\d+\/(?!.*\.\.\/)/.test(each), () => each)
    const count = `${addresses.length} addresses in each of ${sources - 1} texts`
    return [within.row(`${count}, ${asked.size} asked for`), held.row(`${sources} sources`)]
  },
} satisfies Case
