import { type Check, ok, type Result, warn, wrong } from '../../../domain/finding.ts'
import { hintText } from '../../../domain/refusal.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { octal, writeFault } from '../../../files/access.ts'
import { fileAt, fileInstead } from '../../../files/lookup.ts'
import { trashFiles } from '../../../transfer/trash.ts'
import type { Context } from '../../context.ts'
import { trashDirectoryFrom } from '../../settings.ts'
import { plural } from '../../terminal/text.ts'

/** Checks that deleted records can be kept, and only their owner can read them. */
export const TRASH_CHECK: Check<{ context: Context; database: string }> = {
  name: 'trash',
  run: ({ context, database }) => trashResult(trashDirectoryFrom(context, database)),
}

function trashResult(path: string): Result {
  const file = fileInstead(path)
  if (file)
    return wrong(`${path} cannot be created: ${file} is a file`, 'Set TRASH_DIR to another directory.')
  const found = fileAt(path)
  if (!found) return ok(`nothing deleted is kept in ${path}`)
  const fault = writeFault(`${path}/x`)
  if (fault) return wrong(`${fault.path} ${fault.reason}, so nothing can be deleted`, hintText(fault.hint))
  if ((found.mode & 0o077) !== 0)
    return warn(
      `users other than the owner can list ${path} (${octal(found.mode)})`,
      `To change that: chmod 700 ${shellWord(path)}`,
    )
  const copies = trashFiles(path).length
  const kept = `${plural(copies, 'copy', 'copies')} of what was deleted ${copies === 1 ? 'is' : 'are'} kept in ${path}`
  return ok(`${kept}; undo lists what can be brought back`)
}
