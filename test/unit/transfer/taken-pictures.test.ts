import { describe, expect, test } from 'bun:test'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pictureAddress } from '../../../src/domain/pictures.ts'
import { storedPictureId } from '../../../src/domain/webp.ts'
import { parseChangelog } from '../../../src/transfer/parse-changelog.ts'
import { picturesBeside } from '../../../src/transfer/pictures/beside.ts'
import { type PicturePlace, takePictures } from '../../../src/transfer/pictures/take.ts'
import { gif, jpeg, movingPng, png, spoiledWebp } from '../../support/pictures.ts'
import { scratch } from '../../support/scratch.ts'

const SHOT = png(40, 30)

/** What a changelog becomes, and what is said about it. */
async function taken(text: string, place: PicturePlace) {
  const { parsed } = parseChangelog('CHANGELOG.md', text, 'keepachangelog')
  const pictures = await takePictures(parsed, text, place)
  const warnings = parsed.warnings.map(({ line, message }) => `${line}: ${message}`)
  return { pictures, versions: parsed.versions, warnings }
}

const placeOf = (files: Record<string, Uint8Array>, file = 'CHANGELOG.md') => {
  const asked: string[] = []
  const read = async (path: string) => {
    asked.push(path)
    return files[path] ?? 'does not exist'
  }
  return { file, read, asked }
}

describe('the pictures of a changelog', () => {
  test('are taken from beside it into each text that shows them, the same each time', async () => {
    const text = [
      '# Changelog\n\n## 2.0.0 - 2026-01-02\n\nSee ![It](img/a.png).\n\n### Added\n',
      '- **New** ![It](../docs/./img/a.png?raw=true)\n\n  ![Ref][shot] `![It](img/a.png)`\n',
      '## 1.0.0 - 2026-01-01\n\n- ![It](img/b%20c.jpg) ![Far](https://example.org/x.png) ![Root](/img/a.png)\n',
      '[shot]: img/a.png "Title"',
    ].join('\n')
    const place = placeOf(
      { 'docs/img/a.png': SHOT, 'docs/img/b c.jpg': await jpeg(20, 10) },
      'docs/CHANGELOG.md',
    )
    const { pictures, versions, warnings } = await taken(text, place)
    expect(warnings).toEqual([])
    expect(place.asked).toEqual(['docs/img/a.png', 'docs/img/a.png', 'docs/img/b c.jpg'])
    const [a = '', , b = ''] = pictures?.map(({ id }) => pictureAddress(id)) ?? []
    expect(versions).toMatchObject([
      {
        description: `See ![It](${a}).`,
        changes: [
          { title: expect.stringContaining(a), description: expect.stringContaining('`![It](img/a.png)`') },
        ],
        source: expect.stringContaining(`![Ref](${a} "Title")`),
      },
      { changes: [{ title: `![It](${b}) ![Far](https://example.org/x.png) ![Root](/img/a.png)` }] },
    ])
    expect((await taken(text, place)).pictures).toEqual(pictures)
  })

  test('keep their address if they are missing, refused or elsewhere, and a warning names each with its line', async () => {
    const text =
      '# Changelog\n\n## 1.0.0 - 2026-01-01\n\n- ![A](no.png)\n- ![B](../up.png)\n- ![C](moving.gif)\n- ![D](a.svg)\n- ![A](no.png)\n'
    const place = placeOf({ 'moving.gif': movingPng(), 'a.svg': Buffer.from('<svg/>'), '../up.png': SHOT })
    const { pictures, versions, warnings } = await taken(text, place)
    expect(pictures).toEqual([])
    expect(warnings).toEqual([
      '5: the picture no.png does not exist',
      '6: the picture ../up.png is outside the repository or folder of the text',
      '7: the picture moving.gif is animated, and of animations only GIF is taken',
      '8: the picture a.svg is no picture of a kind that is taken: PNG, JPEG, WebP or GIF',
    ])
    expect(place.asked).not.toContain('../up.png')
    expect(versions[0]?.changes.map(({ title }) => title)).toEqual(
      ['no.png', '../up.png', 'moving.gif', 'a.svg', 'no.png'].map(
        (address, at) => `![${'ABCDA'[at]}](${address})`,
      ),
    )
    expect(
      (await taken('## 1.0.0 - 2026-01-01\n\n- ![A](https://example.org/a.png)\n', place)).pictures,
    ).toEqual([])
  })

  test('are 200 at most, and the others are left where they are', async () => {
    const list = Array.from({ length: 203 }, (_, at) => `- ![A](${at}.gif)`).join('\n')
    const place = placeOf(Object.fromEntries(Array.from({ length: 203 }, (_, at) => [`${at}.gif`, gif(1)])))
    const { pictures, warnings } = await taken(`## 1.0.0 - 2026-01-01\n\n${list}\n`, place)
    expect([pictures?.length, warnings.length, place.asked.length]).toEqual([200, 1, 200])
    const heavy = Buffer.alloc(60_000_000)
    const two = placeOf({ 'a.png': heavy, 'b.png': heavy, 'c.png': SHOT })
    const { warnings: said } = await taken(
      '## 1.0.0 - 2026-01-01\n\n- ![](a.png) ![](b.png) ![](c.png)\n',
      two,
    )
    expect(said.filter((line) => line.includes('100 MB'))).toHaveLength(1)
    expect(two.asked).toEqual(['a.png', 'b.png'])
  })

  test('are kept as they are beside a text that was exported with them', async () => {
    const first = await taken(
      '## 1.0.0 - 2026-01-01\n\n- ![A](a.jpg)\n',
      placeOf({ 'a.jpg': await jpeg(40, 30) }),
    )
    const [picture] = first.pictures ?? []
    const address = pictureAddress(picture?.id ?? '')
    const text = `## 1.0.0 - 2026-01-01\n\n- ![A](${address})\n`
    const again = await taken(text, placeOf({ [address]: picture?.bytes ?? SHOT }))
    expect(again.pictures?.map(({ id, bytes }) => ({ id, bytes }))).toEqual([
      { id: picture?.id ?? '', bytes: picture?.bytes ?? SHOT },
    ])
    const spoiled = spoiledWebp(picture?.bytes ?? SHOT)
    const named = pictureAddress(storedPictureId(spoiled) ?? '')
    const refused = await taken(`## 1.0.0 - 2026-01-01\n\n- ![A](${named})\n`, placeOf({ [named]: spoiled }))
    expect(refused).toMatchObject({ pictures: [], warnings: [`3: the picture ${named} is damaged`] })
    // The product may have it already.
    expect(await taken(text, placeOf({}))).toMatchObject({ pictures: [], warnings: [] })
  })
})

