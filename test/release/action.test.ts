import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxForEach } from '../support/sandbox.ts'

interface Action {
  inputs: Record<string, { description: string; default?: string; required?: boolean }>
  runs: { using: string; steps: { run: string; shell: string; env: Record<string, string> }[] }
}

const root = join(import.meta.dir, '../..')
const action = Bun.YAML.parse(await Bun.file(join(root, 'action.yml')).text()) as Action

/**
 * Programs that reach a server, each on this machine: they note their arguments, one on each line, and run what they are told to. That of
 * ssh gives it to a shell, as a server does.
 */
const REACHING = {
  ssh: 'while [ "$1" != -- ]; do [ "$1" != -i ] || cp -p "$2" "$NOTED.key"; shift; done; exec sh -c "$3"',
  docker: 'while [ "$1" != -i ]; do shift; done; shift 2; exec "$@"',
  kubectl: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
}
type Way = keyof typeof REACHING

const box = sandboxForEach(async (box) => {
  await box.json('team', 'create', 'acme', '--name', 'Acme')
  await box.json('product', 'create', 'acme/app', '--name', 'App')
  const bin = box.withProgram()
  for (const [name, script] of Object.entries(REACHING)) {
    const text = `#!/bin/sh\nprintf '%s\\n' "$@" > "$NOTED"\n${script}\n`
    writeFileSync(join(bin, name), text, { mode: 0o755 })
  }
  mkdirSync(box.at('tmp'))
  await Bun.write(box.at('CHANGELOG.md'), Bun.file(join(root, 'test/fixtures/app.md')))
})

/** Runs the steps as a runner does: inputs become variables, and a script never has one in it. */
async function act(inputs: Record<string, string>) {
  const given = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? ''
  const summary = box.at('summary.md')
  const noted = box.at('noted')
  let log = ''
  let status = 0
  for (const { run, env } of action.runs.steps) {
    const variables = Object.entries(env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]
      return [name, input === undefined ? value : given(input)]
    })
    const ran = await box.runProgram(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      ...Object.fromEntries(variables),
      PATH: `${box.at('bin')}:${process.env.PATH}`,
      TMPDIR: box.at('tmp'),
      GITHUB_ACTION_PATH: root,
      GITHUB_STEP_SUMMARY: summary,
      NOTED: noted,
    })
    log += ran.stdout + ran.stderr
    status ||= ran.status
  }
  const read = async (path: string) => ((await Bun.file(path).exists()) ? Bun.file(path).text() : '')
  return { log, status, summary: await read(summary), words: (await read(noted)).trimEnd().split('\n') }
}

const byDocker = { product: 'acme/app', through: 'docker', target: 'changelogd', program: 'changelogd' }
const versions = async () => (await box.json<{ version: string }[]>('version', 'list', 'acme/app')).length

test('the action puts every input into a variable, and none into a script', () => {
  const { using, steps } = action.runs
  expect(using).toBe('composite')
  for (const { run, shell } of steps) {
    expect(run).not.toContain('${{')
    expect(shell).toBe('bash')
  }
  const used = steps.flatMap(({ env }) => Object.values(env))
  expect(used.toSorted()).toEqual(
    Object.keys(action.inputs)
      .map((name) => `\${{ inputs.${name} }}`)
      .toSorted(),
  )
})

describe.each(Object.keys(REACHING) as Way[])('the action through %s', (through) => {
  test('imports the file, and lists what changed in the summary', async () => {
    const { status, summary, log } = await act({ ...byDocker, through })
    expect({ status, log }).toEqual({
      status: 0,
      log: expect.stringContaining('Imported into acme/app: 3 added'),
    })
    expect(summary).toStartWith('### Changelog of acme/app\n\n    Would import into acme/app: 3 added')
    expect(summary).toMatch(/^ {4} +1\.1\.0 +2026-10-20 +published +1 added, 1 fixed$/m)
    expect(summary).toContain('\n    Imported into acme/app: 3 added')
    expect(await versions()).toBe(3)
    expect(readdirSync(box.at('tmp'))).toEqual([])
  })

  test('passes arguments on as they are, whatever is in them', async () => {
    const odd = `--status=draft'; touch pwned; echo "$(touch pwned)" \`touch pwned\` $HOME & \\`
    const { status, log } = await act({ ...byDocker, through, arguments: `--create\n\n${odd}\n` })
    expect(status).toBe(1)
    expect(log).toContain(`--status is '${odd.replace('--status=', '')}': it must be draft or published`)
    expect(existsSync(box.at('pwned'))).toBe(false)
  })
})

test('the action has the server follow', async () => {
  await box.json('follow', 'acme/app', box.at('CHANGELOG.md'))
  const { status, summary } = await act({ ...byDocker, command: 'sync' })
  expect(status).toBe(0)
  expect(summary).toContain('    acme/app: 3 added')
  expect(await versions()).toBe(3)
})

