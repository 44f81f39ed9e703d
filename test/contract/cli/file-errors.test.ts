import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { refused } from '../../support/commands/refused.ts'
import { PROGRAM, sandboxForEach } from '../../support/sandbox.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('left out: only root can mount a file system')

const box = sandboxForEach()
const { at } = box

/** Runs a command in a process of its own: a FIFO or a full file system could stop or end this one. */
const alone = (line: string) => box.runProgram([...PROGRAM, ...line.split(' ')])

describe('what is not a file is refused by name', () => {
  const kinds = {
    directory: async (path: string) => mkdirSync(path),
    FIFO: async (path: string) => void (await Bun.spawn(['mkfifo', path]).exited),
  }
  for (const [kind, create] of Object.entries(kinds))
    test(`a ${kind} as database, backup or place of a backup`, async () => {
      await box.demo()
      await create(at('thing'))
      const run = kind === 'FIFO' ? alone : (line: string) => box.words(line)
      const what = `${at('thing')} is a ${kind}, not a file`
      const hint = kind === 'directory' ? 'Give a file in it.' : 'Choose another one.'
      refused(await run('backup thing --force'), what, hint)
      refused(await run('restore thing --yes'), what, 'changelogd backup')
      await box.json('backup', 'monday.db')
      for (const line of ['team list', 'serve --port 0', 'backup x.db', 'restore monday.db --yes'])
        refused(await run(`${line} --db thing`), what, '--db')
    })

  test('a directory or a socket as a file to import, apply or export to', async () => {
    await box.demo()
    mkdirSync(at('thing'))
    using _ = Bun.listen({ unix: at('socket'), socket: { data() {} } })
    for (const [line, hint] of [
      ['import acme/app', 'Give a file in it, or its .changeset folder.'],
      ['apply', 'Give a file in it.'],
      ['export acme/app --output', 'Give a file in it.'],
    ] as const) {
      refused(await box.words(`${line} thing`), `thing is a directory, not a file. ${hint}`)
      refused(await box.words(`${line} socket`), 'changelogd: socket is a socket, not a file.\n')
    }
    refused(await box.words('export acme/app --output new/'), 'new/ is a directory, not a file.')
    expect(existsSync(at('new'))).toBe(false)
  })

  test('a file as a directory', async () => {
    await box.demo()
    await box.json('backup', 'monday.db')
    for (const line of [
      'backup monday.db/deep/x.db',
      'migrate --db monday.db/deep/x.db',
      'restore changelogd.db --db monday.db/deep/x.db',
      'export acme/app --output monday.db/deep/x.md',
    ]) {
      const told = refused(await box.words(line), 'There is no directory', 'monday.db is a file.')
      expect(told).not.toContain('mkdir')
    }
  })

  test('but a FIFO can be imported from', async () => {
    await box.demo()
    await Bun.spawn(['mkfifo', at('pipe')]).exited
    const importing = box.start(['import', 'acme/app', 'pipe'])
    writeFileSync(at('pipe'), '## 9.0.0 - 2026-01-02\n\n### Added\n\n- A thing\n')
    expect(await new Response(importing.stdout).text()).toContain('1 added')
  })
})

describe('a file for apply that would take much memory is refused before it is parsed', () => {
  const SPLIT = 'Split the file, and apply the parts one by one without --prune.'

  test('a name of megabytes, and an input that never ends', async () => {
    writeFileSync(at('large.yml'), `teams:\n  acme:\n    name: ${'x'.repeat(5_000_000)}\n`)
    refused(
      await box.words('apply large.yml'),
      'large.yml is too large. The limit is 4,000,000 bytes.',
      SPLIT,
    )
    const endless = ['sh', '-c', 'yes | "$@"', 'sh', ...PROGRAM, 'apply', '-']
    refused(
      await box.runProgram(endless),
      'Standard input is too large. The limit is 4,000,000 bytes.',
      SPLIT,
    )
    expect(box.files()).toEqual(['large.yml'])
  })

  test('a million marks that begin something', async () => {
    for (const mark of ['[', '&a ', '? ', '- ']) {
      writeFileSync(at('lists.yml'), `teams: ${mark.repeat(1_000_000)}`)
      expect((await box.words('apply lists.yml')).stderr).toBe(
        'changelogd: Nothing was applied.\n  lists.yml:1:1: the file is too large: more than 600,000 YAML tokens\n',
      )
    }
  })
})

