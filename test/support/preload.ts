import { afterAll } from 'bun:test'
import { removeLeftovers } from './leftovers.ts'

// Registered before the first test file is loaded, so it runs once, after the last one.
afterAll(removeLeftovers)
