import { SQL } from 'bun'
import {
  prepareCommands,
  WRITING,
  type WritingCommand,
} from '../../../../test/support/commands/writing-commands.ts'
import { Engine } from '../../../../test/support/postgres/engine.ts'
import { type Loss, lossyProxyTo } from '../../../../test/support/postgres/lost-commit.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place, type Result } from '../../support/place.ts'

/** The copy that each command works on. */
const COPY = 'copy'

export default {
  name: 'lost-commits',
  how: 'Every command that writes runs on PostgreSQL through an address that ends the connection at COMMIT: before the engine gets it, or when the engine has executed it and before the command gets the answer; and once more so that nothing can be asked afterwards. What the command says and its exit status must agree with what the database holds then.',
  async run({ of }) {
    await using engine = await Engine.start()
    await using place = new Place()
    place.database = engine.address()
    await prepareCommands(place.directory, (...args) => place.must(...args))
    await using admin = new SQL(engine.address('postgres'), { max: 1 })
    const told = new Tally(
      'A command that loses COMMIT, or the answer to it, says what happened to its change',
    )
    const kept = new Tally('What it has deleted is kept, and undo brings it back')
    const unknown = new Tally('If it cannot learn what happened, it says that, and shows a new token')

    const attempt = async (command: WritingCommand, loss: Loss): Promise<void> => {
      await admin.unsafe(`drop database if exists ${COPY} with (force)`)
      await admin.unsafe(`create database ${COPY} template ${new URL(engine.address()).pathname.slice(1)}`)
      place.database = engine.address(COPY)
      // What was deleted from the original is not of its copy.
      if (command.line.startsWith('undo')) await place.must('team', 'delete', 'hooli', '--yes')
      const before = { data: await place.export(), kept: await keptIn(place) }
      using proxy = await lossyProxyTo(place.database)
      const lost = proxy.lose(loss)
      const args = [...command.line.split(' '), ...(loss.isAway ? ['--wait', '1'] : [])]
      const env = { DATABASE_URL: proxy.address, EDITOR: place.at('editor.sh') }
      const result = await place.run(args, { env })
      await lost
      const isDone = (await place.export()) !== before.data
      const copies = (await keptIn(place)).filter((id) => !before.kept.includes(id))
      const detail = () => `${command.line}, ${loss.what} lost, done ${isDone}, ${copies}: ${words(result)}`
      if (loss.isAway) return unknown.count(isDone && saysUnknown(command, result, copies.length), detail)
      told.count(isDone ? saysDone(result) : saysNothing(result, copies.length), detail)
      if (!isDone || !command.deletes) return
      const undone = copies.length === 1 && (await place.run(['undo', copies[0] ?? '']))
      const isBack = undone && undone.status === 0
      kept.count(isBack && (command.isWhole !== true || (await place.export()) === before.data), detail)
    }

    const chosen = WRITING.filter((_, at) => of(true, at % 8 === 2))
    for (const command of chosen) {
      await attempt(command, { what: 'request', by: 'end' })
      await attempt(command, { what: 'answer', by: 'end' })
      if (command.deletes || command.tokens)
        await attempt(command, { what: 'answer', by: 'end', isAway: true })
    }
    return [told.row(`${chosen.length} commands`), kept.row(''), unknown.row('')]
  },
} satisfies Case

const words = ({ status, stdout, stderr }: Result): string => `status ${status}, ${stdout} ${stderr}`

const saysDone = ({ status, stderr }: Result): boolean =>
  status === 0 && !/lost|not known|Nothing was/.test(stderr)

const saysNothing = ({ status, stdout, stderr }: Result, copies: number): boolean =>
  status === 1 && stdout === '' && stderr.includes('Nothing was changed.') && copies === 0

const saysUnknown = (
  { deletes, tokens }: WritingCommand,
  { status, stdout, stderr }: Result,
  copies: number,
): boolean =>
  status === 1 &&
  stderr.includes('did not confirm the change within 1 s. It may be committed.') &&
  !/Nothing was/.test(stderr) &&
  /clk_\w/.test(stdout) === (tokens === true) &&
  copies === (deletes ? 1 : 0)

async function keptIn(place: Place): Promise<string[]> {
  return JSON.parse(await place.must('undo', '--json')).map(({ kept }: { kept: string }) => kept)
}