test('pictures of this machine are files of the folder or the repository around it, and no links', async () => {
  using place = scratch()
  const at = (path: string) => join(place.path, path)
  for (const folder of ['app/docs', 'app/.git', 'other/docs']) mkdirSync(at(folder), { recursive: true })
  for (const file of ['app/top.png', 'app/docs/a.png', 'outside.png', 'other/top.png', 'x.db'])
    writeFileSync(at(file), SHOT)
  symlinkSync(at('outside.png'), at('app/link.png'))
  symlinkSync(at('app/docs'), at('app/linked'))
  linkSync(at('x.db'), at('app/hard.png'))
  writeFileSync(at('app/large.png'), Buffer.alloc(10_000_001))
  const inRepository = picturesBeside(at('app/docs/CHANGELOG.md'), at('x.db'))
  expect(inRepository.file).toBe('docs/CHANGELOG.md')
  const read = async (path: string) => {
    const result = await inRepository.read(path)
    return typeof result === 'string' ? result : result.length
  }
  expect(await read('docs/a.png')).toBe(SHOT.length)
  expect(await read('top.png')).toBe(SHOT.length)
  expect(await read('link.png')).toBe('is a link, which is not followed')
  expect(await read('linked/a.png')).toBe('is a link, which is not followed')
  for (const none of ['no.png', 'docs', 'docs/a.png/x', 'hard.png'])
    expect(await read(none)).toBe('does not exist')
  expect(await read('large.png')).toBe('has more than 10 MB')
  const inFolder = picturesBeside(at('other/docs/CHANGELOG.md'), at('x.db'))
  expect(inFolder.file).toBe('CHANGELOG.md')
  const text = '## 1.0.0 - 2026-01-01\n\n- ![A](../top.png)\n'
  expect(await taken(text, inFolder)).toMatchObject({
    warnings: ['3: the picture ../top.png is outside the repository or folder of the text'],
  })
})
