import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { staleFiles } from '../../../proof/page.ts'
import type { Part } from '../../../proof/proof.ts'
import { PROOFS } from '../../../proof/proofs.ts'
import { mergedParts } from '../../../proof/results.ts'

function proof(...args: string[]) {
  const command = [process.execPath, join(import.meta.dir, '../../../proof/run.ts'), ...args]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { status: exitCode, stdout: String(stdout), stderr: String(stderr) }
}

test('without a name, every proof is listed with its options, its parts and its last results', () => {
  const { status, stdout } = proof()
  expect(status).toBe(0)
  for (const { name, proves } of PROOFS) expect(stdout).toContain(`\n${name}: ${proves}`)
  expect(stdout).toContain('--minutes')
  expect(stdout).toMatch(/^ {2}Measured on 20\d\d-\d\d-\d\d, commit \w+/m)
})

test('a part that a proof does not have is refused, and the message says which it has', () => {
  const stderr = expect.stringContaining('battery has no part nonsense: it has server-kill, ')
  expect(proof('battery', '--only', 'nonsense')).toEqual({ status: 2, stdout: '', stderr })
})

test('a part that is measured again takes the place of what is stored of it, and the others stay', () => {
  const part = (name: string, commit: string): Part => ({
    ...{ name, seconds: 1, failed: 0, rows: [] },
    measured: { date: '2026-11-17', commit, machine: 'two cores' },
  })
  const stored = [part('kills', 'a'), part('floods', 'a'), part('gone', 'a')]
  const merged = mergedParts(
    ['kills', 'clocks', 'floods'],
    [...stored, part('floods', 'b'), part('clocks', 'b')],
  )
  expect(merged.map(({ name, measured }) => `${name} ${measured.commit}`)).toEqual([
    ...['kills a', 'clocks b', 'floods b'],
  ])
})

test('the page of results and the chart are what the stored results say', () => {
  expect(staleFiles()).toEqual([])
})
