import { attempt, type Finding } from '../../../domain/finding.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { octal, writeFault } from '../../../files/access.ts'
import { fileAt, fileInstead } from '../../../files/lookup.ts'
import type { Context } from '../../context.ts'
import { databaseFrom, trashDirectoryFrom } from '../../settings.ts'
import { counted } from '../../terminal/text.ts'
import { trashFiles } from '../../trash/directory.ts'

/** Checks that commands can keep what they delete, and that no one else can read it. */
export const trashFindings = (context: Context, flag: string | undefined): Finding[] =>
  attempt('trash', () => {
    const path = trashDirectoryFrom(context, databaseFrom(context, flag))
    const file = fileInstead(path)
    if (file)
      return [wrong(`${path} cannot be created: ${file} is a file`, 'Set TRASH_DIR to another directory.')]
    const found = fileAt(path)
    if (!found) return [{ state: 'ok', check: 'trash', message: `nothing deleted is kept in ${path}` }]
    const fault = writeFault(`${path}/x`)
    if (fault) return [wrong(`${fault.path} ${fault.reason}, so nothing can be deleted`, fault.hint)]
    if ((found.mode & 0o077) !== 0)
      return [
        {
          state: 'warn',
          check: 'trash',
          message: `users other than the owner can list ${path} (${octal(found.mode)})`,
          remedy: `To change that: chmod 700 ${shellWord(path)}`,
        },
      ]
    const copies = trashFiles(path).length
    const kept = `${counted(copies, 'copy', 'copies')} of what was deleted ${copies === 1 ? 'is' : 'are'} kept in ${path}`
    return [{ state: 'ok', check: 'trash', message: `${kept}; undo lists what can be brought back` }]
  })

const wrong = (message: string, remedy: string): Finding => ({
  state: 'wrong',
  check: 'trash',
  message,
  remedy,
})
