import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeNeeding } from '../../support/needs.ts'
import { PROGRAM } from '../../support/sandbox.ts'

const text = await Bun.file(join(import.meta.dir, '../../../Dockerfile')).text()

describeNeeding('ldd', Bun.which('ldd') !== null, 'the image', () => {
  test('has every library that the binary links against, and no other', async () => {
    const linked = await new Response(Bun.spawn(['ldd', ...PROGRAM]).stdout).text()
    const names = [...linked.matchAll(/^\s*(\S+) => \//gm)].map(([, name]) => name)
    const copied = /for library in ([^;]+);/.exec(text)?.[1]?.split(' ') ?? []
    expect(copied.toSorted()).toEqual(names.toSorted() as string[])
    const loaders = [...text.matchAll(/loader=(\S+)/g)].map(([, path]) => `/${path}`)
    expect(
      loaders.filter((path) => linked.includes(` ${path} `) || linked.includes(`\t${path} `)),
    ).toHaveLength(1)
  })
})

test('the image runs as a user without a name, and checks its own health', () => {
  expect(text).toContain('\nUSER 65532:65532\n')
  expect(text).toMatch(/\nHEALTHCHECK .* CMD \["\/changelogd", "healthcheck"\]\n/)
  for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
    expect(text).toContain(`org.opencontainers.image.${label}=`)
})
