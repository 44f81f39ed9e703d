#!/usr/bin/env node
// Runs the program of the package for this machine, with the same arguments, streams, signals and exit status.
const { spawn } = require('node:child_process')

const { platform, arch } = process
const name = `${platform}-${arch}${isMusl() ? '-musl' : ''}`
const { optionalDependencies } = require('./package.json')

function isMusl() {
  if (platform !== 'linux') return false
  return process.report.getReport().header.glibcVersionRuntime === undefined
}

function fail(message) {
  console.error(`changelogd: ${message}`)
  process.exit(1)
}

function findProgram() {
  const supported = Object.keys(optionalDependencies).map((one) => one.replace('@changelogd/', ''))
  if (!supported.includes(name))
    fail(`There is no program for ${name}. Supported platforms: ${supported.join(', ')}.`)
  try {
    return require.resolve(`@changelogd/${name}/changelogd`)
  } catch {
    fail(
      `The package @changelogd/${name} is not installed. Install @changelogd/cli again, without leaving out optional dependencies.`,
    )
  }
}

// Before the program runs: until then a signal would end only this process.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' })
child.on('error', (error) => fail(`The program of @changelogd/${name} does not start: ${error.message}`))
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
