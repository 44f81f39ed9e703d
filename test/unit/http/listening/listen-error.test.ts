import { expect, test } from 'bun:test'
import { cannotListen, toChoosePort } from '../../../../src/http/listening/listen-error.ts'

const inUse = Object.assign(new Error('in use'), { code: 'EADDRINUSE' })

test('a checkout, where changelogd is no command, says how its start gets another port', () => {
  const place = { host: '127.0.0.1', port: 3000 }
  expect(cannotListen(place, inUse)).toMatchObject({
    hint: 'To choose another port: PORT=3001 npx -y bun@1.4.4 run start',
  })
  expect(cannotListen(place, inUse, toChoosePort(9000, { 'metrics-port': 'NUMBER' }))).toMatchObject({
    hint: 'To choose another port: METRICS_PORT=9001 npx -y bun@1.4.4 run start',
  })
})
