import { describe, test } from 'bun:test'

/**
 * `describe` for what needs a program that may not be installed. Without it the tests are left out, and with
 * `REQUIRE_ALL_TESTS=true` that fails.
 */
export function describeNeeding(
  program: string,
  isInstalled: boolean,
  name: string,
  tests: () => void,
): void {
  if (isInstalled) describe(name, tests)
  else if (process.env.REQUIRE_ALL_TESTS !== 'true')
    test.skip(`${name}: left out, as ${program} is not installed`, () => {})
  else
    test(name, () => {
      throw new Error(`${program} is not installed`)
    })
}
