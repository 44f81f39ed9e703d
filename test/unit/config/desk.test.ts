import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/config/config.ts'
import { deskSettings } from '../../../src/config/desk.ts'

const configWith = (header: string) =>
  readConfig(
    {},
    {
      DESK_URL: 'https://desk.example.com',
      DESK_PORT: '4000',
      DESK_USER_HEADER: header,
      DESK_PROXIES: '127.0.0.1',
      DESK_TEAMS: '*',
    },
  )

test.each([
  ...['Host', 'Cookie', 'Origin', 'User-Agent', 'Accept', 'Accept-Language', 'Referer', 'Content-Type'],
  ...[
    'CF-Connecting-IP',
    'CF-Ray',
    'CDN-Loop',
    'True-Client-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'DPR',
  ],
  ...[
    'X-Forwarded-Client-Cert',
    'X-Original-URL',
    'X-Envoy-External-Address',
    'X-B3-TraceId',
    'X-Amzn-Trace-Id',
  ],
  ...[
    'CloudFront-Viewer-Country',
    'Fastly-Client-IP',
    'X-Azure-ClientIP',
    'X-Request-Start',
    'Via',
    'Forwarded',
  ],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Authorization', 'Connection', 'Sec-Fetch-Site'],
])('%s, which every client can send, is no header of a user', async (header) => {
  expect(() => deskSettings(configWith(header))).toThrow(
    `DESK_USER_HEADER is ${header.toLowerCase()}, which clients send by themselves.`,
  )
})

test.each([
  'X-Forwarded-User',
  'X-Forwarded-Email',
  'Remote-User',
  'X-WebAuth-User',
  'X-User',
  'X-Auth-Request-Email',
  'X-Forwarded-Preferred-Username',
  'Cf-Access-Authenticated-User-Email',
  'Tailscale-User-Login',
  'X-Goog-Authenticated-User-Email',
  'X-MS-Client-Principal-Name',
  'X-Amzn-Oidc-Identity',
  'X-Authentik-Username',
])('%s is one', (header) => {
  expect(deskSettings(configWith(header)).access).toMatchObject({ header: header.toLowerCase() })
})

const TEAM = {
  DESK_URL: 'https://desk.example.com',
  DESK_PORT: '4000',
  DESK_USER_HEADER: 'X-User',
  DESK_PROXIES: '127.0.0.1',
}
const settingsOf = (env: Record<string, string>) => deskSettings(readConfig({}, { ...TEAM, ...env }))

test('groups after a team are groups until the next semicolon, and no team is for everyone by mistake', () => {
  const { teamsOf } = settingsOf({ DESK_TEAMS: 'acme=docs, web ;beta, open', DESK_GROUPS_HEADER: 'X-Groups' })
  expect([['docs'], ['web'], ['beta'], []].map((groups) => [...(teamsOf(groups) ?? [])])).toEqual([
    ['acme', 'beta', 'open'],
    ['acme', 'beta', 'open'],
    ['beta', 'open'],
    ['beta', 'open'],
  ])
  const all = settingsOf({ DESK_TEAMS: '*=admins;acme=docs', DESK_GROUPS_HEADER: 'X-Groups' })
  expect([all.teamsOf(['admins']), [...(all.teamsOf(['docs']) ?? [])]]).toEqual([null, ['acme']])
  for (const teams of ['acme=', 'acme,beta=docs', 'acme=docs;acme=web', 'Acme=docs'])
    expect(() => settingsOf({ DESK_TEAMS: teams, DESK_GROUPS_HEADER: 'X-Groups' })).toThrow('DESK_TEAMS is')
  expect(() => settingsOf({ DESK_TEAMS: 'acme=docs' })).toThrow('DESK_GROUPS_HEADER is not set')
})

test('publishers are names, or groups where the proxy sends groups', () => {
  const named = settingsOf({ DESK_TEAMS: '*', DESK_PUBLISHERS: 'Mira Okoro, Tomas' })
  expect(['Mira Okoro', 'Tomas', 'Sam', null].map((name) => named.mayPublish(name, ['Tomas']))).toEqual([
    true,
    true,
    false,
    false,
  ])
  const env = { DESK_TEAMS: '*', DESK_PUBLISHERS: 'editors', DESK_GROUPS_HEADER: 'X-Groups' }
  const grouped = settingsOf(env)
  expect([grouped.mayPublish('editors', []), grouped.mayPublish('Sam', ['editors'])]).toEqual([false, true])
  expect(settingsOf({ DESK_TEAMS: '*' }).mayPublish(null, [])).toBe(true)
  for (const header of ['Cookie', 'X-User'])
    expect(() => settingsOf({ ...env, DESK_GROUPS_HEADER: header })).toThrow('DESK_GROUPS_HEADER')
  expect(() => deskSettings(readConfig({}, { DESK_PUBLISHERS: 'Mira' }))).toThrow('needs DESK_USER_HEADER')
})
