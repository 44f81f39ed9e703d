import { expect, test } from 'bun:test'
import { compose } from '../../../src/announce/compose.ts'
import { createLinks } from '../../../src/announce/message.ts'
import { HOOK_KINDS } from '../../../src/domain/hook-kinds.ts'
import type { Hook } from '../../../src/domain/records.ts'

const BASE = 'http://changes.example.org'
const ID = `${'ab'.repeat(16)}-1200x300`
const WHOLE = `${BASE}/changelog/acme/app/pictures/${ID}.webp`
const CARD = WHOLE.replace('.webp', '.card.jpg')

type Announcing = Parameters<typeof compose>[0]['announcing']

const product = {
  ...{ id: 'prod_1', slug: 'app', name: 'App', status: 'published', repository: null, language: null },
  ...{ subscribeUrl: null, createdAt: 0, changelog: { id: 'clog_1', name: 'App', status: 'published' } },
  team: { id: 'team_1', slug: 'acme', name: 'Acme' },
}
const version = {
  ...{ id: 'ver_1', label: '1.0.0', title: '1.0.0', status: 'published', publishedAt: 0, dateKnown: true },
  ...{ description: `See [it](pictures/${ID}.webp).\n\n![New](pictures/${ID}.webp)`, closing: null },
  ...{ changeCount: 0, prerelease: null, yanked: null, createdAt: 0, dated: true, scheduled: false },
}
const transfer = {} as Parameters<typeof compose>[0]['transfer']
const announcing = { find: async () => [{ product, version, changes: [] }] } as unknown as Announcing

const composed = async (kind: Hook['kind']) => {
  const hook = { id: 'hk_1', kind, url: 'mailto:a@example.org', team: product.team, unsubscribeUrl: null }
  const delivery = {
    type: 'version.published',
    versionIds: ['ver_1'],
    label: '1.0.0',
    body: null,
    createdAt: 0,
  }
  const message = await compose(
    { announcing, transfer },
    hook as unknown as Hook,
    delivery as unknown as Parameters<typeof compose>[2],
    [],
    createLinks(BASE, 'on'),
  )
  return message?.body
}

test('mail shows the pictures of a release by their whole address, as JPEG, no wider than its column', async () => {
  const { html, text } = JSON.parse((await composed('mail')) ?? '') as { html: string; text: string }
  expect(html).toContain(`<img src="${CARD}" alt="New" width="536" height="134"`)
  expect(html).not.toContain('"/changelog')
  expect(text).toContain(WHOLE)
})

test('no message has an address of a picture that is not whole', async () => {
  for (const kind of HOOK_KINDS.filter((each) => each !== 'websub')) {
    const body = (await composed(kind)) ?? ''
    expect([kind, body.replaceAll(WHOLE, '').replaceAll(CARD, '').includes(`pictures/${ID}`)]).toEqual([
      kind,
      false,
    ])
  }
  expect(await composed('slack')).toContain(WHOLE)
})
