import { expect, test } from 'bun:test'
import { createTurn } from '../../../../src/http/cache/turn.ts'
import { countTurns } from '../../../support/turns.ts'

test('steps of long tasks share a turn until it has been long, and then go on in turns of their own, one task in each', async () => {
  let now = 0
  const turn = createTurn(() => now)
  using turns = countTurns()
  const steps: { task: string; turn: number }[] = []
  const task = async (name: string) => {
    for (let step = 0; step < 6; step++) {
      const pause = turn.pause()
      if (pause) await pause
      steps.push({ task: name, turn: turns.now })
      now += 3
    }
  }
  await Promise.all([task('a'), task('b')])
  const perTurn = [...Map.groupBy(steps, ({ turn }) => turn).values()]
  // Two steps of three milliseconds are long.
  expect(perTurn.map((each) => each.map(({ task }) => task).join(''))).toEqual([
    'aa',
    'aa',
    'bb',
    'aa',
    'bb',
    'bb',
  ])
})
