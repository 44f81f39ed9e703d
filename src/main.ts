#!/usr/bin/env bun
import { setUpEngine } from './javascript-engine.ts'

setUpEngine(process)
// Not sooner: a server would load it twice.
void import('./running.ts')
