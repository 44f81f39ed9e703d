/** What happened to a server, by the name that programs know it by. Errors have names of their own. */
export type NoticeEvent =
  | 'database_back'
  | 'database_reopened'
  | 'database_upgraded'
  | 'database_waiting'
  | 'log_dropped'
  | 'redis_back'
  | 'redis_lost'
  | 'runtime'
  | 'thread_replaced'

/** What the operator of a server should know, and is no error. */
export class Notice {
  constructor(
    readonly event: NoticeEvent,
    readonly message: string,
    readonly level: 'info' | 'warning' = 'info',
  ) {}

  toString(): string {
    return this.message
  }
}
