import { TestDesk } from '../../../../test/support/desk/desk.ts'
import { jpeg, png, progressiveJpeg } from '../../../../test/support/pictures.ts'
import { freePort } from '../../../../test/support/servers/free-port.ts'
import { outputOf } from '../../../../test/support/servers/process.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

const LONGEST_WAIT_MS = 2_000

export default {
  name: 'pictures',
  how: 'At the desk, one author sends photographs of 24 million pixels, and between them small progressive JPEGs with 400 scans, all at once. Another sends a screenshot of a few bytes, again and again.',
  async run({ of }) {
    const refused = new Tally('A JPEG of very many scans is refused by name')
    const quick = new Tally('A small picture waits less than two seconds for the pictures of another author')
    await using place = new Place()
    await place.must('team', 'create', 'acme', '--name', 'Acme')
    await place.must('product', 'create', 'acme/app', '--name', 'App')
    const port = await freePort()
    const child = place.start([PROGRAM, 'desk'], {
      DESK_URL: `http://127.0.0.1:${port}`,
      DESK_PORT: String(port),
      DESK_USER_HEADER: 'X-User',
      DESK_PROXIES: '127.0.0.1',
      DESK_TEAMS: '*',
    })
    await outputOf(child).address
    const author = async (name: string) => {
      const desk = TestDesk.behindProxy(child, port, { 'x-user': name })
      const token = (await desk.get('/acme/app/new')).field('token')
      return async (given: Buffer): Promise<string> => {
        const body = new FormData()
        body.set('token', token)
        body.set('picture', new File([given], 'shot'))
        const init = { method: 'POST', body, headers: { origin: desk.origin } }
        return (await desk.fetch('/acme/app/new/picture', init)).text()
      }
    }
    const [one, other] = [await author('one'), await author('other')]
    const [photo, scans] = [await jpeg(6_000, 4_000), progressiveJpeg(5_000, 5_000, 400)]
    let isOver = false
    const flood = Promise.all(
      Array.from({ length: of(20, 3) }, async () => {
        const [, said] = await Promise.all([one(photo), one(scans)])
        refused.count(said.includes('too many scans'), () => said)
      }),
    ).finally(() => {
      isOver = true
    })
    let longest = 0
    for (let at = 1; !isOver; at++) {
      const began = performance.now()
      const said = await other(png(20 + (at % 9), 20))
      const waited = performance.now() - began
      longest = Math.max(longest, waited)
      quick.count(said.includes('"shown"') && waited < LONGEST_WAIT_MS, () => `${waited} ms: ${said}`)
    }
    await flood
    child.kill('SIGINT')
    await child.exited
    return [refused.row(''), quick.row(`${(longest / 1000).toFixed(1)} s at most`)]
  },
} satisfies Case
