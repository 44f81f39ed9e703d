import { expect, test } from 'bun:test'
import { decode } from '../../../../src/domain/text/decode.ts'

test('a text in UTF-8 is read as it is', () => {
  expect(decode(Buffer.from('Zoë\n'))).toEqual({ text: 'Zoë\n', others: [] })
})

test('only lines that are not UTF-8 are read as Windows-1252, and named', () => {
  const bytes = Buffer.concat([
    Buffer.from('Zoë\n'),
    Buffer.from('Jürgen, 10 \x80\n', 'latin1'),
    Buffer.from('né'),
  ])
  expect(decode(bytes)).toEqual({ text: 'Zoë\nJürgen, 10 €\nné', others: [2] })
})
