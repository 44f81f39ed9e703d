import { openPage } from '../../../../test/support/pages/browser.ts'
import { FIND_FOREIGN, PLACED, randomText } from '../../../../test/support/pages/hostile-html.ts'
import { Random } from '../../../../test/support/random.ts'
import { type Case, Tally } from '../../support/case.ts'
import { Place } from '../../support/place.ts'

const TEXTS = 20_000
const RELEASES_PER_PAGE = 20
const CHANGES = 5
/** The description of a release, and of each change its title and description. */
const TEXTS_PER_RELEASE = 1 + 2 * CHANGES

/** Everything on a page that authors wrote as markdown, and what the page itself puts in front of a change. */
const WRITTEN = '.text, .changes > li'
const OWN = '.changes > li > a.point:first-child, .changes > li > a.point + bdi.badge'

export default {
  name: 'authored-html',
  how: `Releases have ${TEXTS} texts made by chance of tags, attributes, markdown and known ways to run a script, and those ways in every place. Chromium opens their pages, with the policy of the pages and without it, and looks for elements and attributes that no text may become, also after it has written and parsed them anew.`,
  async run({ of }) {
    const tally = new Tally(
      'HTML of authors runs nothing and becomes nothing but known elements, with and without the policy',
    )
    const seed = Date.now() >>> 0
    const random = new Random(seed)
    const count = of(TEXTS, 1_000)
    const texts = [...PLACED, ...Array.from({ length: count }, () => randomText(random))]
    await using place = new Place()
    let releases = 0
    place.fill((rows) => {
      const { changelogId } = rows.product(rows.team('acme'), 'app')
      for (let at = 0; at < texts.length; at += TEXTS_PER_RELEASE) {
        const [description = '', ...rest] = texts.slice(at, at + TEXTS_PER_RELEASE)
        const changes = Array.from({ length: Math.floor(rest.length / 2) }, (_, n) => ({
          type: 'added',
          title: (rest[2 * n] as string).replace(/\s+/g, ' ').slice(0, 300),
          description: rest[2 * n + 1] as string,
        }))
        rows.version(changelogId, `1.${releases}`, { publishedAt: ++releases, description, changes })
      }
    })
    const server = await place.serve()
    for (const bypassPolicy of [false, true]) {
      await using browser = await openPage({ bypassPolicy })
      let next: unknown = '/changelog/acme/app'
      for (let pages = 0; typeof next === 'string' && pages <= releases / RELEASES_PER_PAGE + 1; pages++) {
        await browser.open(`http://127.0.0.1:${server.port}${next}`)
        next = await browser.page.evaluate(`document.querySelector('.older')?.getAttribute('href')`)
        const found = (await browser.page.evaluate(
          `document.querySelectorAll('${OWN}').forEach((link) => link.remove());
          [...document.querySelectorAll('${WRITTEN}')].flatMap(${FIND_FOREIGN})`,
        )) as string[]
        const harm = [...found, ...browser.complaints.splice(0)]
        tally.count(harm.length === 0, () => `seed ${seed}: ${harm[0]}`)
      }
      tally.count(
        browser.foreign.every((url) => url.startsWith('https://')),
        () => `${browser.foreign.find((url) => !url.startsWith('https://'))} was loaded`,
      )
    }
    return [tally.row(`${texts.length} texts on ${Math.ceil(releases / RELEASES_PER_PAGE)} pages`)]
  },
} satisfies Case
