import type { Acting } from '../../../acts/acting.ts'
import { ACTS } from '../../../acts/acts.ts'
import { LATEST } from '../../../domain/addresses/paths.ts'
import { pick } from '../../../domain/objects.ts'
import { address, type Product, type ProductName, UNRELEASED } from '../../../domain/records.ts'
import { type Hint, Refusal, toRun } from '../../../domain/refusal.ts'
import { checkNewLabel, checkUnlocked } from '../../../domain/rules.ts'
import { dayIn } from '../../../domain/time/date-forms.ts'
import { storedStatus } from '../../../domain/time/schedule.ts'
import { spelledOut } from '../../../domain/time/time.ts'
import { hasNumber } from '../../../domain/versions/names.ts'
import type { Records } from '../../../store/records/records.ts'
import { findShown, refuseMissingProduct } from '../../../transfer/find.ts'
import { labelOrTitle, newLabel } from '../../../transfer/new-label.ts'
import { openNew, openStored } from '../../../transfer/opened-version.ts'
import type { Saved } from '../../../transfer/save-version.ts'
import type { Edited } from '../../../transfer/section.ts'
import { isSameStamp } from '../../../transfer/stamp.ts'
import { productArgument, shownArgument } from '../../arguments/arguments.ts'
import { writingCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { actor, type Outcome, print, withStore } from '../../session.ts'
import { databaseFrom, picturesMaxFrom } from '../../settings.ts'
import { chooseEditor } from '../../terminal/editor.ts'
import { versionJson } from '../../terminal/json.ts'
import { ahead } from '../../terminal/moments.ts'
import { newTeamNotes } from '../../terminal/records.ts'
import { type Message, plain } from '../../terminal/text.ts'
import { newTypeNotes } from '../change/type.ts'
import { detailsOf } from '../import/report.ts'
import { editUntilSaved } from './editing.ts'
import { takeEdited } from './pictures.ts'

export const editCommand = (context: Context) =>
  writingCommand(
    context,
    'edit',
    'write a version in your editor',
    [
      'changelogd edit acme/app 0.2.0',
      'changelogd edit acme/app --title "Guests on every board"',
      'changelogd edit acme/new --create',
    ],
    DETAILS,
  )
    .addArgument(productArgument())
    .addArgument(shownArgument().argOptional())
    .option('--title <text>', 'begin a version with this title; its label is made from it')
    .option('--create', 'create the product and its team if they do not exist')
    .action(async (name, label, { create, title, ...options }) => {
      // Settings that cannot be read are refused before an editor is asked for.
      databaseFrom(context, options.db)
      const editor = chooseEditor(context)
      const use = { ...options, creates: create === true, begin: howToCreate(name) }
      const open = (records: Records) => openVersion(records, name, { label, title }, create)
      const opened = await withStore(context, use, (store) => store.snapshot(open))
      // The database is not open during editing, which may take hours.
      const picturesMaxBytes = picturesMaxFrom(context)
      const result = await editUntilSaved(context, editor, opened, async (read, text) => {
        const { pictures, ...edited } = await takeEdited(context, read, text, opened.stored?.section)
        return withStore(context, use, (store) =>
          store.transaction(async (records) => {
            if (!isSameStamp(opened.stamp, (await open(records)).stamp)) throw changed(opened)
            const by = actor(context, records)
            const found = await ACTS.findOrCreate.run(by, name, create)
            for (const each of pictures)
              await records.pictures.add(found.product, each, by.now, picturesMaxBytes)
            return save(by, found, opened, edited, context)
          }),
        )
      })
      await print(context, options, typeof result === 'string' ? unchanged(result) : result)
    })

const howToCreate = ({ team, product }: ProductName): Hint =>
  toRun('To create the product too', 'edit', [`${team}/${product}`], { create: true })

const DETAILS = `Without a version, edits the Unreleased draft. A version
that does not exist is created as a draft. The editor is
VISUAL, EDITOR, vi or nano. A picture of this machine, such
as ![New search](./shot.png), is added to the changelog.

`

const WHAT = { draft: 'Draft', scheduled: 'Scheduled version', published: 'Published version' }

type OpenedProduct = Awaited<ReturnType<typeof openVersion>>

/** The product and the stored version are null if they do not exist yet. */
async function openVersion(
  records: Records,
  name: ProductName,
  given: { label: string | undefined; title: string | undefined },
  create?: true,
) {
  const product = await records.products.find(name.team, name.product)
  const { title } = given
  const label =
    title === undefined ? (given.label ?? UNRELEASED) : await labelOrTitle(records, product, given)
  if (!product && !create) await refuseMissingProduct(records, name, howToCreate(name))
  if (product) checkUnlocked(product)
  const isLatest = product && label === LATEST
  const version = isLatest
    ? (await findShown(records, name, label)).version
    : product && (await records.versions.find(product, label))
  if (product && !version) await records.versions.checkFree(product, label)
  if (!product) checkNewLabel(label)
  const opened = version ? await openStored(records, version) : openNew(label, title)
  const what = version ? WHAT[storedStatus(version)] : 'New draft'
  return {
    ...opened,
    product,
    notes: [
      `${what} ${opened.label} of ${name.team}/${name.product}.`,
      'To apply, save and close. To cancel, empty the file.',
      'Sections: Added, Changed, Deprecated, Removed, Fixed, Security.',
    ],
  }
}

const changed = ({ label }: OpenedProduct): Refusal =>
  new Refusal(`Another command changed version ${label} while you were editing.`, {
    hint: 'Run edit again, and add your changes.',
  })

async function save(
  by: Acting,
  { product, newTeam }: Awaited<ReturnType<typeof ACTS.findOrCreate.run>>,
  { stored, label: before, warnings: known }: OpenedProduct,
  { version, warnings }: Edited,
  context: Context,
): Promise<Outcome> {
  const { label, title } = version
  // A heading that is only a title.
  const isTitle =
    label !== before && label === title && /\s/.test(label) && !hasNumber(label) && dayIn(label) === null
  const edited = isTitle ? { ...version, label: await newLabel(by.records, product, title) } : version
  const types = new Set(stored?.section.changes.map(({ type }) => type))
  const typeNotes: string[] = []
  for (const type of new Set(edited.changes.map((change) => change.type)))
    if (!types.has(type)) typeNotes.push(...(await newTypeNotes(by.records, product, type)))

  const { saved } = await ACTS.save.run(by, product, stored, edited)
  return {
    json: { outcome: saved.outcome, ...versionJson(saved.version), ...pick(saved, 'fields', 'changes') },
    text: savedText(product, saved, stored?.version.label ?? saved.label),
    notes: [
      ...newTeamNotes(newTeam),
      ...warnings.filter((warning) => !known.includes(warning)).map(plain),
      ...typeNotes,
      ...nextStep(context, product, saved),
    ],
  }
}

function savedText(product: Product, saved: Saved, before: string): string {
  if (saved.outcome === 'unchanged') return unchanged('unchanged').text
  const name = `version ${plain(saved.label)} of ${address(product)}`
  const details = detailsOf(saved) || 'its text'
  const { dated, scheduled, publishedAt } = saved.version
  const isDated = saved.outcome === 'added' ? dated : saved.fields.includes('date')
  const date = isDated && !scheduled ? ` Its date is ${spelledOut(publishedAt)}.` : ''
  return saved.outcome === 'added'
    ? `Created ${name} (draft, ${saved.version.id}): ${details}.${date}`
    : `Updated ${name}${before === saved.label ? '' : ` (was ${plain(before)})`}: ${details}.${date}`
}

/** When a saved version becomes public, or how to publish it. */
function nextStep(context: Context, product: Product, { outcome, version }: Saved): Message[] {
  if (outcome === 'unchanged' || version.status === 'published') return []
  if (version.scheduled) return [`It will be published at ${ahead(version.publishedAt, context.now())}.`]
  const name = address(product)
  if (version.label === UNRELEASED) return [toRun('To release it as a version', 'release', [name, 'VERSION'])]
  return [toRun('It is a draft. To publish it', 'version publish', [name, version.label])]
}

const unchanged = (why: 'empty' | 'unchanged'): Outcome => ({
  json: { outcome: 'unchanged' },
  text: why === 'empty' ? 'Nothing was changed: the text is empty.' : 'Nothing was changed.',
})
