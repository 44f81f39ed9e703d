import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devDependencies } from '../../package.json'

interface Job {
  uses?: string
  permissions?: Record<string, string>
  steps?: { uses?: string }[]
}

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const DIRECTORY = join(import.meta.dir, '../../.github/workflows')

describe.each(readdirSync(DIRECTORY))('the workflow %s', (name) => {
  const workflow = Bun.YAML.parse(readFileSync(join(DIRECTORY, name), 'utf8')) as Workflow

  test('uses actions of others by their full commit only', () => {
    const jobs = Object.values(workflow.jobs)
    const used = jobs.flatMap(({ uses, steps = [] }) => [uses, ...steps.map((step) => step.uses)])
    for (const uses of used.filter((each) => each !== undefined))
      expect(uses).toMatch(/^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40})$/)
  })

  test('may write to the repository only where it creates a release', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const writing = Object.entries(workflow.jobs).filter(([, { permissions }]) => permissions !== undefined)
    expect(writing.map(([job]) => job)).toEqual(name === 'release.yml' ? ['release'] : [])
  })
})

test('the workflows and .ci/run use the Bun that the project is for', async () => {
  const files = [
    '.github/workflows/release.yml',
    '.ci/run',
    'Dockerfile',
    'compose.yaml',
    'compose.cluster.yaml',
  ]
  for (const file of files) {
    const text = await Bun.file(join(DIRECTORY, '../..', file)).text()
    const versions = [...text.matchAll(/\bbun[@:](\d[\d.]*\d)/g)].map(([, version]) => version)
    expect([file, ...new Set(versions)]).toEqual([file, devDependencies['bun-types']])
  }
})
