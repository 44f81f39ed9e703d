import { expect, test } from 'bun:test'
import { changelogPagePath, isOwnName } from '../../../src/domain/addresses/paths.ts'
import { compileRoutes, ROUTES, routesFor } from '../../../src/http/routes.ts'

const UNDER_CHANGELOG = `${changelogPagePath(':team', ':product')}/`

test('what is under a changelog besides its versions has a name that no label leads to', () => {
  const names = ROUTES.filter(
    ({ path }) => path.startsWith(UNDER_CHANGELOG) && path !== `${UNDER_CHANGELOG}:version`,
  ).map(({ path }) => path.slice(UNDER_CHANGELOG.length).replace(/\/.*/, ''))
  expect(names).toContain('latest')
  expect(names.filter(isOwnName)).toEqual([])
})

test('a path leads to its own row of the table, and to no row above it', () => {
  for (const routes of [ROUTES, routesFor('acme/app')])
    for (const route of routes)
      expect(compileRoutes(routes)(route.path.replaceAll(':', '')).route).toBe(route)
})
