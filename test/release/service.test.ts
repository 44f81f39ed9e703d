import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../src/config/package.ts'
import { describeNeeding } from '../support/needs.ts'
import { PROGRAM, Sandbox } from '../support/sandbox.ts'
import { linesOf, listening } from '../support/servers/process.ts'
import { until } from '../support/until.ts'

const UNIT = join(import.meta.dir, '../../release/changelogd.service')

/** The exposure that `systemd-analyze security` may find at most, from 0 to 10. */
const MOST_EXPOSURE = 2

test('the unit runs the program, as the user and with the settings and the database that the program takes for its own', async () => {
  const lines = (await Bun.file(UNIT).text()).split('\n')
  for (const line of [
    `ExecStart=${PACKAGE.program} serve`,
    `User=${PACKAGE.user}`,
    `WorkingDirectory=${PACKAGE.directory}`,
    `EnvironmentFile=-${PACKAGE.settings}`,
    `Environment=DATABASE_URL=${PACKAGE.database}`,
  ])
    expect(lines).toContain(line)
})

describeNeeding('systemd-analyze', Bun.which('systemd-analyze') !== null, 'the unit for systemd', () => {
  test('is a valid one', async () => {
    await using box = new Sandbox()
    const text = (await Bun.file(UNIT).text()).replace('/usr/bin/changelogd', PROGRAM.join(' '))
    writeFileSync(box.at('changelogd.service'), text)
    const { status, stdout, stderr } = await box.runProgram([
      'systemd-analyze',
      'verify',
      '--man=no',
      '--recursive-errors=no',
      box.at('changelogd.service'),
    ])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test(`exposes at most ${MOST_EXPOSURE.toFixed(1)} of 10`, async () => {
    await using box = new Sandbox()
    const { stdout } = await box.runProgram(['systemd-analyze', 'security', '--offline=true', UNIT])
    const exposure = /Overall exposure level for changelogd\.service: ([\d.]+)/.exec(stdout)?.[1]
    expect(Number(exposure)).toBeLessThanOrEqual(MOST_EXPOSURE)
  })
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
    `Cannot send READY=1 to systemd at ${box.at('missing')}.`,
    `Cannot send STOPPING=1 to systemd at ${box.at('missing')}.`,
    '',
  ])
})