test('a disk that is full or fails is named, with what to do, and nothing is left behind', async () => {
  await box.demo()
  refused(
    await box.words('export acme/app --output /dev/full'),
    'Cannot write /dev/full: the disk is full.',
    'df -h /dev',
  )
  const shell = (script: string, ...args: string[]) =>
    box.runProgram(['sh', '-c', script, 'sh', ...PROGRAM, ...args])
  refused(
    await shell('exec "$@" > /dev/full', 'status'),
    'Cannot write to standard output: the disk is full. Free up space, and try again.',
  )
  refused(
    await shell('ulimit -f 100; exec "$@"', 'backup', 'copy.db'),
    `Cannot write ${at('copy.db')}: the disk failed (disk I/O error).`,
    'dmesg',
    'changelogd doctor',
  )
  expect(box.files()).toEqual(['changelogd.db'])
})

describe.if(isRoot)('on a file system', () => {
  let mounted: string | null = null
  afterEach(async () => {
    if (mounted !== null) await Bun.spawn(['umount', mounted]).exited
    mounted = null
  })

  /** Mounts a small file system; where that is not permitted, says so. */
  async function mount(options: string): Promise<boolean> {
    mkdirSync(at('disk'), { recursive: true })
    const child = Bun.spawn(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', at('disk')], {
      stderr: 'ignore',
    })
    if ((await child.exited) === 0) mounted = at('disk')
    else console.log('left out: mounting a file system is not permitted here')
    return mounted !== null
  }

  test('that is full, each command names the file and says what to do, and nothing is damaged', async () => {
    if (!(await mount('size=1800k'))) return
    const database = at('disk/changelogd.db')
    const onDisk = (line: string) => alone(`${line} --db disk/changelogd.db`)
    await onDisk('demo')
    await onDisk('backup monday.db')
    const [reason, where] = ['the disk is full.', `df -h ${at('disk')}`]
    writeFileSync(
      at('large.md'),
      '## 1.0.0\n\n### Added\n\n'.concat(`- ${'x'.repeat(1_000)}\n`.repeat(1_500)),
    )
    refused(
      await onDisk('import acme/app large.md'),
      `The database ${database} is not responding: ${reason}`,
      where,
    )
    try {
      for (;;) writeFileSync(at('disk/filler'), Buffer.alloc(4_096), { flag: 'a' })
    } catch {
      // Now it is full.
    }
    for (const line of ['team create x --name X', 'team list', 'restore monday.db --yes'])
      refused(await onDisk(line), `Cannot open the database ${database}: ${reason}`, where)
    await box.demo()
    const target = at('disk/copy.db')
    refused(await alone('backup disk/copy.db'), `Cannot write ${target}: ${reason}`, where)
    refused(await alone('export --all --output disk/all.json'), `Cannot write disk/all.json: ${reason}`)
    refused(
      await alone('restore monday.db --db disk/copy.db'),
      `Cannot restore ${at('monday.db')}: ${reason}`,
      where,
    )
    const left = readdirSync(at('disk')).filter((name) => !/-(wal|shm)$/.test(name))
    expect(left.sort()).toEqual(['changelogd.db', 'filler'])
    rmSync(at('disk/filler'))
    expect((await onDisk('team create x --name X')).status).toBe(0)
  })

  test('that is read-only, each command says so', async () => {
    if (!(await mount('size=10m'))) return
    await alone('demo --db disk/changelogd.db')
    expect(await Bun.spawn(['mount', '-o', 'remount,ro', at('disk')]).exited).toBe(0)
    await box.demo()
    const reason = 'is on a read-only file system.'
    for (const line of [
      'team create x --name X --db disk/changelogd.db',
      'serve --port 0 --db disk/changelogd.db',
      'migrate --db disk/new/new.db',
      'backup disk/copy.db',
      'export acme/app --output disk/CHANGELOG.md',
    ])
      refused(await alone(line), reason, 'mount it read-write')
    expect(existsSync(at('disk/copy.db'))).toBe(false)
  })
})
