import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTS } from '../../../src/sources/hosts.ts'
import { tokenFor } from '../../../src/sources/tokens.ts'
import { scratch } from '../../support/scratch.ts'

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
    expect(tokenFor({ url: `${origin}/acme/app`, tokenFile: null }, origin, ENV)).toBe(token)
  })

  test('is not for a host that another one redirects to', () => {
    const source = { url: 'https://evil.example/acme/app.git', tokenFile: null }
    expect(tokenFor(source, 'https://github.com', ENV)).toBeNull()
  })

  test('belongs to the origin that the API of its host has', () => {
    expect(new URL(HOSTS.github.api('https://github.com')).origin).toBe('https://api.github.com')
    expect(new URL(HOSTS.gitlab.api('https://gitlab.com')).origin).toBe('https://gitlab.com')
    expect(new URL(HOSTS.forgejo.api('https://codeberg.org')).origin).toBe('https://codeberg.org')
  })
})

describe('a token file', () => {
  test.each([
    ['https://git.example.org', 'https://git.example.org', 'own'],
    ['https://git.example.org', 'https://git.example.org:8443', null],
    ['https://git.example.org', 'http://git.example.org', null],
    ['https://git.example.org', 'https://evil.example', null],
    ['https://git.example.org', 'https://github.com', null],
    ['https://github.com', 'https://api.github.com', 'own'],
    ['https://www.github.com', 'https://github.com', 'own'],
    ['https://github.com', 'https://gitlab.com', null],
  ])('of a source at %s is for %s: %p', (home, origin, token) => {
    using place = scratch()
    const tokenFile = join(place.path, 'token')
    writeFileSync(tokenFile, 'own\n')
    expect(tokenFor({ url: `${home}/acme/app`, tokenFile }, origin, ENV)).toBe(token)
  })

  test.each([
    ['missing', () => {}, 'does not exist'],
    ['empty', (path: string) => writeFileSync(path, '\n'), 'is empty'],
    ['of several lines', (path: string) => writeFileSync(path, 's3cret\ns3cret'), 'more than a token'],
    ['not of ASCII', (path: string) => writeFileSync(path, 's3cretä'), 'more than a token'],
    ['a directory', (path: string) => mkdirSync(path), 'not a small file'],
    ['large', (path: string) => writeFileSync(path, 's3cret'.repeat(20_000)), 'not a small file'],
  ])('that is %s is refused without showing it', (_, create, words) => {
    using place = scratch()
    const tokenFile = join(place.path, 'token')
    create(tokenFile)
    const read = () => tokenFor({ url: 'https://github.com/acme/app', tokenFile }, 'https://github.com', ENV)
    expect(read).toThrow(words)
    expect(read).not.toThrow('s3cret')
  })
})
