import { SETTINGS, type Setting } from '../../src/settings.ts'

const HEAD = `# Settings of the changelogd service. To apply a change: systemctl restart changelogd
# A line without its # sets something else than the default.
`

/** What the service sets, other than the program's defaults. */
const SERVICE: Record<string, string> = { DATABASE_URL: 'file:/var/lib/changelogd/changelogd.db' }

/** /etc/changelogd/changelogd.env: every setting with its meaning and its default. */
export function environmentFile(): string {
  const settings: Setting[] = Object.values(SETTINGS)
  return [HEAD, ...settings.map(line)].join('\n')
}

function line({ name, meaning, default: usual = '' }: Setting): string {
  const own = SERVICE[name]
  const text = meaning.replace(/.{1,100}(?: |$)/g, (part) => `# ${part.trimEnd()}\n`)
  return `${text}${own === undefined ? `#${name}=${usual}` : `${name}=${own}`}\n`
}
