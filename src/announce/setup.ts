import type { Config } from '../config/config.ts'
import { Notice } from '../domain/notice.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { open } from '../store/open.ts'
import { snapshotsOf } from './content.ts'
import type { Announcing } from './deliver.ts'
import { createLinks } from './message.ts'

type Settings = Pick<Config, 'publicUrl' | 'pages' | 'hooksPrivate'>

export function announcingFor(
  database: string,
  { publicUrl, pages, hooksPrivate }: Settings,
  version: string,
  { waiting, ...given }: Pick<Announcing, 'now' | 'report' | 'bookkeeping'> & { waiting: Waiting },
): Announcing {
  return {
    ...given,
    snapshot: snapshotsOf(() => open(database, 'read', waiting, given.now)),
    links: createLinks(publicUrl, pages),
    reach: { allowPrivate: hooksPrivate, version },
  }
}

/** Messages have absolute addresses. */
export function checkPublicUrl({ publicUrl }: Settings): void {
  if (publicUrl === '')
    throw new Refusal('PUBLIC_URL is not set, and messages link to your pages.', {
      hint: 'Set it to the address of your site, such as https://changelog.example.org.',
    })
}

/** Says once that hooks are told of nothing, if there are any. */
export async function reportUnannounced({ snapshot, report }: Announcing): Promise<void> {
  const hooks = await snapshot((records) => records.hooks.list())
  if (hooks.some(({ status }) => status === 'active'))
    report(new Notice('hook_stopped', 'PUBLIC_URL is not set, so hooks send nothing.', 'warning'))
}
