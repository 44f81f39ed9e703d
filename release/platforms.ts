import { TARGETS, type Target } from '../build.ts'

/** One platform that a release is for. */
export interface Platform {
  /** As in the names of archives and of npm packages. */
  readonly name: Target
  /** As npm and Node name them. */
  readonly os: 'linux' | 'darwin' | 'win32'
  readonly cpu: 'x64' | 'arm64'
  readonly libc?: 'glibc' | 'musl'
  /** The file name of the program. */
  readonly program: string
  /** What was seen of it before releases, for their notes. */
  readonly tried: string
}

const TRIED: Record<Target, string> = {
  'linux-x64': 'runs on Debian 12',
  'linux-arm64': 'not run',
  'linux-x64-musl': 'not run',
  'linux-arm64-musl': 'not run',
  'darwin-x64': 'not run',
  'darwin-arm64': 'not run',
  'windows-x64': 'not run',
}

export const PLATFORMS: readonly Platform[] = TARGETS.map((name) => {
  const [os, cpu, musl] = name.split('-') as ['linux' | 'darwin' | 'windows', 'x64' | 'arm64', 'musl'?]
  return {
    name,
    os: os === 'windows' ? 'win32' : os,
    cpu,
    ...(os === 'linux' ? { libc: musl ?? 'glibc' } : {}),
    program: os === 'windows' ? 'changelogd.exe' : 'changelogd',
    tried: TRIED[name],
  }
})
