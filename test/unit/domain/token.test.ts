import { expect, test } from 'bun:test'
import { isId, newId } from '../../../src/domain/id.ts'
import { hashToken, isToken, newToken, tokenStart } from '../../../src/domain/token.ts'

test('a token is clk_, at least 30 random characters and a checksum of 6', () => {
  const tokens = new Set(Array.from({ length: 1_000 }, newToken))
  expect(tokens.size).toBe(1_000)
  for (const token of tokens) {
    expect(token).toMatch(/^clk_[0-9A-Za-z]{38}$/)
    expect(isToken(token)).toBe(true)
  }
})

test('a token of any release is one of every other, and a checksum alone makes none', () => {
  expect(isToken(`clk_${'0'.repeat(32)}0HTqEy`)).toBe(true)
  expect(isToken(`key_${'0'.repeat(32)}0PkCtI`)).toBe(false)
})

test('a token with any one character changed, lost or doubled is no token', () => {
  const token = newToken()
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'x' ? 'y' : 'x'
    expect(isToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    expect(isToken(token.slice(0, at) + token.slice(at + 1))).toBe(false)
    expect(isToken(token.slice(0, at + 1) + token.slice(at))).toBe(false)
  }
})

test('every character of the alphabet is as likely as any other', () => {
  const counts = new Map<string, number>()
  for (let time = 0; time < 4_000; time++)
    for (const character of newToken().slice(4, 36)) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = (4_000 * 32) / 62
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.15)
})

test('a token is kept as its SHA-256, and shown by its first characters only', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(tokenStart('clk_ABCDEFGHIJ')).toBe('clk_ABCD')
})

test('ids tell their kind, never repeat, and sort by age even within a millisecond', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('ver'))
  expect(new Set(ids).size).toBe(5_000)
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) expect(isId('ver', id)).toBe(true)
  expect(isId('chg', ids[0] as string)).toBe(false)
  for (const text of [
    'ver_',
    'ver_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    'ver_0',
    'VER_01m7eds886ey3szb29hz32mj9s',
    '',
  ])
    expect(isId('ver', text)).toBe(false)
})
