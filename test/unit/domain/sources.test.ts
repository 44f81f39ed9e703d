import { expect, test } from 'bun:test'
import { sourceAddress } from '../../../src/domain/sources.ts'

test.each([
  'https://github.com/acme/app',
  'https://gitlab.example.org/group/sub/app',
  'git@example.org:acme/app.git',
  'ssh://git@example.org:2222/acme/app.git',
  'ssh://[2001:db8::1]:22/acme/app.git',
  'https://example.org/CHANGELOG.md?raw=true',
  'https://example.org/CHANGELOG.md?encoding=utf-8&design=new&at=refs%2Fheads%2Fmain',
])('%s can be followed', (text) => {
  expect(sourceAddress(text)).toBe(text)
})

test.each([
  'https://ada:hunter2@github.com/acme/app',
  'https://hunter2@github.com/acme/app',
  'https://example.org/CHANGELOG.md?private_token=hunter2',
  ...['X-Amz-Signature', 'X-Goog-Credential', 'jwt', 'pwd', 'code', 'sig', 'api_key', 'AWSAccessKeyId'].map(
    (name) => `https://example.org/CHANGELOG.md?a=1&${name}=hunter2`,
  ),
  'ssh://git:hunter2@example.org/acme/app.git',
])('%s has a secret, and cannot be followed', (text) => {
  expect(sourceAddress(text)).toBeNull()
})

test.each([
  'ssh://-oProxyCommand=x/x',
  'ssh://-oProxyCommand=x@example.org/x',
  'git@-ox:x',
  'https://example.org/a\u001b[31mred',
  'ftp://example.org/x',
  'acme/app',
])('%p is no address of a source', (text) => {
  expect(sourceAddress(text)).toBeNull()
})
