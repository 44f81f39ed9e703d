import { expect, test } from 'bun:test'
import { nearest } from '../../../../src/domain/text/nearest.ts'

test('a name is suggested only if it is similar', () => {
  expect(nearest('amce', ['acme', 'hooli'])).toBe('acme')
  expect(nearest('ap', ['app'])).toBe('app')
  expect(nearest('1.2.O', ['1.1.0', '1.2.0'])).toBe('1.2.0')
  for (const word of ['x', 'xyz', 'quite-another-one']) expect(nearest(word, ['acme', 'app'])).toBeNull()
})
