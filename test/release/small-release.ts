import { type PlatformRelease, UNITS } from '../../release/contents.ts'
import { PLATFORMS } from '../../release/platforms.ts'

/** A release with a program of a few bytes. */
export function smallRelease(name = 'linux-x64', program = '#!/bin/sh\necho "$@"\n'): PlatformRelease {
  const platform = PLATFORMS.find((one) => one.name === name)
  if (!platform) throw new Error(`No platform ${name}`)
  return {
    source: {
      version: '1.2.3',
      description: 'Changelogs.',
      license: 'MIT',
      commit: 'c0ffee'.repeat(6),
      time: 1_700_000_000,
    },
    contents: {
      pages: [
        { path: 'README.md', data: '# changelogd\n\n[API](docs/reference/api.md)\n' },
        { path: 'docs/reference/api.md', data: '# API\n' },
      ],
      license: 'MIT License\n',
      changelog:
        '# Changelog\n\n## [1.2.3] - 2026-01-02\n\n### Fixed\n\n- A thing.\n\n## [1.2.2] - 2026-01-01\n\n- Old.\n',
      units: UNITS.map((path) => ({ path, data: '[Service]\nExecStart=/usr/bin/changelogd serve\n' })),
      settings: '#PORT=3000\n',
      manuals: [{ path: 'changelogd.1', data: '.TH CHANGELOGD 1\n' }],
      completions: { bash: 'bash', zsh: 'zsh', fish: 'fish' },
    },
    platform,
    program: new TextEncoder().encode(program),
  }
}
