import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNITS } from '../../release/contents.ts'
import { PACKAGE } from '../../src/config/package.ts'
import { describeNeeding } from '../support/needs.ts'
import { PROGRAM, Sandbox } from '../support/sandbox.ts'
import { startBucket } from '../support/servers/bucket.ts'
import { linesOf, listening } from '../support/servers/process.ts'
import { until } from '../support/until.ts'

const unitFile = (name: string) => join(import.meta.dir, '../../release', name)
const SERVICES = UNITS.filter((name) => name.endsWith('.service'))

/** The exposure that `systemd-analyze security` may find at most, from 0 to 10. */
const MOST_EXPOSURE = 2

test.each(SERVICES)(
  '%s runs the program, as the user and with the settings and the database that the program takes for its own',
  async (name) => {
    const lines = (await Bun.file(unitFile(name)).text()).split('\n')
    for (const line of [
      expect.stringContaining(`ExecStart=${PACKAGE.program} `),
      `User=${PACKAGE.user}`,
      `WorkingDirectory=${PACKAGE.directory}`,
      `EnvironmentFile=-${PACKAGE.settings}`,
      `Environment=DATABASE_URL=${PACKAGE.database}`,
    ])
      expect(lines).toContainEqual(line)
  },
)

describeNeeding('systemd-analyze', Bun.which('systemd-analyze') !== null, 'the units for systemd', () => {
  test('are valid ones', async () => {
    await using box = new Sandbox()
    for (const name of UNITS) {
      const text = (await Bun.file(unitFile(name)).text()).replace('/usr/bin/changelogd', PROGRAM.join(' '))
      writeFileSync(box.at(name), text)
    }
    const { status, stdout, stderr } = await box.runProgram([
      ...['systemd-analyze', 'verify', '--man=no', '--recursive-errors=no'],
      ...UNITS.map(box.at),
    ])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.each(SERVICES)(`expose at most ${MOST_EXPOSURE.toFixed(1)} of 10: %s`, async (name) => {
    await using box = new Sandbox()
    const { stdout } = await box.runProgram(['systemd-analyze', 'security', '--offline=true', unitFile(name)])
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]
    expect(Number(exposure)).toBeLessThanOrEqual(MOST_EXPOSURE)
  })
})

test('the unit of the restore drill tries the newest copy at BACKUP_TO, and nothing without that', async () => {
  await using bucket = await startBucket()
  await using box = new Sandbox()
  await box.json('demo')
  const unit = await Bun.file(unitFile('changelogd-verify.service')).text()
  const commandOf = (key: string) =>
    [...(new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word = '']) => (quoted ?? word).replaceAll('$$', '$'),
    )
  const [, ...words] = commandOf('ExecStart')
  const isAsked = async (env = {}) => (await box.runProgram(commandOf('ExecCondition'), env)).status
  const env = { ...bucket.env, BACKUP_TO: 's3://copies/drill/' }
  expect([await isAsked(), await isAsked({ BACKUP_TO: '' }), await isAsked(env)]).toEqual([1, 1, 0])
  const drill = () => box.run(words, env)

  expect(await drill()).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no backup at') })
  await box.run(['backup', env.BACKUP_TO], env)
  expect(await drill()).toMatchObject({ status: 0, stdout: expect.stringContaining(' is good. ') })
  expect((await box.run(words, bucket.env)).stderr).toContain('BACKUP_TO is not set')
})

const PYTHON = '/usr/bin/python3'

/** Prints the datagrams that come to a socket, whose path or name is the argument, each as a line. */
const RECEIVER = `
import socket, sys
path = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind('\\0' + path[1:] if path.startswith('@') else path)
print('bound', flush=True)
while True:
    print(receiver.recv(100).decode(), flush=True)
`

describeNeeding('python3', Bun.which(PYTHON) !== null, 'a server that systemd has started', () => {
  for (const kind of ['a path', 'a name'])
    test(`tells it when it is up and when it stops, at a socket with ${kind}`, async () => {
      await using box = new Sandbox()
      const socket = kind === 'a path' ? box.at('notify') : `@${box.directory}`
      const receiver = linesOf(box.spawn([PYTHON, '-c', RECEIVER, socket]).stdout)
      await until(() => receiver.lines.includes('bound'))
      const server = box.start(['serve', '--port', '0'], { NOTIFY_SOCKET: socket })
      await until(() => receiver.lines.length > 1)
      expect(receiver.lines).toEqual(['bound', 'READY=1'])
      expect((await fetch(`${await listening(server)}/readyz`)).status).toBe(200)
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      await until(() => receiver.lines.length > 2)
      expect(receiver.lines).toEqual(['bound', 'READY=1', 'STOPPING=1'])
    })
})

test('a server that cannot tell systemd serves nevertheless, and says so in a line', async () => {
  await using box = new Sandbox()
  const server = box.start(['serve', '--port', '0'], { NOTIFY_SOCKET: box.at('missing') })
  expect((await fetch(`${await listening(server)}/readyz`)).status).toBe(200)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  const lines = (await new Response(server.stderr).text())
    .split('\n')
    .map((line) => line.replace(/^\S+Z /, ''))
  expect(lines).toEqual([
    `Created ${box.database}, which is empty.`,
    `Cannot send READY=1 to systemd at ${box.at('missing')}.`,
    `Cannot send STOPPING=1 to systemd at ${box.at('missing')}.`,
    '',
  ])
})