test('the action only shows what would change, if that is asked for', async () => {
  const { status, summary } = await act({ ...byDocker, 'dry-run': 'true' })
  expect([status, summary.includes('Would import'), await versions()]).toEqual([0, true, 0])
})

test('the action gives ssh the key in a file that is gone afterwards, and trusts the named hosts only', async () => {
  const { words, status } = await act({
    ...byDocker,
    through: 'ssh',
    target: 'ci@changelog.example.com',
    'ssh-key': 'secret',
    'ssh-known-hosts': 'changelog.example.com ssh-ed25519 AAAA',
    options: '-p\n2222',
  })
  expect(status).toBe(0)
  const at = (word: string) => words.indexOf(word)
  expect(words.slice(0, 7)).toEqual([
    '-T',
    '-o',
    'BatchMode=yes',
    '-o',
    'StrictHostKeyChecking=yes',
    '-p',
    '2222',
  ])
  expect(words.slice(at('--') + 1)).toEqual([
    'ci@changelog.example.com',
    `'changelogd' 'import' 'acme/app' '-'`,
  ])
  const files = [
    words[at('-i') + 1],
    words.find((word) => word.startsWith('UserKnownHostsFile='))?.split('=')[1],
  ]
  expect(files.map((file) => file?.startsWith(box.at('tmp')))).toEqual([true, true])
  expect(readdirSync(box.at('tmp'))).toEqual([])
  const key = Bun.file(box.at('noted.key'))
  expect([await key.text(), statSync(box.at('noted.key')).mode & 0o777]).toEqual(['secret\n', 0o600])
})

test('the action runs nothing for inputs that it does not take', async () => {
  const wrong: Record<string, string>[] = [
    { product: 'acme/app; touch pwned' },
    { product: '--all/x' },
    { product: 'acme/app\nacme/app' },
    { target: '-oProxyCommand=touch pwned', through: 'ssh' },
    { target: '' },
    { through: 'touch pwned' },
    { command: 'export' },
    { file: '$(touch pwned).md' },
    { file: '.' },
    { list: 'TRUE' },
    { 'dry-run': ' true' },
    { 'dry-run': '' },
  ]
  for (const inputs of wrong) {
    const { status, log, words } = await act({ ...byDocker, ...inputs })
    const said = expect.stringMatching(/^::error::[^\n]+\n$/)
    expect({ inputs, status, log, words }).toEqual({ inputs, status: 1, log: said, words: [''] })
  }
  expect(existsSync(box.at('pwned'))).toBe(false)
})

test('the action sends no file that a pull request leads to by a link', async () => {
  symlinkSync(box.at('CHANGELOG.md'), box.at('linked.md'))
  symlinkSync(box.at('.'), box.at('docs'))
  for (const file of ['linked.md', './linked.md', 'docs/CHANGELOG.md', box.at('docs/CHANGELOG.md')]) {
    const { status, log, words } = await act({ ...byDocker, file })
    const said = expect.stringMatching(/^::error::[^\n]+ link[^\n]+\n$/)
    expect({ file, status, log, words }).toEqual({ file, status: 1, log: said, words: [''] })
  }
})

test('the action fails if the command fails, and says why', async () => {
  const { status, summary, log } = await act({ ...byDocker, product: 'acme/other' })
  expect([status, summary.includes('There is no product acme/other')]).toEqual([1, true])
  expect(log).toContain('::error::changelogd import failed, with status 1.')
})

test('the action takes nothing in a changelog for a command of the runner, or for markup', async () => {
  const hostile = [
    ...['::error::Injected', '##[error]Injected', '</code><img src=x>', '```', '<script>alert(1)</script>'],
  ]
  const text = hostile.map((label) => `## [1.0.0 ${label}] - 2026-13-45\n\n- x\n`).join('\n')
  await Bun.write(box.at('odd name $(x).md'), `# Changelog\n\n${text}`)
  const { log, summary } = await act({ ...byDocker, file: 'odd name $(x).md' })
  const [before = '', token = ''] = log.split(/::stop-commands::(\d+)\n/)
  expect([before, token.length > 8]).toEqual(['', true])
  // Outside of what is printed between the two, nothing begins like a command.
  const outside = log.replace(/::stop-commands::(\d+)\n[\s\S]*?\n::\1::\n/g, '')
  expect(outside).toBe('')
  for (const text of [log, summary]) expect(text).toMatch(/^ *1\.0\.0 ::error::Injected/m)
  const [, , ...lines] = summary.split('\n')
  expect(lines.filter((line) => line !== '' && !line.startsWith('    '))).toEqual([])
})
