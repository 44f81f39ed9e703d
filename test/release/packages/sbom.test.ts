import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { dependencies, devDependencies } from '../../../package.json'
import { createSbom } from '../../../release/sbom.ts'
import { smallRelease } from '../small-release.ts'

const ROOT = join(import.meta.dir, '../../..')
const { source } = smallRelease()

let text: string
let names: Set<string>
beforeAll(async () => {
  text = await createSbom(ROOT, source)
  const components: { group?: string; name: string }[] = JSON.parse(text).components
  names = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)))
})

test('the bill of materials is valid CycloneDX', async () => {
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
})

test('it is the same text each time: its time is that of the commit, and it has no number of its own', () => {
  const { serialNumber, metadata } = JSON.parse(text)
  expect([serialNumber, metadata.timestamp]).toEqual([undefined, new Date(source.time * 1000).toISOString()])
})

test('it names Bun and every dependency, those of dependencies included', () => {
  for (const name of ['bun', ...Object.keys(dependencies), 'memoirist']) expect([...names]).toContain(name)
})

test('it names nothing that only builds or tests', () => {
  for (const name of Object.keys(devDependencies)) expect([...names]).not.toContain(name)
})

test('each package has its version, its license and its address in the registry', () => {
  for (const component of JSON.parse(text).components)
    expect(component).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      licenses: [expect.anything()],
      purl: expect.stringMatching(/^pkg:npm\//),
    })
})
