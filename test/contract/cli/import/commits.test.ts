import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeNeeding } from '../../../support/needs.ts'
import type { Shown, Summary } from './prepared.ts'
import { withRepository } from './repository.ts'

/** A repository, an import of its commits, and the changes of a version as `type: title`. */
async function withHistory() {
  const at = await withRepository()
  const bring = (...options: string[]) =>
    at.box.json<Summary>('import', 'acme/app', '--git', at.path, '--commits', ...options)
  const changes = async (label: string) =>
    (await at.show(label)).changes.map(({ type, title }) => `${type}: ${title}`)
  const labels = async () => (await at.list()).map(({ version }) => version)
  /** Commits on a branch of its own, merged with a message. */
  const merge = async (name: string, messages: string[], message: string) => {
    const main = await at.git(['symbolic-ref', '--short', 'HEAD'])
    await at.git(['checkout', '--quiet', '-b', name])
    for (const one of messages) await at.commit(one, { file: name })
    await at.git(['checkout', '--quiet', main])
    await at.git(['merge', '--quiet', '--no-ff', '--message', message, name])
  }
  return { ...at, importCommits: bring, changes, labels, merge }
}

describeNeeding('git', Bun.which('git') !== null, 'import --git --commits', () => {
  test('makes versions of tags, annotated or not, and changes of the commits between them', async () => {
    await using at = await withHistory()
    await at.commit('feat: log in')
    await at.git(['tag', 'v1.0.0'])
    await at.commit('fix(api): count once (#12)', { day: '2026-02-03' })
    await at.commit('feat(api)!: rename `old_name`\n\nBREAKING CHANGE: use `new_name`.\n\nCloses #7\n')
    await at.commit('perf: be quick')
    await at.commit('chore!: drop Node 16')
    for (const type of ['chore', 'ci', 'docs', 'test', 'style', 'build', 'refactor', 'chore(release)'])
      await at.commit(`${type}: not for users`)
    await at.tag('v1.1.0', 'The quick one\n\nWords about it.\n\n- a list\n', '2026-02-03')
    expect(await at.importCommits()).toMatchObject({ added: 2 })
    expect(await at.changes('v1.0.0')).toEqual(['added: log in', 'changed: Begin'])
    expect(await at.show('v1.1.0')).toMatchObject({
      title: 'The quick one',
      status: 'published',
      publishedAt: '2026-02-03T02:04:05.000Z',
      description: 'Words about it.',
      changes: [
        {
          type: 'breaking-changes',
          title: '**api:** rename `old_name`',
          description: 'use `new_name`.',
        },
        { type: 'breaking-changes', title: 'drop Node 16', description: null },
        { type: 'fixed', title: '**api:** count once (#12)' },
        { type: 'performance', title: 'be quick' },
      ],
    })
  })

  test('changes nothing on a second import, and keeps every id when the history grows', async () => {
    await using at = await withHistory()
    await at.commit('feat: log in')
    await at.git(['tag', 'v1.0.0'])
    await at.importCommits()
    const before = (await at.box.words('export --all')).stdout
    const first = await at.show('v1.0.0')
    expect(await at.importCommits()).toMatchObject({ added: 0, updated: 0, unchanged: 1 })
    expect((await at.box.words('export --all')).stdout).toBe(before)
    await at.commit('feat: log out')
    await at.git(['tag', 'v1.1.0'])
    expect(await at.importCommits()).toMatchObject({ added: 1, updated: 0, unchanged: 1 })
    expect(await at.show('v1.0.0')).toEqual(first)
  })

  test('keeps plain subjects under Changed where the convention is not used, and leaves them out elsewhere', async () => {
    await using at = await withHistory()
    await at.commit('Add <T> and *args to `f(*x)`, see #3')
    await at.commit('Bump version to 1.0.0')
    await at.commit('fixup! Add')
    await at.git(['tag', '1.0.0'])
    await at.commit('feat: one')
    await at.commit('fix: two')
    await at.commit('oops')
    await at.git(['tag', '1.1.0'])
    const { warnings } = await at.importCommits()
    expect(await at.changes('1.0.0')).toEqual([
      'changed: Begin',
      'changed: Add \\<T> and \\*args to `f(*x)`, see #3',
    ])
    expect(await at.changes('1.1.0')).toEqual(['added: one', 'fixed: two'])
    expect(warnings).toEqual([
      {
        ...{ text: at.path, line: 1 },
        message: 'commits without a type are left out of 1.1.0, where most have one',
      },
    ] as never)
  })

  test('exports odd subjects as markdown that says the same when it is imported again', async () => {
    await using at = await withHistory()
    const odd = [
      '# x',
      '1. x',
      '[a]: b',
      '<!-- x',
      '**x**',
      '`x',
      'a `b_` c_',
      '&amp; \\x',
      '[x] y',
      '***',
      '> x',
    ]
    for (const subject of odd) await at.git(['commit', '--quiet', '--allow-empty', '--message', subject])
    await at.git(['tag', '1.0.0'])
    await at.importCommits()
    const before = await at.changes('1.0.0')
    expect(before).toHaveLength(odd.length + 1)
    await at.box.json('product', 'create', 'acme/copy', '--name', 'Copy')
    await at.box.words('export acme/app --format markdown --output copy.md')
    await at.box.json('import', 'acme/copy', at.box.at('copy.md'))
    const copy = await at.box.json<Shown>('version', 'show', 'acme/copy', '1.0.0')
    expect(copy.changes.map(({ type, title }) => `${type}: ${title}`)).toEqual(before)
  })

  test('takes the title of a merged pull request for commits that say nothing, else the commits', async () => {
    await using at = await withHistory()
    await at.merge('login', ['wip', 'more'], 'Merge pull request #12 from jane/login\n\nAdd a login page\n')
    await at.merge('api', ['feat(api): users', 'wip'], 'Merge pull request #13 from jane/api\n\nThe API\n')
    await at.merge(
      'look',
      ['tweak'],
      "Merge branch 'look' into 'main'\n\nNew look\n\nSee merge request acme/app!14\n",
    )
    await at.merge('old', ['Keep this'], "Merge branch 'old'\n")
    await at.git(['tag', 'v1.0.0'])
    await at.importCommits()
    expect(await at.changes('v1.0.0')).toEqual([
      'added: **api:** users',
      'changed: Begin',
      'changed: Add a login page (#12)',
      'changed: wip',
      'changed: New look (!14)',
      'changed: Keep this',
    ])
  })

  test('lists the pull requests of a development branch, not the merge of the release', async () => {
    await using at = await withHistory()
    const main = await at.git(['symbolic-ref', '--short', 'HEAD'])
    await at.git(['checkout', '--quiet', '-b', 'develop'])
    await at.merge('one', ['wip'], 'Merge pull request #1 from jane/one\n\nThe first\n')
    await at.merge('two', ['wip'], 'Merge pull request #2 from jane/two\n\nThe second\n')
    await at.git(['checkout', '--quiet', main])
    const message = 'Merge pull request #3 from acme/develop\n\nRelease\n'
    await at.git(['merge', '--quiet', '--no-ff', '--message', message, 'develop'])
    await at.git(['tag', 'v1.0.0'])
    await at.importCommits()
    expect(await at.changes('v1.0.0')).toEqual([
      ...['changed: Begin', 'changed: The first (#1)', 'changed: The second (#2)'],
    ])
  })

  test('leaves out what a version reverts itself, and names what it reverts of an earlier one', async () => {
    await using at = await withHistory()
    const early = await at.commit('feat(ui): dark mode')
    await at.git(['tag', 'v1.0.0'])
    const undone = await at.commit('feat: a mistake')
    await at.commit(`Revert "feat: a mistake"\n\nThis reverts commit ${undone}.\n`)
    await at.commit('feat: by number (#8)')
    await at.commit('Revert "feat: by number (#8)" (#9)\n\nReverts acme/app#8\n')
    const back = await at.commit('fix: there and back')
    const away = await at.commit(`Revert "fix: there and back"\n\nThis reverts commit ${back}.\n`)
    await at.commit(`Reapply "fix: there and back"\n\nThis reverts commit ${away}.\n`)
    await at.commit(`Revert "feat(ui): dark mode"\n\nThis reverts commit ${early}.\n`)
    await at.commit(`Revert "chore: not for users"\n\nThis reverts commit 0123456.\n`)
    await at.git(['tag', 'v1.1.0'])
    await at.commit(`Revert "Revert "feat(ui): dark mode""\n\nThis reverts commit 0123456.\n`)
    await at.commit('revert: feat: a thing of long ago')
    await at.git(['tag', 'v1.2.0'])
    await at.importCommits()
    expect(await at.changes('v1.1.0')).toEqual(['fixed: there and back', 'reverts: **ui:** dark mode'])
    expect(await at.changes('v1.2.0')).toEqual(['added: **ui:** dark mode', 'reverts: a thing of long ago'])
  })

  test('gives a commit to the first version that contains it, also with a branch of fixes', async () => {
    await using at = await withHistory()
    await at.commit('feat: one', { day: '2026-01-03' })
    await at.git(['tag', 'v1.0.0'])
    await at.git(['branch', 'fixes'])
    await at.commit('feat: two', { day: '2026-01-05' })
    await at.git(['tag', 'v2.0.0'])
    await at.git(['checkout', '--quiet', 'fixes'])
    await at.commit('fix: three', { day: '2026-01-07' })
    await at.git(['tag', 'v1.0.1'])
    await at.git(['tag', 'v1'])
    await at.tag('v1.0.1-rc.1', 'v1.0.1-rc.1', '2026-01-06')
    await at.importCommits()
    expect(await at.labels()).toEqual(['v1.0.1', 'v1.0.1-rc.1', 'v2.0.0', 'v1.0.0'])
    expect(await at.changes('v2.0.0')).toEqual(['added: two'])
    expect(await at.changes('v1.0.1')).toEqual(['fixed: three'])
    expect(await at.changes('v1.0.1-rc.1')).toEqual([])
  })

  test('--unreleased makes a draft of what is in no version, which its release takes over', async () => {
    await using at = await withHistory()
    await at.git(['tag', 'v1.0.0'])
    await at.commit('feat: log in')
    await at.commit('fix: log out')
    await at.importCommits()
    expect(await at.labels()).toEqual(['v1.0.0'])
    await at.importCommits('--unreleased')
    const draft = await at.show('Unreleased')
    expect(draft).toMatchObject({ status: 'draft', changes: [{ title: 'log in' }, { title: 'log out' }] })
    await at.git(['tag', 'v1.1.0'])
    await at.importCommits('--unreleased')
    const released = await at.show('v1.1.0')
    expect(released).toMatchObject({ id: draft.id, status: 'published' })
    expect(released.changes.map(({ id }) => id)).toEqual(draft.changes.map(({ id }) => id))
    expect(await at.labels()).toEqual(['v1.1.0', 'v1.0.0'])
  })

  test('--tag-prefix and --path read one package of a repository', async () => {
    await using at = await withHistory()
    await mkdir(join(at.path, 'packages/app'), { recursive: true })
    await at.commit('feat: of the app', { file: 'packages/app/x' })
    await at.commit('feat: of another')
    await at.merge('packages/app/y', ['wip'], 'Merge pull request #4 from jane/y\n\nOf a branch\n')
    await at.merge('z', ['wip'], 'Merge pull request #5 from jane/z\n\nOf another branch\n')
    await at.git(['tag', 'app@1.0.0'])
    await at.git(['tag', 'other@3.0.0'])
    await at.importCommits('--tag-prefix', 'app@', '--path', 'packages/app')
    expect(await at.labels()).toEqual(['1.0.0'])
    expect(await at.changes('1.0.0')).toEqual(['added: of the app', 'changed: Of a branch (#4)'])
    const refusal = (...options: string[]) =>
      at.box.refusal('import', 'acme/app', '--git', at.path, '--commits', ...options)
    expect(await refusal('--path', 'nowhere')).toContain('changes nowhere. Name a directory or file in ')
    expect(await refusal('--tag-prefix', 'x@')).toContain('has no tag that begins with "x@".')
  })

  test('--tag-prefix chooses annotated tags too', async () => {
    await using at = await withHistory()
    await at.tag('app@1.0.0', 'app@1.0.0\n\n- Everything\n', '2026-01-02')
    await at.tag('other@1.0.0', 'other@1.0.0\n\n- Else\n', '2026-01-02')
    await at.box.json('import', 'acme/app', '--git', at.path, '--tag-prefix', 'app@')
    expect(await at.changes('1.0.0')).toEqual(['changed: Everything'])
    expect(await at.labels()).toEqual(['1.0.0'])
  })

  test('refuses a shallow clone, whose older changes would go', async () => {
    await using at = await withHistory()
    await at.commit('feat: one')
    await at.git(['tag', 'v1.0.0'])
    await at.git(['clone', '--quiet', '--depth', '1', `file://${at.path}`, join(at.box.directory, 'shallow')])
    expect(
      await at.box.refusal('import', 'acme/app', '--git', join(at.box.directory, 'shallow'), '--commits'),
    ).toContain(
      'is a shallow clone: its older commits are missing. To get them: git fetch --unshallow --tags',
    )
  })

  test('needs --git, and its own options need it: anything else is wrong usage', async () => {
    await using at = await withHistory()
    for (const [args, message] of [
      [['CHANGELOG.md', '--commits'], '--commits needs --git'],
      [['CHANGELOG.md', '--tag-prefix', 'x'], '--tag-prefix needs --git'],
      [['--git', at.path, '--unreleased'], '--unreleased needs --commits'],
      [['--git', at.path, '--path', 'src'], '--path needs --commits'],
    ] as const) {
      const { status, stderr } = await at.box.run(['import', 'acme/app', ...args])
      expect(status).toBe(2)
      expect(stderr).toContain(message)
    }
  })
})
