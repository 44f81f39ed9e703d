import { html, type Markup } from '../../notes/html/markup.ts'
import { isSameStamp } from '../../transfer/stamp.ts'
import { fillText } from '../../words/languages.ts'
import { differingPart, type Pair, pairLines } from '../editing/diff.ts'
import { type Draft, FACTS, type OpenedText, openedField, type WrittenText } from '../editing/text.ts'
import { deskPage, hidden, tokenField, topLine } from '../layout.ts'
import { moment } from '../moments.ts'
import { type Desk, type Named, productHref, type Sent, versionHref } from '../visit.ts'

/** Same lines around those that differ; longer runs are folded. */
const NEAR = 2

/** Somebody changed the version meanwhile: both texts, and three ways on. Nothing is saved before the choice. */
export async function conflictPage(
  visit: Sent,
  names: Named,
  { product, before }: Draft,
  mine: WrittenText,
): Promise<Response> {
  const { desk } = visit
  const { words } = desk
  const { version: id, ...name } = names
  const theirs: WrittenText = before ?? mine
  const own = versionHref(desk, name, id)
  const kept = html`${tokenField(visit)}${hidden('was', visit.form.text('opened'))}${hidden('opened', openedField(before))}${hidden('label', mine.label)}${hidden('title', mine.title)}${hidden('date', mine.day)}<textarea name="text" hidden>
${mine.text}</textarea>`
  return deskPage(desk, {
    title: `${product.name} ${theirs.label}`,
    form: 'two',
    status: 409,
    body: html`<header>
${topLine(visit, { name: product.name, href: productHref(desk, name) }, { name: theirs.label, href: null })}<form class="head" method="post" action="${own}/together" enctype="multipart/form-data">
${kept}<div><h1>${fillText(words.conflict.title, { label: theirs.label })}</h1><p class="summary">${words.conflict.nothing}</p></div>
<div class="tools"><button type="submit" class="button main">${words.conflict.both}</button></div>
</form>
</header>
<main>
<form class="diff" method="post" action="${own}" enctype="multipart/form-data">
${kept}<div class="pair">
<header><h2>${words.conflict.mine} <small>${words.conflict.here}</small></h2><button type="submit" class="button" name="keep" value="mine">${words.conflict.keepMine}</button></header>
<header><h2>${words.conflict.theirs} <small dir="auto">${await writtenBy(desk, before)}</small></h2><button type="submit" class="button" name="keep" value="theirs">${words.conflict.takeTheirs}</button></header>
</div>
${differences(desk, mine, theirs)}</form>
</main>`,
  })
}

/** Who saved a text last, and when. */
export const writtenBy = async (desk: Desk, text: OpenedText | null): Promise<string> =>
  (await knownWriter(desk, text)) ?? desk.words.conflict.somebody

/** The same; null if nobody says it. */
export async function knownWriter(desk: Desk, text: OpenedText | null): Promise<string | null> {
  const writer = text && (await desk.bookkeeping.writers.find([text.version.id])).get(text.version.id)
  return writer && isSameStamp(writer.state, text.opened.stamp)
    ? fillText(desk.words.product.written, { name: writer.name, time: moment(desk, writer.at) })
    : null
}

/** What stands beside two texts, and their lines. */
export const differences = ({ words, language }: Desk, mine: WrittenText, theirs: WrittenText): Markup[] => [
  ...FACTS.map((fact) => factPair(words.edit[fact === 'day' ? 'date' : fact], mine[fact], theirs[fact])),
  ...folded(pairLines(mine.text, theirs.text)).map((part) =>
    typeof part === 'number'
      ? html`<p class="same">${language.counted(words.conflict.same, part)}</p>\n`
      : linePair(part),
  ),
]

const factPair = (name: string, mine: string, theirs: string): Markup =>
  mine === '' && theirs === ''
    ? html``
    : html`<div class="pair fact"><p${mine === theirs ? null : html` class="mine"`}><span>${name}</span><b dir="auto">${marked(mine, theirs)}</b></p><p${mine === theirs ? null : html` class="theirs"`}><span>${name}</span><b dir="auto">${marked(theirs, mine)}</b></p></div>\n`

const linePair = ([mine, theirs]: Pair): Markup =>
  mine === theirs
    ? html`<div class="pair"><p dir="auto">${mine}</p><p dir="auto">${theirs}</p></div>\n`
    : html`<div class="pair">${side('mine', mine, theirs)}${side('theirs', theirs, mine)}</div>\n`

const side = (name: 'mine' | 'theirs', line: string | null, other: string | null): Markup =>
  line === null
    ? html`<p class="none"></p>`
    : html`<p class="${name}" dir="auto">${other === null ? line : marked(line, other)}</p>`

function marked(line: string, other: string): Markup {
  const [start, part, end] = differingPart(line, other)
  return html`${start}${part && html`<ins>${part}</ins>`}${end}`
}

/** Runs of same lines that are far from those that differ become their number. */
function folded(pairs: readonly Pair[]): (Pair | number)[] {
  const differs = pairs.map(([mine, theirs]) => mine !== theirs)
  const isNear = (at: number) => differs.slice(Math.max(0, at - NEAR), at + NEAR + 1).includes(true)
  const parts: (Pair | number)[] = []
  for (const [at, pair] of pairs.entries()) {
    const last = parts.at(-1)
    if (isNear(at)) parts.push(pair)
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1
    else parts.push(1)
  }
  return parts
}
