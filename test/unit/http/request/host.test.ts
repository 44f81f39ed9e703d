import { expect, test } from 'bun:test'
import { isHost } from '../../../../src/http/request/host.ts'

test.each([
  ...['', 'localhost', 'a', 'changelog.example', 'changelog.example.', 'changelog.example:8080'],
  ...['changelog.example:', 'a:65535', 'my_service', 'xn--bcher-kva.example', '1st.example'],
  ...['127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:443', '[::ffff:192.0.2.1]', '[::FFFF:1]', 'a.1b', 'a.b1'],
  `${'a'.repeat(63)}.example`,
  `${'a.'.repeat(126)}a`,
])('%j names a host', (header) => {
  expect(isHost(header)).toBe(true)
})

test.each([
  ...['.', '...', '-', '-a', 'a-', 'a..b', '.a', 'a b', 'a,b', 'a/b', 'user@a', 'a:99999'],
  ...['a:65536', 'a:b', 'a:1:2', ':80', '999.999.999.999', '1.2.3', 'a.1', 'a.b.1', '[1.2.3.4]', '[::1'],
  ...[
    '[]',
    'a[::1]',
    '[::1]a',
    '[::g]',
    '::1',
    'ä.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}`,
  ],
])('%j names none', (header) => {
  expect(isHost(header)).toBe(false)
})
