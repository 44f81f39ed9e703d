import { basename, extname } from 'node:path'
import { ACTS } from '../../acts/acts.ts'
import { PICTURE_LIMITS, PictureRefused, pictureAddress } from '../../domain/pictures.ts'
import { address } from '../../domain/records.ts'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { bounded } from '../../domain/text/bounded.ts'
import { pictureMarkdown } from '../../formats/markdown/pictures.ts'
import { findProduct } from '../../transfer/find.ts'
import { rewritePicture } from '../../transfer/pictures/rewrite.ts'
import { productArgument } from '../arguments/arguments.ts'
import { commandGroup, reads, writes, writingCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { readInput } from '../files.ts'
import { listCommand, listed, withJson } from '../record-commands.ts'
import { actor, writing } from '../session.ts'
import { picturesMaxFrom } from '../settings.ts'
import { pictureJson } from '../terminal/json.ts'
import { pictureFields } from '../terminal/records.ts'

export function pictureCommand(context: Context) {
  const picture = commandGroup(context, 'picture', 'manage the pictures of a changelog', [
    'changelogd picture add acme/app shot.png',
    'changelogd picture list acme/app',
  ])

  writingCommand(
    picture,
    'add',
    'add a picture, and print the Markdown that shows it',
    [
      'changelogd picture add acme/app shot.png',
      'changelogd picture add acme/app shot.png --alt "The new dashboard"',
    ],
    'It takes PNG, JPEG, WebP and GIF files up to 10 MB, and\nstores them as WebP without metadata. GIFs that move stay\nGIFs, up to 5 MB.\n\n',
  )
    .addArgument(productArgument())
    .argument('<file>', 'the picture; - for standard input')
    .option('--alt <text>', 'what it shows, for people who cannot see it (default: the name of the file)')
    .action(async (name, file, { alt, ...options }) => {
      const rewritten = await rewritePicture(file, await readPictureFile(context, file))
      const words = alt ?? (file === '-' ? '' : basename(file, extname(file)))
      const most = picturesMaxFrom(context)
      return writing(context, options, async (records) => {
        const { added } = await ACTS.addPicture.run(actor(context, records), name, rewritten, most)
        const markdown = pictureMarkdown(added.id, words)
        return { json: { ...pictureJson(added), markdown }, text: markdown }
      })
    })

  listCommand(picture, 'list the pictures of a product', 'changelogd picture list acme/app')
    .addArgument(productArgument())
    .action(
      reads(context, async (records, name) => {
        const product = await findProduct(records, name)
        const none = toRun('No pictures yet. To add one', 'picture add', [address(product), 'shot.png'])
        return listed(context, await records.pictures.list(product), pictureFields, pictureJson, none)
      }),
    )

  writingCommand(
    picture,
    'remove',
    'remove a picture that no version shows',
    withJson(`changelogd picture remove acme/app ${pictureAddress(EXAMPLE)}`),
  )
    .addArgument(productArgument())
    .argument('<picture>', 'the picture, as its address in texts or its id')
    .action(
      writes(context, async (records, name, named) => {
        const product = await findProduct(records, name)
        const all = await records.pictures.list(product)
        const found = all.find(({ id }) => id === named || pictureAddress(id) === named)
        if (!found)
          throw new Refusal(`${address(product)} has no picture ${named}.`, {
            kind: 'not_found',
            hint: toRun('To list what exists', 'picture list', [address(product)]),
          })
        await records.pictures.remove(product, found)
        const text = `Removed ${pictureAddress(found.id)}.`
        return { json: { ...pictureJson(found), removed: true }, text }
      }),
    )
  return picture
}

const EXAMPLE = '6a5e14493e3558e82abffe80b191eabf-1280x720'

/** The bytes of a file, of which no more are read than a picture may have. */
export async function readPictureFile(context: Context, file: string): Promise<Uint8Array> {
  const tooLarge = () => new PictureRefused(file, 'large')
  const chunks = bounded(readInput(context, file), PICTURE_LIMITS.given, tooLarge)
  // A stream may use the memory of a chunk again.
  return Buffer.concat(await Array.fromAsync(chunks, (chunk) => chunk.slice()))
}
