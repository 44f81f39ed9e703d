import { TARGETS, type Target } from '../build.ts'

/** One platform that a release is for. */
export interface Platform {
  /** As in the names of archives and of npm packages. */
  readonly name: Target
  /** As npm and Node name them. */
  readonly os: 'linux' | 'darwin'
  readonly cpu: 'x64' | 'arm64'
  readonly libc?: 'glibc' | 'musl'
}

export const PLATFORMS: readonly Platform[] = TARGETS.map((name) => {
  const [os, cpu, musl] = name.split('-') as ['linux' | 'darwin', 'x64' | 'arm64', 'musl'?]
  return { name, os, cpu, ...(os === 'linux' ? { libc: musl ?? 'glibc' } : {}) }
})

/** What was tested of each program, for the notes of a release. */
export const SEEN: Record<Target, string> = {
  'linux-x64': 'started under QEMU',
  'linux-arm64': 'installed, used and removed on Debian 12',
  'linux-x64-musl': 'not run',
  'linux-arm64-musl': 'not run',
  'darwin-x64': 'not run; it is not signed',
  'darwin-arm64': 'not run; its ad-hoc signature is right',
}
