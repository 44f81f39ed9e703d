import { describe, expect, test } from 'bun:test'
import { flagOn } from '../../../src/cli/completion/completion.ts'
import { settingOptions } from '../../../src/cli/settings.ts'

const help = () => Object.fromEntries(settingOptions().map(({ flags, description }) => [flags, description]))

describe('settingOptions', () => {
  test('describes each setting once, with its default and its variables', () => {
    expect(help()).toMatchObject({
      '--port <number>': 'port the server listens on; with 0, it picks a free one (default: 3000, env: PORT)',
      '--log-requests [errors|all|off]':
        'log requests as JSON lines: all, or errors for a status of 400 or higher (default: off, env: LOG_REQUESTS)',
      '--password-protection [true|false]': expect.stringContaining(
        '(default: false, env: PASSWORD_PROTECTION)',
      ),
      '--password-protection-user <name>':
        'user name for password protection (env: PASSWORD_PROTECTION_USER or PASSWORD_PROTECTION_USER_FILE)',
    })
    expect(Object.keys(help()).filter((flags) => flags.startsWith('--db'))).toEqual([])
  })
})

describe('flagOn', () => {
  test('takes the last of several, as every other option does', () => {
    expect(flagOn(['status', '--config', 'one.env', '--config=other.env'], '--config')).toBe('other.env')
    expect(flagOn(['status', '--config=one.env', '--config', 'other.env'], '--config')).toBe('other.env')
    expect(flagOn(['status'], '--config')).toBeUndefined()
  })
})
