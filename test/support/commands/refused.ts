import { expect } from 'bun:test'
import type { Result } from '../sandbox.ts'

/** Fails unless a command was refused, in one line that has these parts. Gives the line. */
export function refused({ status, stdout, stderr }: Result, ...parts: string[]): string {
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^changelogd: [^\n]+\n$/)
  for (const part of parts) expect(stderr).toContain(part)
  return stderr
}
