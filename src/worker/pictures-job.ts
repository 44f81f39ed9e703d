import { Notice } from '../domain/notice.ts'
import { plural } from '../domain/text/plural.ts'
import { size } from '../domain/text/size.ts'
import { open } from '../store/open.ts'
import { derivePictures } from '../transfer/pictures/derive.ts'
import type { Job } from './loop.ts'
import { type WorkerSettings, workerDatabase } from './settings.ts'

const EVERY_MS = 3_600_000

/** Removes pictures that no version has shown for a while, and makes what is missing beside others. Writes only what there is to write. */
export const createPicturesJob = (
  { config, waiting, now: clock }: Pick<WorkerSettings, 'config' | 'waiting' | 'now'>,
  report: (event: unknown) => void,
): Job => ({
  round: async (now, signal) => {
    using store = await open(workerDatabase(config), 'write', waiting, clock)
    if (await store.snapshot(({ pictures }) => pictures.needTidying(now))) {
      const removed = await store.transaction(({ pictures }) => pictures.tidy(now))
      const bytes = size(removed.reduce((sum, each) => sum + each.size, 0))
      const text = `Removed ${plural(removed.length, 'picture')} that no version shows: ${bytes}.`
      if (removed.length > 0) report(new Notice('pictures_removed', text))
    }
    await derivePictures(store, signal)
    return now + EVERY_MS
  },
})
