import { join } from 'node:path'
import { archiveName } from './contents.ts'
import { PLATFORMS } from './platforms.ts'
import type { Source } from './source.ts'
import { sha256 } from './sums.ts'

/** Where Homebrew installs what of an archive. */
const INSTALLED = [
  'bin.install "changelogd"',
  'man1.install Dir["man/man1/*"]',
  'bash_completion.install "completions/changelogd.bash" => "changelogd"',
  'zsh_completion.install "completions/_changelogd"',
  'fish_completion.install "completions/changelogd.fish"',
]

/** The formula that installs the archives of `directory` from `address`. */
export async function homebrewFormula(source: Source, address: string, directory: string): Promise<string> {
  const branches = PLATFORMS.filter(({ libc }) => libc !== 'musl').map(async (platform) => {
    const file = `${archiveName(source, platform)}.tar.gz`
    return `  on_${platform.os === 'darwin' ? 'macos' : 'linux'} do
    on_${platform.cpu === 'x64' ? 'intel' : 'arm'} do
      url "${address}/${file}"
      sha256 "${await sha256(join(directory, file))}"
    end
  end
`
  })
  return `class Changelogd < Formula
  desc "${source.description.replace(/\.$/, '')}"
  homepage "${address.replace(/\/releases\/download\/[^/]+$/, '')}"
  version "${source.version}"
  license "${source.license}"

${(await Promise.all(branches)).join('\n')}
  def install
    ${INSTALLED.join('\n    ')}
  end

  service do
    run [opt_bin/"changelogd", "serve"]
    keep_alive true
    working_dir var/"changelogd"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/changelogd --version")
  end
end
`
}
