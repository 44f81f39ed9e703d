import { expect, test } from 'bun:test'
import { bothTexts, differingPart, pairLines } from '../../../../src/desk/editing/diff.ts'

test('same lines stand side by side, and what is only in one has nothing beside it', () => {
  expect(pairLines('a\nb\nc\nd', 'a\nx\nc\ny\nz\nd')).toEqual([
    ['a', 'a'],
    ['b', 'x'],
    ['c', 'c'],
    [null, 'y'],
    [null, 'z'],
    ['d', 'd'],
  ])
})

test('both texts together have every line of each, the same ones once', () => {
  expect(bothTexts('a\nmine\nc', 'a\ntheirs\nmore\nc')).toBe('a\ntheirs\nmine\nmore\nc')
})

test('a line differs by whole words', () => {
  expect(differingPart('Blue-green by default', 'Blue-green deploys')).toEqual([
    'Blue-green ',
    'by default',
    '',
  ])
  expect(differingPart('same', 'same')).toEqual(['same', '', ''])
})

test('texts that have nothing in common are compared, however long they are', () => {
  expect(pairLines('x\n'.repeat(300_000), 'y\n'.repeat(400_000))).toHaveLength(400_001)
})
