import { ACTS } from '../../acts/acts.ts'
import { publicBase, withoutScheme } from '../../domain/addresses/paths.ts'
import { Refused, said } from '../../domain/reasons.ts'
import { LIMITS } from '../../domain/records.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { isSlug } from '../../domain/slug.ts'
import { html } from '../../notes/html/markup.ts'
import type { Records } from '../../store/records/records.ts'
import { deskPage, refusal, tokenField, topLine } from '../layout.ts'
import { performing } from '../perform.ts'
import { seeOther } from '../respond.ts'
import { mayWrite, type Sent, type Visit, versionHref } from '../visit.ts'
import { refusalText } from './refused.ts'

interface Fields {
  team: string
  name: string
  slug: string
}

/** The first product: written here, or followed. */
export const startPage = (visit: Visit): Promise<Response> =>
  shown(visit, { team: '', name: '', slug: '' }, null)

/** Creates a product, and its team if it is missing, and leads on to its first release. */
export async function startProduct(visit: Sent): Promise<Response> {
  const { desk, form } = visit
  const fields = {
    team: form.text('team').trim(),
    name: form.text('name').trim(),
    slug: form.text('slug').trim(),
  }
  try {
    const { product } = await performing(visit, ACTS.createProduct, async (run, { records }) => {
      const slug = slugOf(fields.slug || fields.name)
      const of = { team: await teamSlug(visit, records, fields.team), product: slug }
      return run(of, { name: fields.name || slug, status: 'draft' }, { name: fields.team })
    })
    const name = { team: product.team.slug, product: product.slug }
    return seeOther(versionHref(desk, name, 'new'))
  } catch (error) {
    if (isRefusal(error)) return shown(visit, fields, refusalText(desk, error), 422)
    throw error
  }
}

/** Of a team by its name or address, or of a new one. */
async function teamSlug(visit: Visit, { teams }: Records, name: string): Promise<string> {
  const own = (await teams.list()).filter((team) => mayWrite(visit, team.slug))
  const slug = own.find((team) => team.name === name)?.slug ?? slugOf(name)
  if (mayWrite(visit, slug)) return slug
  const { desk, writer } = visit
  throw said(desk.words.start.otherTeam.replace('{teams}', [...(writer.teams ?? [])].join(', ')))
}

/** `Ferry CLI` → `ferry-cli` */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (!isSlug(slug)) throw new Refused('notSlug', { name: JSON.stringify(name), most: LIMITS.slug })
  return slug
}

async function shown(visit: Visit, fields: Fields, message: string | null, status = 200): Promise<Response> {
  const { desk } = visit
  const { words, config } = desk
  const teams = await desk.read((records) => records.teams.list())
  const known = teams.filter(({ slug }) => mayWrite(visit, slug)).map(({ name }) => name)
  const names = known.length > 0 ? known : [...(visit.writer.teams ?? [])]
  const place = withoutScheme(publicBase(config))
  return deskPage(desk, {
    title: words.start.title,
    status,
    body: html`<header>
${topLine(visit)}<h1>${names.length > 0 && teams.length > 0 ? words.home.newProduct : words.start.title}</h1>
</header>
<main>
<div class="ways">
<section class="way">
<h2>${words.start.write}</h2>
<p>${words.start.writeAbout}</p>
${refusal(message === null ? null : html`${message}`)}<form class="fields" method="post" action="${desk.base}/start">
${tokenField(visit)}
<label class="field">${words.start.team} <input type="text" class="input" name="team" value="${fields.team || (names[0] ?? '')}" list="teams" maxlength="200" required></label>
<datalist id="teams">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
<label class="field">${words.start.product} <input type="text" class="input" name="name" value="${fields.name}" maxlength="200" required></label>
<label class="field">${words.start.address} <small>${place}/changelog/…</small> <input type="text" class="input" name="slug" value="${fields.slug}" pattern="[a-z0-9]+(-[a-z0-9]+)*" title="${words.start.format}" maxlength="64" placeholder="${words.start.fromName}"></label>
<div><button type="submit" class="button main">${words.start.button}</button></div>
</form>
</section>
<section class="way">
<h2>${words.start.follow}</h2>
<p>${words.start.followAbout}</p>
<pre class="command"><code>changelogd team create acme \\
  --name Acme \\
  --visibility public
changelogd follow acme/app \\
  https://github.com/acme/app \\
  --create --publish</code></pre>
<p class="quiet">${words.start.followWhere}</p>
<button class="button script" type="button" data-copy>${words.start.copy}</button>
</section>
</div>
</main>`,
  })
}
