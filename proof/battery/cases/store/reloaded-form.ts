import { authorAt } from '../../../../test/support/desk/author.ts'
import { TestDesk } from '../../../../test/support/desk/desk.ts'
import { freePort } from '../../../../test/support/servers/free-port.ts'
import { outputOf } from '../../../../test/support/servers/process.ts'
import { type Case, type Row, Tally } from '../../support/case.ts'
import { Place, PROGRAM } from '../../support/place.ts'

/** Typed into a new release one after the other, each after the page was loaded again. */
const TEXTS = ['Invite guests to one board.', 'x', 'Then another text', 'y']

export default {
  name: 'reloaded-form',
  how: 'An author types into the form of a new release in Chromium, loads the page again, ignores what is offered, types another text, and so on. Every text must still be offered.',
  run: async ({ of }) => [await reloaded(of(20, 2))],
} satisfies Case

async function reloaded(rounds: number): Promise<Row> {
  const tally = new Tally('Every unsaved text of a form that was loaded again is offered')
  await using place = new Place()
  await place.must('team', 'create', 'acme', '--name', 'Acme')
  await place.must('product', 'create', 'acme/app', '--name', 'App')
  const port = await freePort()
  const env = { DESK_URL: `http://127.0.0.1:${port}`, DESK_PORT: `${port}`, DESK_USER_HEADER: 'X-User' }
  const child = place.start([PROGRAM, 'desk'], { ...env, DESK_PROXIES: '127.0.0.1', DESK_TEAMS: '*' })
  await outputOf(child).address
  const desk = TestDesk.behindProxy(child, port, { 'x-user': 'Mira' })
  const mira = await authorAt(desk, 'Mira', { isDrawn: false })
  for (let round = 0; round < rounds; round++) {
    await mira.go('/')
    await mira.page.evaluate('localStorage.clear()')
    await mira.go('/acme/app/new')
    for (const text of TEXTS) {
      await mira.fill('text', text)
      await mira.page.reload()
    }
    const offered = await mira.page.$$eval('[data-kept] p', (lines) =>
      lines.map((line) => (line as unknown as { textContent: string }).textContent),
    )
    for (const text of TEXTS)
      tally.count(
        offered.some((line) => line.includes(text)),
        () => `round ${round}: '${text}' is not among ${offered.join(' | ')}`,
      )
  }
  await mira[Symbol.asyncDispose]()
  await desk.stop()
  return tally.row(`${rounds} rounds of ${TEXTS.length} texts`)
}
