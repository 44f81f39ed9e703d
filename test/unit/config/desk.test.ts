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
