import { act } from './acting.ts'
import { deleteRecords, deleteVersion, restore, restoreVersion } from './deletion.ts'
import { importSource } from './importing.ts'
import * as products from './products.ts'
import * as versions from './versions.ts'

/** Everything that people do to content. Each is written once: commands, the desk and `apply` translate and show. */
export const ACTS = {
  createTeam: act({ event: 'created', needs: 'settings', undo: 'act', run: products.createTeam }),
  updateTeam: act({ event: 'updated', needs: 'settings', undo: 'act', run: products.updateTeam }),

  import: act({ event: 'imported', needs: 'settings', undo: 'history', run: importSource }),
  findOrCreate: act({ event: 'created', needs: 'settings', undo: 'act', run: products.findOrCreate }),
  createProduct: act({ event: 'created', needs: 'settings', undo: 'act', run: products.createProduct }),
  updateProduct: act({ event: 'updated', needs: 'settings', undo: 'act', run: products.updateProduct }),
  updateChangelog: act({ event: 'updated', needs: 'settings', undo: 'act', run: products.updateChangelog }),
  addPicture: act({ event: 'picture', needs: 'write', undo: 'act', run: products.addPicture }),
  publishProduct: act({ event: 'published', needs: 'publish', undo: 'act', run: products.publishProduct }),
  makePublic: act({ event: 'made_public', needs: 'publish', undo: 'act', run: products.makePublic }),

  create: act({ event: 'saved', needs: 'write', undo: 'act', run: versions.createVersion }),
  save: act({ event: 'saved', needs: 'write', undo: 'history', run: versions.saveText }),
  release: act({ event: 'published', needs: 'publish', undo: 'history', run: versions.release }),
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

  addChange: act({ event: 'saved', needs: 'write', undo: 'history', run: versions.addChange }),
  updateChange: act({ event: 'saved', needs: 'write', undo: 'history', run: versions.updateChange }),
  moveChange: act({ event: 'saved', needs: 'write', undo: 'history', run: versions.moveChange }),

  delete: act({ event: 'deleted', needs: 'settings', undo: 'kept', run: deleteRecords }),
  deleteVersion: act({ event: 'deleted', needs: 'write', undo: 'kept', run: deleteVersion }),
  restore: act({ event: 'restored', needs: 'settings', undo: 'act', run: restore }),
  restoreVersion: act({ event: 'restored', needs: 'write', undo: 'act', run: restoreVersion }),
}
