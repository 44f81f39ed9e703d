#!/usr/bin/env bun
import { version } from '../package.json'
import type { Context } from './cli/context.ts'
import { run } from './cli/program.ts'

const context: Context = {
  version,
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  terminal: { input: process.stdin.isTTY === true, output: process.stdout.isTTY === true },
  now: Date.now,
  confirm: async (question) => {
    process.stderr.write(`${question} [y/N] `)
    for await (const line of console) return /^y(es)?$/i.test(line.trim())
    return false
  },
  // Loaded when asked for: the other commands start faster without it.
  serve: async (config) => (await import('./http/server.ts')).serve(config),
  get: async (config, path, token) => (await import('./http/server.ts')).get(config, path, token),
}

process.exitCode = await run(context, process.argv.slice(2))
