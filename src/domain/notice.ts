/** Events that a server logs, by the name that programs match on. Thrown errors have their own names. */
export type NoticeEvent =
  | 'copied'
  | 'copy_failed'
  | 'database_back'
  | 'database_created'
  | 'database_reopened'
  | 'database_upgraded'
  | 'database_waiting'
  | 'delivery_given_up'
  | 'hook_back'
  | 'hook_failing'
  | 'hook_stopped'
  | 'log_dropped'
  | 'pictures_removed'
  | 'redis_back'
  | 'redis_lost'
  | 'reload_failed'
  | 'reloaded'
  | 'runtime'
  | 'source_back'
  | 'source_failed'
  | 'source_imported'
  | 'source_notice'
  | 'source_waiting'
  | 'thread_replaced'
  | 'worker_missing'
  | 'worker_restarted'
  | 'worker_waiting'

export class Notice {
  constructor(
    readonly event: NoticeEvent,
    readonly message: string,
    readonly level: 'info' | 'warning' | 'error' = 'info',
  ) {}

  toString(): string {
    return this.message
  }
}
