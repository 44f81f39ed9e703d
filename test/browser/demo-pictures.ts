/** `bun test/browser/demo-pictures.ts` draws the pictures of the demo's product changelog: src/cli/commands/operations/meridian-*.webp. */
import { join } from 'node:path'
import { pictureAddress, pictureId } from '../../src/domain/pictures.ts'
import { removeLeftovers } from '../support/leftovers.ts'
import { openPage } from '../support/pages/browser.ts'

const directory = join(import.meta.dir, '../../src/cli/commands/operations')

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 8, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${more}/>`
const dot = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
const words = (x: number, y: number, text: string, size: number, fill: string, weight = 400) =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${text}</text>`

const BRAND = '#5b5bd6'
const PEOPLE: readonly [string, string, string][] = [
  ['Ana Kovač', 'Owner', '#e5484d'],
  ['Jonas Lind', 'Can edit', '#0090ff'],
  ['Rosa Serrano', 'Guest', '#30a46c'],
]

function board(): string {
  const lists = ['To do', 'In progress', 'Done'].map((name, column) => {
    const x = 300 + column * 290
    const cards = Array.from({ length: 3 - column }, (_, at) => {
      const y = 160 + at * 128
      return `${rect(x, y, 262, 108, '#fff', 10, 'stroke="#e4e7ec"')}${rect(x + 18, y + 22, 190 - at * 34, 12, '#c9d0dc', 6)}
        ${rect(x + 18, y + 66, 64, 22, ['#e4e4fb', '#ddf3e4', '#ffe8d7'][(at + column) % 3] ?? '', 6)}${dot(x + 234, y + 78, 13, PEOPLE[(at + column) % 3]?.[2] ?? '')}`
    })
    return words(x, 132, name, 19, '#16181d', 700) + cards.join('')
  })
  const rows = PEOPLE.map(([name, role, color], at) => {
    const y = 330 + at * 58
    return `${dot(776, y, 18, color)}${words(808, y + 6, name, 18, '#16181d', 600)}${words(1010, y + 6, role, 17, '#575e6b')}`
  })
  const places = [BRAND, '#e5484d', '#ffb224', '#0090ff'].map(
    (color, at) =>
      dot(44, 150 + at * 52, 8, color) + rect(66, 144 + at * 52, 120 - at * 14, 12, '#c4cad6', 6),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" font-family="DejaVu Sans">
    ${rect(0, 0, 1200, 600, '#fff', 0)}${rect(0, 0, 260, 600, '#f3f5f8', 0)}${rect(32, 32, 30, 30, BRAND)}${words(76, 54, 'Meridian', 21, '#16181d', 700)}${places.join('')}
    ${words(300, 64, 'Launch plan', 26, '#16181d', 700)}${rect(1060, 34, 108, 40, BRAND)}${words(1088, 60, 'Share', 18, '#fff', 600)}${lists.join('')}
    ${rect(740, 96, 428, 410, '#fff', 14, 'stroke="#cfd4dc" stroke-width="2"')}${words(764, 142, 'Share “Launch plan”', 22, '#16181d', 700)}
    ${rect(764, 172, 270, 48, '#fff', 8, `stroke="${BRAND}" stroke-width="2"`)}${words(782, 203, 'rosa@fieldnote.example', 17, '#16181d')}
    ${rect(1048, 172, 96, 48, BRAND)}${words(1072, 202, 'Invite', 18, '#fff', 600)}${words(764, 262, 'Guests see this board and nothing else.', 16, '#575e6b')}${rows.join('')}
  </svg>`
}

function timeline(): string {
  const bars: readonly [string, number, number, string, string][] = [
    ['Landing page', 60, 330, '#2b2b5e', '#8b8bf0'],
    ['Product tour', 190, 420, '#4d1a20', '#ff8589'],
    ['Partner briefing', 420, 350, '#0d3a5c', '#70b8ff'],
    ['Press week', 600, 290, '#4a3207', '#ffca16'],
    ['New icons', 520, 470, '#133d2c', '#5fd2a1'],
    ['Support training', 790, 340, '#2b2b5e', '#8b8bf0'],
  ]
  const months = ['October', 'November', 'December'].map((name, at) =>
    words(60 + at * 380, 128, name, 19, '#9aa2af', 600),
  )
  const drawn = bars.map(([name, x, width, fill, edge], at) => {
    const y = 170 + at * 68
    return (
      rect(x, y, width, 46, fill) +
      rect(x, y, 6, 46, edge, 3) +
      words(x + 26, y + 30, name, 18, '#e8eaee', 600)
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="620" font-family="DejaVu Sans">
    ${rect(0, 0, 1200, 620, '#0f1115', 0)}${words(60, 66, 'Timeline', 28, '#e8eaee', 700)}${months.join('')}
    ${rect(0, 148, 1200, 1, '#272c36', 0)}${drawn.join('')}${rect(694, 112, 3, 508, '#ff6369', 0)}${rect(656, 96, 80, 30, '#e5484d')}${words(670, 117, 'Today', 17, '#fff', 700)}
  </svg>`
}

function inbox(): string {
  const texts = ['mentioned you', 'asked for a review', 'commented', 'assigned you', 'closed a board']
  const rows = texts.map((text, at) => {
    const [name = '', , color = ''] = PEOPLE[at % 3] ?? []
    const y = 270 + at * 104
    return `${dot(66, y, 28, color)}${words(112, y - 4, name, 21, '#16181d', 700)}${words(112, y + 26, text, 19, '#575e6b')}${at < 3 ? dot(440, y, 7, BRAND) : ''}${rect(36, y + 51, 416, 1, '#e4e7ec', 0)}`
  })
  const pills = ['All', 'Mentions', 'Reviews'].map((name, at) => {
    const x = [36, 104, 230][at] ?? 0
    return (
      rect(x, 158, [56, 114, 106][at] ?? 0, 42, at === 0 ? '#16181d' : '#f3f5f8', 21) +
      words(x + 14, 185, name, 18, at === 0 ? '#fff' : '#16181d', 600)
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="488" height="860" font-family="DejaVu Sans">
    ${rect(0, 0, 488, 860, '#fff', 0)}${words(36, 54, '9:41', 20, '#16181d', 700)}${rect(410, 38, 42, 20, '#16181d', 6)}${words(36, 124, 'Inbox', 36, '#16181d', 700)}${pills.join('')}${rows.join('')}
    ${rect(0, 776, 488, 1, '#e4e7ec', 0)}${dot(100, 812, 12, '#c4cad6')}${dot(244, 812, 12, BRAND)}${dot(388, 812, 12, '#c4cad6')}
  </svg>`
}

const PICTURES = { board: board(), timeline: timeline(), inbox: inbox() }

try {
  for (const [name, svg] of Object.entries(PICTURES)) {
    const [, width, height] = (/width="(\d+)" height="(\d+)"/.exec(svg) ?? []).map(Number)
    if (!width || !height) throw new Error(`${name} has no sides`)
    await using browser = await openPage({ width, height, isDrawn: true })
    await browser.page.setContent(`<body style="margin:0">${svg}`)
    const png = await browser.page.screenshot({ type: 'png', clip: { x: 0, y: 0, width, height } })
    const bytes = new Uint8Array(await new Bun.Image(png).webp({ lossless: true }).bytes())
    await Bun.write(join(directory, `meridian-${name}.webp`), bytes)
    console.log(`${name} ${bytes.length} ${pictureAddress(pictureId(bytes, { width, height }))}`)
  }
} finally {
  removeLeftovers()
}

process.exit()
