import { expect, test } from 'bun:test'
import { withAddresses } from '../../../../src/formats/markdown/pictures.ts'

const seen = (text: string): string[] => {
  const found: string[] = []
  withAddresses(text, (address) => void found.push(address))
  return found
}

test('a text gets other addresses of the pictures that it shows, however they are written, and is else the same', () => {
  const text = [
    '![One](./one.png) and [a link](./one.png), ![Two](<my two.png> "Title")',
    '',
    "- **![Three](three.png 'x')** and [![Four](a/four.png)](https://example.org)",
    '  > ![Five](five(1).png)',
    '',
    '<p align="center"><img width="9" src="./six.png" alt="Six"><img src=\'7.png?raw=true&amp;x\'></p>',
    '',
    '| ![Eight](8.png) | ![Nine\\](x)](9\\_9.png) |',
    '|---|---|',
  ].join('\n')
  const all = ['./one.png', 'my two.png', 'three.png', 'a/four.png', 'five(1).png', './six.png']
  expect(seen(text)).toEqual([...all, '7.png?raw=true&x', '8.png', '9_9.png'])
  expect(withAddresses(text, () => undefined)).toBe(text)
  expect(withAddresses(text, (address) => (/one|two|six|7/.test(address) ? 'new' : undefined))).toBe(
    text
      .replace('![One](./one.png)', '![One](new)')
      .replace('<my two.png>', 'new')
      .replace('"./six.png"', '"new"')
      .replace("'7.png?raw=true&amp;x'", "'new'"),
  )
})

test('code and comments show no picture', () => {
  for (const text of [
    '`![One](one.png)`',
    '```md\n![One](one.png)\n```',
    '    ![One](one.png)',
    '- item\n\n  ~~~\n  <img src="one.png">\n  ~~~',
    '<!-- ![One](one.png) <img src="one.png"> -->',
    '\\![One](one.png)',
    '[One](one.png)',
  ])
    expect([text, seen(text)]).toEqual([text, []])
})

test('a text that repeats one mark is read in a time that grows with its length alone', () => {
  const least = (text: string) => {
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage().user
      seen(text)
      return process.cpuUsage().user - start
    })
    return Math.min(...times)
  }
  // Four times as long; a quadratic step takes sixteen times.
  for (const mark of ['![', '![](', '![](x "', '<img ', '<img src=', '![a](b) ', '![](<', '<img src="x" '])
    expect([mark, least(mark.repeat(40_000)) < 20_000 + 10 * least(mark.repeat(10_000))]).toEqual([
      mark,
      true,
    ])
})
