import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../source.ts'
import { sha256 } from '../sums.ts'
import { runTool } from './tool.ts'

/**
 * Makes `directory` an apt repository of the packages in it, and returns the names of what a key adds. `key` names the key of
 * gpg that signs it. Without one, apt takes the repository only if it is told to trust it.
 */
export async function buildAptRepository(directory: string, source: Source, key?: string): Promise<string[]> {
  const packages = readdirSync(directory).filter((name) => name.endsWith('.deb'))
  const entries = packages.toSorted().map(async (name) => {
    const path = join(directory, name)
    const file = `Filename: ./${name}\nSize: ${Bun.file(path).size}\nSHA256: ${await sha256(path)}\n`
    return runTool(['dpkg-deb', '--field', path]).replace('\nDescription:', `\n${file}Description:`)
  })
  const index = (await Promise.all(entries)).join('\n')
  await Bun.write(join(directory, 'Packages'), index)
  await Bun.write(join(directory, 'Release'), releaseFile(source, index))
  if (!key) return []
  const sign = (...args: string[]) => runTool(['gpg', '--batch', '--local-user', key, ...args])
  await Bun.write(
    join(directory, 'InRelease'),
    sign('--output', '-', '--clearsign', join(directory, 'Release')),
  )
  await Bun.write(join(directory, 'changelogd.asc'), sign('--armor', '--export', key))
  return ['InRelease', 'changelogd.asc']
}

const releaseFile = ({ time }: Source, index: string): string => `Origin: changelogd
Label: changelogd
Suite: stable
Codename: stable
Date: ${new Date(time * 1_000).toUTCString().replace('GMT', 'UTC')}
Architectures: amd64 arm64
SHA256:
 ${new Bun.CryptoHasher('sha256').update(index).digest('hex')} ${Buffer.byteLength(index)} Packages
`
