import { expect, test } from 'bun:test'
import { refused } from '../../../support/commands/refused.ts'
import { sandboxForEach } from '../../../support/sandbox.ts'

const box = sandboxForEach(async () => {})

test.each([
  ['ff02::1', 'the host is not an address that a server can listen on'],
  ['a'.repeat(64), 'the host is not an address or a known name'],
])('a server that cannot listen on %s says so without an error of the system', async (host, reason) => {
  const said = refused(await box.run(['serve', '--host', host, '--port', '0']))
  expect(said).toStartWith(
    `changelogd: Cannot listen on ${host}:0: ${reason}. To choose another port or host`,
  )
})
