import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Picture, pictureAddress, pictureType } from '../../../src/domain/pictures.ts'
import type { Product } from '../../../src/domain/records.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { createWaiting } from '../../../src/store/engines/wait.ts'
import { open } from '../../../src/store/open.ts'
import type { Records } from '../../../src/store/records/records.ts'
import type { WritableStore } from '../../../src/store/store.ts'
import { derivePictures } from '../../../src/transfer/pictures/derive.ts'
import { rewritePicture } from '../../../src/transfer/pictures/rewrite.ts'
import { png } from '../../support/pictures.ts'
import { scratch } from '../../support/scratch.ts'
import type { Seeder } from '../../support/seed.ts'
import { ENGINES, newDatabase } from '../../support/servers/server.ts'

const NOW = Date.UTC(2026, 0, 2)

describe.each(ENGINES)('on %s, a picture', (engine) => {
  let directory: ReturnType<typeof scratch>
  let store: WritableStore
  let seed: Seeder
  beforeEach(async () => {
    directory = scratch()
    const created = await newDatabase(engine, directory.path)
    seed = created.seed
    store = await open(created.database, 'write', createWaiting(), () => NOW)
    seed.product(seed.team('acme'), 'app')
  })
  afterEach(() => {
    store.close()
    seed.db.close()
    directory[Symbol.dispose]()
  })

  const write = <T>(work: (records: Records, product: Product) => Promise<T>): Promise<T> =>
    store.transaction(async (records) =>
      work(records, (await records.products.find('acme', 'app')) as Product),
    )
  const refusalOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'not refused',
      (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
    )
  const add = async (width: number, most?: number, height = 20): Promise<Picture> => {
    const rewritten = await rewritePicture('shot.png', png(width, height, height > 20 ? { noise: 1 } : {}))
    return write((records, product) => records.pictures.add(product, rewritten, NOW, most))
  }
  const createVersion = (label: string, description: string) =>
    write(async ({ versions }, product) => {
      const draft = { label, title: label, status: 'published', date: null, description } as const
      return versions.create(product, { ...draft, scheduled: false }, NOW)
    })
  const shownBy = (id: string) =>
    write(async ({ pictures }, product) =>
      (await pictures.list(product)).filter((each) => each.id === id).flatMap((each) => each.shownBy),
    )

  test('is stored once, with the bytes that its id says', async () => {
    const { id } = await add(30)
    expect((await add(30)).id).toBe(id)
    const found = await write(({ pictures }, product) => pictures.find(product, id))
    const { bytes } = await rewritePicture('shot.png', png(30, 20))
    expect(new Uint8Array(found?.bytes ?? [])).toEqual(new Uint8Array(bytes))
    expect(id).toEndWith('-30x20')
  })

  test('has what is derived from it, which a program that knows nothing of it leaves to the next', async () => {
    const [{ id }, narrow] = [await add(1_300, undefined, 60), await add(30)]
    const forms = (of: string) =>
      write(({ pictures }, product) =>
        Promise.all(
          [null, 'small' as const, 'card' as const].map((form) => pictures.bytes(product, of, form)),
        ),
      )
    const kinds = async (of: string) => (await forms(of)).map((bytes) => bytes && pictureType(bytes).slice(6))
    const made = await forms(id)
    expect(await kinds(id)).toEqual(['webp', 'webp', 'jpeg'])
    expect(await new Bun.Image(made[1] ?? '').metadata()).toMatchObject({ width: 1_080, height: 50 })
    expect(await new Bun.Image(made[2] ?? '').metadata()).toMatchObject({ width: 1_080, height: 50 })
    expect(await new Bun.Image((await forms(narrow.id))[2] ?? '').metadata()).toMatchObject({ width: 30 })
    seed.db.run('DELETE FROM derived_picture')
    expect(await kinds(id)).toEqual(['webp', 'webp', 'webp'])
    expect((await forms(id))[1]).toEqual(made[0] ?? null)
    await derivePictures(store)
    expect(await forms(id)).toEqual(made)
    await write(({ pictures }, product) => pictures.remove(product, { id }))
    expect([(await kinds(id))[1], (await kinds(narrow.id))[2]]).toEqual([null, 'jpeg'])
  })

  test('is shown by the versions whose texts name it, however they are written', async () => {
    const { id } = await add(30)
    const text = `![x](${pictureAddress(id)})`
    const one = await createVersion('1.0.0', text)
    await createVersion('2.0.0', 'Nothing.')
    expect(await shownBy(id)).toEqual(['1.0.0'])
    const change = { type: 'added', title: 'x', description: text }
    await write(async ({ versions, changes }, product) => {
      await versions.update(product, one, { description: null }, NOW)
      const two = await versions.find(product, '2.0.0')
      if (two) await changes.add(product, two, change, null)
    })
    expect(await shownBy(id)).toEqual(['2.0.0'])
    await write(async ({ versions }, product) => {
      await versions.update(product, one, { closing: text, description: null }, NOW)
      const two = await versions.find(product, '2.0.0')
      if (two) await versions.delete(product, two)
    })
    expect(await shownBy(id)).toEqual(['1.0.0'])
    expect((await store.repair()).mended).toEqual([])
    expect(await shownBy(id)).toEqual(['1.0.0'])
  })

  test('is removed only if no version shows it', async () => {
    const { id } = await add(30)
    const version = await createVersion('1.0.0', `![x](${pictureAddress(id)})`)
    const remove = () => refusalOf(write(({ pictures }, product) => pictures.remove(product, { id })))
    expect(await remove()).toBe(`Version 1.0.0 of acme/app shows ${pictureAddress(id)}.`)
    await write(({ versions }, product) => versions.update(product, version, { description: null }, NOW))
    expect(await remove()).toBe('not refused')
    expect(await write(({ pictures }, product) => pictures.list(product))).toEqual([])
  })

  test('is removed once no version has shown it for thirty days, by the clock of the worker', async () => {
    const DAY = 86_400_000
    const { id } = await add(30)
    const shown = await add(31)
    const texts = [id, shown.id].map((each) => `![x](${pictureAddress(each)})`)
    const version = await createVersion('1.0.0', texts.join(' '))
    const needs = (now: number) => write(({ pictures }) => pictures.needTidying(now))
    const tidy = async (now: number) =>
      (await write(({ pictures }) => pictures.tidy(now))).map((each) => each.id)
    const show = (...shown: string[]) =>
      write(({ versions }, product) =>
        versions.update(product, version, { description: shown.join(' ') }, NOW),
      )
    expect(await needs(NOW)).toBe(false)
    await show(...texts.slice(1))
    // However long no worker has looked.
    expect([await needs(NOW), await tidy(NOW + 40 * DAY)]).toEqual([true, []])
    await show(...texts)
    // No worker looks in between: the note ends with the commit.
    expect(await needs(NOW + 99 * DAY)).toBe(false)
    await show(...texts.slice(1))
    expect(await tidy(NOW + 100 * DAY)).toEqual([])
    expect([await needs(NOW + 129 * DAY), await tidy(NOW + 129 * DAY)]).toEqual([false, []])
    expect(await tidy(NOW + 130 * DAY)).toEqual([id])
    const left = await write(({ pictures }, product) => pictures.list(product))
    expect(left.map((each) => each.id)).toEqual([shown.id])
    expect([...(await write(({ pictures }) => pictures.usage())).values()]).toMatchObject([{ count: 1 }])
  })

  test('is refused beyond the bytes of a product, and if its bytes are not as a rewritten picture has them', async () => {
    await add(30)
    expect(await refusalOf(add(31, 10))).toStartWith('The pictures of acme/app would take')
    const put = (bytes: Uint8Array) =>
      refusalOf(write(({ pictures }, product) => pictures.add(product, { kind: 'png', bytes }, NOW)))
    const { bytes } = await rewritePicture('shot.png', png(33, 20))
    const wide = await new Bun.Image(png(3_000, 2)).webp({ lossless: true }).bytes()
    for (const wrong of [png(30, 20), Buffer.concat([bytes, Buffer.from('PK')]), bytes.subarray(0, 20), wide])
      expect(await put(wrong)).toBe('The picture is damaged.')
    expect(await put(bytes)).toBe('not refused')
  })
})
