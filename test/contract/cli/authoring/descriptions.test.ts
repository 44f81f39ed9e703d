import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { PROGRAM, type Sandbox, withProduct } from '../../../support/sandbox.ts'

let box: Sandbox
const UPDATE = 'version update acme/app 1.0.0 --description-file'
const piped = (input: string) => box.runProgram(['sh', '-c', `${input} | ${PROGRAM.join(' ')} ${UPDATE} -`])
const described = async () =>
  (await box.json<{ description: string | null }>('version', 'show', 'acme/app', '1.0.0')).description

beforeAll(async () => {
  box = await withProduct()
  await box.json('version', 'create', 'acme/app', '1.0.0', '--description', 'Kept')
})
afterAll(() => box.close())

test('a file or an input that is no text for a description is refused, and nothing is written', async () => {
  writeFileSync(box.at('latin1.md'), Buffer.from([0x66, 0xfc, 0x72]))
  writeFileSync(box.at('huge.md'), 'x'.repeat(1_000_001))
  for (const [file, why] of [
    ['latin1.md', 'latin1.md is not UTF-8 text'],
    ['huge.md', 'The limit is 1,000,000'],
  ] as const)
    expect(await box.refusal(...UPDATE.split(' '), file)).toContain(why)
  expect((await piped("printf ''")).stderr).toContain('Standard input is empty')
  expect((await piped('yes')).stderr).toContain('Standard input is too large')
  expect(await described()).toBe('Kept')
})

test('a description loses its byte order mark, its carriage returns and the blank lines around it', async () => {
  writeFileSync(box.at('long.md'), '\uFEFF\r\n# Why\r\n\r\n- two — ü\r\n\r\n')
  expect((await box.words(`${UPDATE} long.md`)).status).toBe(0)
  expect(await described()).toBe('# Why\n\n- two — ü')
})

test('- is standard input', async () => {
  expect(await piped("printf 'From a *pipe*.\\n'")).toMatchObject({ status: 0, stderr: '' })
  expect(await described()).toBe('From a *pipe*.')
})
