import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { claimSocket } from '../../../../src/http/listening/unix-socket.ts'
import { scratch } from '../../../support/scratch.ts'

let directory: ReturnType<typeof scratch>
let path: string
beforeEach(() => {
  directory = scratch()
  path = join(directory.path, 'x.sock')
})
afterEach(() => directory[Symbol.dispose]())

test('a path that another server is about to listen on is refused, until that lets go of it', async () => {
  const first = await claimSocket(path)
  await expect(claimSocket(path)).rejects.toThrow('another server is listening on it')
  first.release()
  const second = await claimSocket(path)
  second.release()
})

test('the socket of any other program that listens is refused, and stays', async () => {
  const other = Bun.listen({ unix: path, socket: { data: () => {} } })
  await expect(claimSocket(path)).rejects.toThrow('another server is listening on it')
  expect(existsSync(path)).toBe(true)
  other.stop(true)
})
