#!/usr/bin/env bun
import { keepHeapSmall } from './heap.ts'

keepHeapSmall(process)
// Not sooner: a server would load it twice.
void import('./running.ts')
