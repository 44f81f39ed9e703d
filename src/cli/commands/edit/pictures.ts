import { resolve } from 'node:path'
import { Refusal } from '../../../domain/refusal.ts'
import type { ParsedVersion, Warning } from '../../../formats/parsed.ts'
import { addressesIn, NOT_TAKEN, type PicturePlace, takePictures } from '../../../transfer/pictures/take.ts'
import type { Edited } from '../../../transfer/section.ts'
import type { Context } from '../../context.ts'
import { readPictureFile } from '../picture.ts'

/** Takes in the files of this machine that an edited text shows, and the text before did not. */
export async function takeEdited(
  context: Context,
  { version, warnings: known }: Edited,
  text: string,
  before: ParsedVersion | undefined,
) {
  const versions = [version]
  const warnings: Warning[] = []
  const shown = before && addressesIn(before)
  const pictures = await takePictures({ versions, warnings }, text, filesFor(context), shown)
  const notes = warnings.map(({ line, message }) => `line ${line}: ${message}`)
  return { version: versions[0] ?? version, warnings: [...known, ...notes], pictures }
}

const filesFor = (context: Context): PicturePlace => ({
  file: '',
  isAnywhere: true,
  read: (path) =>
    readPictureFile(context, resolve(path)).catch((error: unknown) => {
      if (error instanceof Refusal && error.kind === 'not_found') return NOT_TAKEN.missing
      throw error
    }),
})
