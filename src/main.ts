#!/usr/bin/env bun
import { hurry } from './run/hurry.ts'
import { isServer, setUpEngine } from './run/javascript-engine.ts'

setUpEngine(process)
// Before anything else is loaded: unheard, it would end the process.
if (isServer(process.argv[2])) process.on('SIGUSR2', hurry)
// Not sooner: a server would load it twice.
void import('./run/command.ts')
