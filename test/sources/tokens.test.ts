import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTS } from '../../src/sources/hosts.ts'
import { tokenFor } from '../../src/sources/tokens.ts'
import { scratch } from '../support/scratch.ts'

const ENV = { GITHUB_TOKEN: 'gh', GITLAB_TOKEN: 'gl', FORGEJO_TOKEN: 'fj' }

describe('a token of the environment', () => {
  test.each([
    ['https://api.github.com', 'gh'],
    ['https://github.com', 'gh'],
    ['https://gitlab.com', 'gl'],
    ['https://codeberg.org', 'fj'],
    ['http://github.com', null],
    ['https://github.com:8443', null],
    ['https://github.com.evil.example', null],
    ['https://raw.githubusercontent.com', null],
    ['https://gitlab.example.org', null],
    ['https://127.0.0.1', null],
  ])('for %s is %p', (origin, token) => {
    expect(tokenFor({ tokenFile: null }, origin, ENV)).toBe(token)
  })

  test('belongs to the origin that the API of its host has', () => {
    expect(new URL(HOSTS.github.api('https://github.com')).origin).toBe('https://api.github.com')
    expect(new URL(HOSTS.gitlab.api('https://gitlab.com')).origin).toBe('https://gitlab.com')
    expect(new URL(HOSTS.forgejo.api('https://codeberg.org')).origin).toBe('https://codeberg.org')
  })
})

describe('a token file', () => {
  test('of a source takes precedence, at any origin', () => {
    using place = scratch()
    const tokenFile = join(place.path, 'token')
    writeFileSync(tokenFile, 'own\n')
    for (const origin of ['https://api.github.com', 'https://git.example.org'])
      expect(tokenFor({ tokenFile }, origin, ENV)).toBe('own')
  })

  test.each([
    ['missing', () => {}, 'does not exist'],
    ['empty', (path: string) => writeFileSync(path, '\n'), 'is empty'],
    ['of several lines', (path: string) => writeFileSync(path, 's3cret\ns3cret'), 'something else'],
    ['not of ASCII', (path: string) => writeFileSync(path, 's3cretä'), 'something else'],
    ['a directory', (path: string) => mkdirSync(path), 'not a small file'],
    ['large', (path: string) => writeFileSync(path, 's3cret'.repeat(20_000)), 'not a small file'],
  ])('that is %s is refused without showing it', (_, create, words) => {
    using place = scratch()
    const tokenFile = join(place.path, 'token')
    create(tokenFile)
    const read = () => tokenFor({ tokenFile }, 'https://github.com', ENV)
    expect(read).toThrow(words)
    expect(read).not.toThrow('s3cret')
  })
})
