import { hasPassword, isPostgres } from '../domain/addresses/database.ts'
import { isDirectory, parseKeep } from '../domain/backups.ts'
import { mapRows } from '../domain/objects.ts'
import { LANGUAGES } from '../domain/records.ts'
import * as kind from './values.ts'

export interface Setting<Value = unknown> {
  readonly name: string
  /** None for a password: other users can see the arguments of a process. */
  readonly flag?: string
  /** The value in help; without it, the flag alone means `true`. */
  readonly value?: string
  /** True if the flag alone means `true` although it takes a value. */
  readonly isOptional?: true
  readonly default?: string
  /** Shown in help instead of a default that depends on something. */
  readonly shownDefault?: string
  readonly meaning: string
  /** Never printed (a function decides by the text), and may be in the file that the variable with `_FILE` names. */
  readonly secret?: true | ((text: string) => boolean)
  /** The switch that requires this setting; while it is off, the setting is not read. */
  readonly requiredBy?: string
  /** The value of a text, or null if it is not allowed. A relative path is relative to `directory`. */
  parse(text: string, directory?: string): Value | null
  /** The allowed values, as a text after "must be". */
  readonly allowed: string
}

export const shownDefault = (setting: Setting): string | undefined => setting.shownDefault ?? setting.default

/** A row has a variable and a flag only if its key does not tell them. */
type SettingRow = Omit<Setting, 'name'> & { readonly name?: string; readonly hasFlag?: false }

