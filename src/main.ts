#!/usr/bin/env bun
import { hurry, isServer } from './run/hurry.ts'

// Before anything else is loaded: unheard, it would end the process.
if (isServer(process.argv[2])) process.on('SIGUSR2', hurry)
void import('./run/javascript-engine.ts').then(({ setUpEngine }) => {
  setUpEngine(process)
  // Not sooner: a server would load it twice.
  return import('./run/command.ts')
})
