import type { Acting } from '../../../acts/acting.ts'
import { observe } from '../../../announce/observe.ts'
import { newSecret } from '../../../announce/send.ts'
import { checkMailServer, checkPublicUrl } from '../../../announce/setup.ts'
import type { HookKind } from '../../../domain/hook-kinds.ts'
import { checkKind } from '../../../domain/hooks.ts'
import type { Hook, Instant } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Holdings } from '../../../store/records/types.ts'
import type { WritableStore } from '../../../store/store.ts'
import type { Deletion } from '../../../transfer/undo/deletion.ts'
import type { Context } from '../../context.ts'
import type { Common } from '../../session.ts'
import { configFrom } from '../../settings.ts'
import { reachable, readUrl, withBookkeeping } from '../hook/shared.ts'
import { checkSecret } from '../hook/states.ts'

export interface ApplyRun extends Acting {
  steps: Step[]
  /** Deletions and replacements. They run last, once all of it is kept for `undo`. */
  endings: { deletion: Deletion; replace?: () => Promise<unknown> }[]
  hooks: HookChanges
  followPrivate(): boolean
}

export interface Step {
  action: 'create' | 'update' | 'delete'
  record: 'team' | 'product' | 'changelog' | 'key' | 'source' | 'hook'
  name: string
  changes: Record<string, { from: string | null; to: string | null }>
  /** The content of a deleted team or product. */
  held?: Holdings
  note?: string
  /** The id of a hook. */
  id?: string
  /** The token of a new key: it cannot be shown again. */
  token?: string
  /** The secret of a new webhook: it cannot be shown again. */
  secret?: string
}

/** The wanted fields that differ, as texts; null if none do. */
export function differences(is: object, wanted: object): Step['changes'] | null {
  const current: Record<string, unknown> = { ...is }
  const text = (value: unknown): string | null => (value == null ? null : String(value))
  const all = Object.entries(wanted)
    .map(([field, to]) => [field, { from: text(current[field]), to: text(to) }] as const)
    .filter(([, { from, to }]) => from !== to)
  return all.length === 0 ? null : Object.fromEntries(all)
}

/** Changes to hooks outside the database. */
export class HookChanges {
  /** Secrets by the id of the hook: one that signs, then a secret address. */
  readonly secrets = new Map<string, readonly string[]>()
  readonly resumed: Hook[] = []

  /** Secret addresses by their files. Standard input can be read only once. */
  readonly #addresses = new Map<string, Promise<string>>()

  constructor(
    private readonly context: Context,
    private readonly options: Common,
  ) {}

  /** The secrets of a new hook. Its address is checked, and may be in a file. */
  async secretsFor(
    kind: HookKind,
    url: string | null,
    file: string | undefined,
    isPlain: boolean,
  ): Promise<string[]> {
    const config = configFrom(this.context, { db: this.options.db })
    checkPublicUrl(config)
    if (kind === 'mail') {
      checkMailServer(config)
      return []
    }
    if (url !== null) reachable(this.context, this.options, url)
    const secrets = kind === 'webhook' ? [newSecret()] : []
    if (url !== null) return secrets
    if (file === undefined)
      throw new Refusal(`This ${kind} hook is new, so it needs urlFile: a file with its address.`)
    const address = await this.#addressIn(file)
    checkKind(kind, address, isPlain)
    return [...secrets, address]
  }

  async hasAddress({ id }: Hook, file: string): Promise<boolean> {
    const address = await this.#addressIn(file)
    return withBookkeeping(this.context, this.options, async ({ hookSecrets }) =>
      (await hookSecrets.list(id, this.context.now())).includes(address),
    )
  }

  #addressIn(file: string): Promise<string> {
    const address = this.#addresses.get(file) ?? readUrl(this.context, this.options, file)
    this.#addresses.set(file, address)
    return address
  }

  /** Writes the secrets before the hooks are committed, so that none lacks its own. Refuses to enable one without a secret. */
  async write(now: Instant): Promise<void> {
    if (this.secrets.size + this.resumed.length === 0) return
    await withBookkeeping(this.context, this.options, async (bookkeeping) => {
      const { hookSecrets, announced } = bookkeeping
      for (const hook of this.resumed) await checkSecret(hook, bookkeeping, now)
      for (const [id, secrets] of this.secrets)
        for (const secret of secrets) await hookSecrets.put(id, secret, now, now)
      for (const { id } of this.resumed) await announced.resume(id)
    })
  }

  /** Runs after that: new hooks skip versions that are already public, and deleted hooks are forgotten. */
  begin(store: WritableStore, now: Instant): Promise<unknown> {
    return withBookkeeping(this.context, this.options, (bookkeeping) =>
      observe((read) => store.snapshot(read), bookkeeping, now),
    )
  }
}
