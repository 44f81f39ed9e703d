import { afterAll } from 'bun:test'
import { plugin } from 'bun'
import { removeLeftovers } from './leftovers.ts'

/** A test that takes longer hangs: on a busy machine, those of the browser take a minute. */
const HANGS_MS = 180_000

// The default timeout is that of one file, so each file sets it. Its lines stay where they are.
plugin({
  name: 'timeout',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
      contents: `require('bun:test').setDefaultTimeout(${HANGS_MS});${await Bun.file(path).text()}`,
      loader: 'ts',
    }))
  },
})

// Registered before the first test file is loaded, so it runs once, after the last one.
afterAll(removeLeftovers)