const TABLE = {
  host: {
    default: '127.0.0.1',
    meaning: 'address the server listens on, or a unix socket as unix:PATH',
    ...kind.hostOrAddress,
  },
  port: {
    default: '3000',
    meaning: 'port the server listens on; with 0, it picks a free one',
    ...kind.wholeNumber(0, 65_535),
  },
  threads: {
    default: '1',
    meaning: 'number of serving threads, or auto for one per core; more than 1 only on Linux',
    ...kind.threadCount,
  },
  tlsCert: {
    meaning: 'certificate chain (PEM) for HTTPS; needs TLS_KEY',
    ...kind.pemFile,
  },
  tlsKey: { meaning: 'private key (PEM) of the certificate', ...kind.pemFile },
  /** An absolute path, or the URL of a PostgreSQL server. */
  database: {
    name: 'DATABASE_URL',
    flag: 'db',
    default: 'file:data/changelogd.db',
    shownDefault: "the service's database if installed from a package, otherwise file:data/changelogd.db",
    meaning: 'database: a path, a file: URL or a postgres: URL',
    secret: (text) => isPostgres(text) || hasPassword(text),
    ...kind.databaseAddress,
  },
  passwordProtection: {
    default: 'false',
    meaning:
      'require a password (HTTP Basic) for everything except health probes; set it with PASSWORD_PROTECTION_PASSWORD or PASSWORD_PROTECTION_PASSWORD_FILE',
    ...kind.trueOrFalse,
  },
  passwordProtectionUser: {
    value: 'NAME',
    secret: true,
    requiredBy: 'PASSWORD_PROTECTION',
    meaning: 'user name for password protection',
    allowed: 'a user name without a colon',
    parse: (text: string): string | null => (text.includes(':') ? null : text),
  },
  passwordProtectionPassword: {
    hasFlag: false,
    secret: true,
    requiredBy: 'PASSWORD_PROTECTION',
    meaning: 'password for password protection',
    allowed: 'a password',
    parse: (text: string): string | null => text,
  },
  rateLimitBurst: {
    default: '60',
    meaning: 'public requests a client may send at once',
    ...kind.wholeNumber(1, 1_000_000),
  },
  rateLimitPerMinute: {
    default: '60',
    meaning: 'public requests a client regains per minute',
    ...kind.wholeNumber(1, 1_000_000),
  },
  /** Empty for buckets of this server only. */
  rateLimitUrl: {
    secret: true,
    meaning: 'Redis, to share one rate limit between servers',
    ...kind.redisUrl,
  },
  trustedProxies: {
    meaning:
      'addresses and networks to trust X-Forwarded-For from, separated by commas; unix for a unix socket',
    ...kind.networks,
  },
  publicMaxAge: { default: '60', meaning: 'Cache-Control max-age of public responses', ...kind.seconds },
  cacheMaxBytes: {
    default: '67108864',
    meaning: 'memory for cached responses; 0 turns the cache off',
    ...kind.wholeNumber(0, Number.MAX_SAFE_INTEGER, 'BYTES'),
  },
  outageCacheSeconds: {
    default: '300',
    meaning: 'how long to serve cached public responses while PostgreSQL is down; 0 for never',
    ...kind.seconds,
  },
  metricsPort: {
    default: 'off',
    meaning: 'port for Prometheus metrics at /metrics; 0 picks a free port',
    ...kind.portOrOff,
  },
  metricsHost: { default: '127.0.0.1', meaning: 'address to listen on for metrics', ...kind.portHost },
  logRequests: {
    isOptional: true,
    default: 'off',
    meaning: 'log requests as JSON lines: all, or errors for a status of 400 or higher',
    ...kind.loggedRequests,
  },
  logFormat: {
    default: 'text',
    meaning: 'format of the server log: text or json',
    ...kind.logFormat,
  },
  pages: {
    default: 'on',
    meaning: 'serve web pages and feeds of public changelogs; unlisted hides the lists of changelogs',
    ...kind.pagesMode,
  },
  homePage: { meaning: 'changelog to show at /, instead of the list', ...kind.teamAndProduct },
  mcp: {
    default: 'on',
    meaning: 'serve changelogs to agents over MCP, at /mcp',
    ...kind.onOrOff,
  },
  mcpOrigins: {
    meaning: 'origins of web pages that can use /mcp besides PUBLIC_URL, separated by commas',
    ...kind.origins,
  },
  publicUrl: {
    meaning: 'public address of this server, for links in pages, feeds and messages',
    ...kind.origin,
  },
  hsts: {
    default: 'auto',
    meaning: 'Strict-Transport-Security over HTTPS, in seconds; auto is a year',
    ...kind.hstsAge,
  },
  siteName: { meaning: 'name of the site on its pages', ...kind.oneLine },
  siteLanguage: {
    default: 'en',
    meaning: `language of pages and of the widget, unless the product has one: ${LANGUAGES.join(', ')}`,
    ...kind.language,
  },
  brandColor: {
    default: '#3b5bdb',
    meaning: 'color of links and version labels on pages; adjusted for contrast',
    ...kind.color,
  },
  logoUrl: { meaning: 'image to show at the top of pages', ...kind.httpsUrl },
  shareImageUrl: {
    meaning: 'preview image of shared links, unless the release has one',
    ...kind.httpsUrl,
  },
  subscribeUrl: {
    meaning: 'form of the mailing list of the site, for the Subscribe menu of pages',
    ...kind.httpsUrl,
    allowed: 'an https URL, such as https://lists.example.com/subscribe',
  },
  worker: {
    default: 'false',
    meaning: 'also run a worker: it follows sources, sends hook messages and backs up',
    ...kind.trueOrFalse,
  },
  /** Empty for DATABASE_URL. */
  workerDatabase: {
    name: 'WORKER_DATABASE_URL',
    hasFlag: false,
    shownDefault: 'DATABASE_URL',
    meaning: 'database of the worker, if the server has a read-only role',
    secret: (text) => isPostgres(text) || hasPassword(text),
    allowed: kind.databaseAddress.allowed,
    parse: (text: string, directory?: string): string | null =>
      text === '' ? '' : kind.databaseAddress.parse(text, directory),
  },
  workerMetricsPort: {
    default: 'off',
    meaning: 'port for metrics of the worker, on METRICS_HOST; 0 picks a free port',
    ...kind.portOrOff,
  },
  followPrivate: {
    default: 'false',
    meaning: 'allow sources at private addresses, and plain http to them',
    ...kind.trueOrFalse,
  },
  followKnownHosts: {
    meaning: 'known_hosts file, required for ssh sources',
    ...kind.filePath,
  },
  /** Empty for the default: see `besideDatabase`. */
  followDirectory: {
    name: 'FOLLOW_DIR',
    hasFlag: false,
    shownDefault: 'mirrors next to the database; data/mirrors on PostgreSQL',
    meaning: 'directory for mirrors of git repositories',
    ...kind.directory,
  },
  githubToken: { hasFlag: false, secret: true, meaning: 'token for sources at github.com', ...kind.token },
  gitlabToken: { hasFlag: false, secret: true, meaning: 'token for sources at gitlab.com', ...kind.token },
  forgejoToken: { hasFlag: false, secret: true, meaning: 'token for sources at codeberg.org', ...kind.token },
  websubHub: {
    meaning: 'WebSub hub for the feeds, to notify readers of new releases immediately',
    ...kind.httpsUrl,
    allowed: 'an https URL, such as https://hub.example.org',
  },
  hooksPrivate: {
    default: 'false',
    meaning: 'allow hooks at private addresses, and plain http to them',
    ...kind.trueOrFalse,
  },
  /** Empty for none: then mail hooks send nothing. */
  smtpUrl: {
    hasFlag: false,
    secret: hasPassword,
    meaning: 'mail server for mail hooks, as smtps://user@host:465 or smtp://user@host:587',
    ...kind.smtpUrl,
  },
  smtpPassword: {
    hasFlag: false,
    secret: true,
    meaning: 'password of the user in SMTP_URL',
    allowed: 'a password',
    parse: (text: string): string | null => text,
  },
  mailFrom: { hasFlag: false, meaning: 'sender of mail; required by SMTP_URL', ...kind.mailbox },
  mailReplyTo: {
    hasFlag: false,
    shownDefault: 'MAIL_FROM',
    meaning: 'address that answers to mail go to',
    ...kind.mailbox,
  },
  /** Where programs before 0.5.0 kept what `migrate` takes in. Empty for the default: see `besideDatabase`. */
  trashDirectory: {
    name: 'TRASH_DIR',
    hasFlag: false,
    shownDefault: 'trash next to the database; data/trash on PostgreSQL',
    meaning: 'no effect, but for migrate, which takes in deletions of 0.4.0',
    ...kind.directory,
  },
  picturesMaxBytes: {
    hasFlag: false,
    default: '209715200',
    meaning: 'most bytes of pictures that a product may have',
    ...kind.wholeNumber(0, Number.MAX_SAFE_INTEGER, 'BYTES'),
  },
  /** The settings below have no flags, because `serve` makes no backups. */
  backupTo: {
    hasFlag: false,
    meaning: 'bucket for automatic backups, as s3://BUCKET/PATH/; SQLite only',
    allowed: 'a directory of a bucket, such as s3://copies/changelogd/',
    parse: (text: string): string | null => (text === '' || isDirectory(text) ? text : null),
  },
  backupEvery: { hasFlag: false, default: '1d', meaning: 'how often to back up', ...kind.hoursToYear },
  backupKeep: {
    hasFlag: false,
    meaning:
      'backups to keep: one for each of so many days, weeks and months, such as 7d,4w,12m (default: all)',
    allowed: 'numbers of days, weeks and months, such as 7d,4w,12m',
    parse: (text: string): string | null =>
      text === '' || (!/\s/.test(text) && parseKeep(text)) ? text : null,
  },
  s3Endpoint: {
    hasFlag: false,
    shownDefault: 'Amazon S3',
    meaning: 'address of the S3 server',
    ...kind.origin,
  },
  s3Region: { hasFlag: false, default: 'us-east-1', meaning: 'region of the bucket', ...kind.oneLine },
  s3AccessKeyId: { hasFlag: false, secret: true, meaning: 'access key for the bucket', ...kind.oneLine },
  s3SecretAccessKey: { hasFlag: false, secret: true, meaning: 'secret of the access key', ...kind.oneLine },
  s3SessionToken: {
    hasFlag: false,
    secret: true,
    meaning: 'session token for temporary credentials',
    allowed: 'a token',
    parse: (text: string): string | null => text.trim(),
  },
  /** The settings below are the desk's. */
  deskUrl: { hasFlag: false, meaning: 'public address of the desk, behind a proxy', ...kind.origin },
  deskHost: {
    hasFlag: false,
    default: '127.0.0.1',
    meaning: 'address the desk listens on',
    ...kind.portHost,
  },
  deskPort: {
    hasFlag: false,
    default: '0',
    shownDefault: 'a free port',
    meaning: 'port the desk listens on',
    ...kind.wholeNumber(0, 65_535),
  },
  deskUserHeader: {
    hasFlag: false,
    meaning: 'header with the name of the user, set by a proxy that signs people in',
    ...kind.headerName,
  },
  deskProxies: {
    hasFlag: false,
    meaning: 'addresses of these proxies; the header counts only from them',
    ...kind.proxies,
  },
  deskTeams: {
    hasFlag: false,
    meaning: 'teams whose changelogs can be written at the desk, separated by commas; * for all',
    ...kind.teams,
  },
  deskGroupsHeader: {
    hasFlag: false,
    meaning: 'header with the groups of the user, set by the same proxy',
    ...kind.headerName,
  },
  deskPublishers: {
    hasFlag: false,
    meaning: 'who may publish at the desk: names, or with DESK_GROUPS_HEADER groups; the others write drafts',
    ...kind.peopleOrGroups,
  },
} as const satisfies Readonly<Record<string, SettingRow>>

/** The settings by name in `Config`: `rateLimitBurst` is RATE_LIMIT_BURST and --rate-limit-burst. To add one, add a row. */
export const SETTINGS = mapRows<Record<string, SettingRow>, SettingRow>(TABLE, (row, key) => {
  const { name = key.replace(/[A-Z]/g, '_$&').toUpperCase(), hasFlag = true } = row
  const flag = name.toLowerCase().replaceAll('_', '-')
  return { name, ...(hasFlag && { flag }), ...row }
}) as { readonly [Key in keyof Table]: Table[Key] & Named<Table[Key]> }

type Table = typeof TABLE
type Named<Row> = { readonly name: string } & (Row extends { hasFlag: false }
  ? unknown
  : { readonly flag: string })
