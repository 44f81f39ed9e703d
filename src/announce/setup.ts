import type { Config } from '../config/config.ts'
import { Notice } from '../domain/notice.ts'
import type { Instant } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Waiting } from '../store/engines/wait.ts'
import { open } from '../store/open.ts'
import { snapshotsOf } from './content.ts'
import type { Announcing } from './deliver.ts'
import { createLinks, type Links } from './message.ts'
import { MAIL_SERVER_REMEDY, NO_MAIL_SERVER, type Reach } from './send.ts'

type Settings = Pick<
  Config,
  'publicUrl' | 'pages' | 'siteLanguage' | 'brandColor' | 'hooksPrivate' | MailSetting
>
type MailSetting = 'smtpUrl' | 'smtpPassword' | 'mailFrom' | 'mailReplyTo'

export function announcingFor(
  database: string,
  settings: Settings,
  version: string,
  { waiting, ...given }: Pick<Announcing, 'now' | 'report' | 'bookkeeping'> & { waiting: Waiting },
): Announcing {
  return {
    ...given,
    snapshot: snapshotsOf(() => open(database, 'read', waiting, given.now)),
    links: linksOf(settings),
    reach: reachOf(settings, version),
  }
}

export const linksOf = (settings: Settings): Links =>
  createLinks(settings.publicUrl, settings.pages, settings)

export const reachOf = (settings: Settings, version: string): Reach => ({
  allowPrivate: settings.hooksPrivate,
  mailServer:
    settings.smtpUrl === ''
      ? null
      : {
          url: settings.smtpUrl,
          password: settings.smtpPassword,
          from: settings.mailFrom,
          replyTo: settings.mailReplyTo,
        },
  version,
})

/** Mail needs a server. */
export function checkMailServer({ smtpUrl }: Pick<Settings, 'smtpUrl'>): void {
  if (smtpUrl === '') throw new Refusal(`${NO_MAIL_SERVER}.`, { hint: MAIL_SERVER_REMEDY })
}

/** Messages have absolute addresses. */
export function checkPublicUrl({ publicUrl }: Pick<Settings, 'publicUrl'>): void {
  if (publicUrl === '')
    throw new Refusal('PUBLIC_URL is not set, and messages link to your pages.', {
      hint: 'Set it to the address of your site, such as https://changelog.example.org.',
    })
}

/** In place of the announcer without PUBLIC_URL: says once that hooks send nothing, as soon as there is one. */
export const createUnannounced = ({ snapshot, now, report }: Announcing) => {
  let isSaid = false
  const round = async (): Promise<Instant> => {
    if (isSaid) return Number.POSITIVE_INFINITY
    const hooks = await snapshot((records) => records.hooks.list())
    if (hooks.every(({ status }) => status !== 'active')) return now() + LOOK_MS
    const what = 'PUBLIC_URL is not set, so hooks send nothing. Set it and restart the worker.'
    report(new Notice('hook_stopped', what, 'warning'))
    isSaid = true
    return Number.POSITIVE_INFINITY
  }
  return { round }
}

const LOOK_MS = 10_000
