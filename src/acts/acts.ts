import { act } from './acting.ts'
import { deleteRecords, deleteVersion, restore, restoreVersion } from './deletion.ts'
import { makePublic, publishProduct } from './products.ts'
import * as versions from './versions.ts'

/** Everything that people do to content. Each is written once: commands, the desk and `apply` translate and show. */
export const ACTS = {
  publishProduct: act({ event: 'published', needs: 'publish', undo: 'act', run: publishProduct }),
  makePublic: act({ event: 'made_public', needs: 'publish', undo: 'act', run: makePublic }),

  update: act({ event: 'saved', needs: 'write', undo: 'history', run: versions.updateVersion }),
  publish: act({ event: 'published', needs: 'publish', undo: 'history', run: versions.publishVersion }),
  schedule: act({ event: 'scheduled', needs: 'publish', undo: 'history', run: versions.scheduleVersion }),
  unpublish: act({ event: 'unpublished', needs: 'publish', undo: 'history', run: versions.unpublishVersion }),
  unschedule: act({
    event: 'unscheduled',
    needs: 'publish',
    undo: 'history',
    run: versions.unscheduleVersion,
  }),
  yank: act({ event: 'yanked', needs: 'publish', undo: 'history', run: versions.yankVersion }),
  unyank: act({ event: 'unyanked', needs: 'publish', undo: 'history', run: versions.unyankVersion }),

  delete: act({ event: 'deleted', needs: 'settings', undo: 'kept', run: deleteRecords }),
  deleteVersion: act({ event: 'deleted', needs: 'write', undo: 'kept', run: deleteVersion }),
  restore: act({ event: 'restored', needs: 'settings', undo: 'act', run: restore }),
  restoreVersion: act({ event: 'restored', needs: 'write', undo: 'act', run: restoreVersion }),
}
