import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { exportedByServer, exportedByWorker, metricsIn } from '../../support/documents/exported-metrics.ts'
import { describeNeeding } from '../../support/needs.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { outputOf } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

const FILE = join(import.meta.dir, '../../../docs/alerts.yaml')

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string }
}

const RULES: Rule[] = parse(await Bun.file(FILE).text()).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)

test('alerts ask only for metrics and labels that are exported', async () => {
  const [server, worker] = [await exportedByServer(), await exportedByWorker()]
  const names = server.names.union(worker.names)
  // Prometheus adds these.
  const labels = server.labels.union(worker.labels).union(new Set(['instance', 'job']))
  for (const { expr, annotations } of RULES) {
    for (const name of metricsIn(expr)) expect(names).toContain(name)
    for (const label of expr.match(/\w+(?=!?=~?")/g) ?? []) expect(labels).toContain(label)
    for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
      expect(labels).toContain(label)
  }
})

type Values = readonly [first: number, growth: number]

/** What a server and a worker export while all is well: where it begins, and how much it grows a minute. */
const WELL: Readonly<Record<string, Values>> = {
  'up{job="changelogd"}': [1, 0],
  'process_start_time_seconds{job="changelogd"}': [0, 0],
  'changelogd_requests_total{status="200"}': [0, 600],
  'changelogd_requests_total{status="503"}': [0, 0],
  changelogd_store_errors_total: [0, 0],
  'changelogd_request_duration_seconds_bucket{le="0.5"}': [0, 600],
  'changelogd_request_duration_seconds_bucket{le="1"}': [0, 600],
  'changelogd_request_duration_seconds_bucket{le="+Inf"}': [0, 600],
  'changelogd_event_loop_lag_seconds_bucket{le="0.25"}': [0, 600],
  'changelogd_event_loop_lag_seconds_bucket{le="0.5"}': [0, 600],
  'changelogd_event_loop_lag_seconds_bucket{le="+Inf"}': [0, 600],
  'changelogd_limiter_refusals_total{limit="requests"}': [0, 6],
  changelogd_failed_logins_total: [0, 1],
  'changelogd_source_checks_total{result="unchanged"}': [0, 1],
  'changelogd_sources{state="ok"}': [1, 0],
  'changelogd_hooks{state="stopped"}': [0, 0],
  'changelogd_hooks{state="failing"}': [0, 0],
  changelogd_hook_deliveries_given_up: [0, 0],
  changelogd_copy_interval_seconds: [600, 0],
  changelogd_copy_newest_timestamp_seconds: [0, 60],
  changelogd_copy_verified_timestamp_seconds: [0, 0],
  changelogd_copy_faulty: [0, 0],
}

/** What is different when an alert is due after so many hours. */
const TROUBLE: Readonly<Record<string, [hours: number, series: Record<string, Values>]>> = {
  ChangelogdDown: [1, { 'up{job="changelogd"}': [0, 0] }],
  ChangelogdRestarts: [1, { 'process_start_time_seconds{job="changelogd"}': [0, 60] }],
  ChangelogdErrors: [1, { 'changelogd_requests_total{status="503"}': [0, 12] }],
  ChangelogdStoreErrors: [1, { changelogd_store_errors_total: [0, 1] }],
  ChangelogdSlow: [1, { 'changelogd_request_duration_seconds_bucket{le="0.5"}': [0, 300] }],
  ChangelogdBusy: [1, { 'changelogd_event_loop_lag_seconds_bucket{le="0.25"}': [0, 300] }],
  ChangelogdManyRefusals: [1, { 'changelogd_limiter_refusals_total{limit="requests"}': [0, 300] }],
  ChangelogdWrongPasswords: [1, { changelogd_failed_logins_total: [0, 120] }],
  ChangelogdSourceFails: [25, { 'changelogd_source_failing_since_seconds{product="a/b"}': [0, 0] }],
  ChangelogdSourcesUnchecked: [25, { 'changelogd_source_checks_total{result="unchanged"}': [5, 0] }],
  ChangelogdHookStopped: [1, { 'changelogd_hooks{state="stopped"}': [1, 0] }],
  ChangelogdHookGaveUp: [1, { changelogd_hook_deliveries_given_up: [1, 0] }],
  ChangelogdHookFails: [7, { 'changelogd_hooks{state="failing"}': [1, 0] }],
  ChangelogdCopyOld: [1, { changelogd_copy_newest_timestamp_seconds: [0, 0] }],
  ChangelogdCopyFaulty: [1, { changelogd_copy_faulty: [1, 0] }],
  ChangelogdCopyUnverified: [360, { changelogd_copy_verified_timestamp_seconds: [60, 0] }],
}

/** No backup was ever verified. */
const NEVER_VERIFIED = ['ChangelogdCopyUnverified', [360, {}]] as const

describeNeeding('promtool', Bun.which('promtool') !== null, 'an alert', () => {
  test('fires when it is due, and no other does', async () => {
    await using box = new Sandbox()
    expect(Object.keys(TROUBLE)).toEqual(RULES.map(({ alert }) => alert))
    const cases = [['', [25, {}]] as const, ...Object.entries(TROUBLE), NEVER_VERIFIED]
    /** One of these files of rules, as all tests of a file are evaluated as often. JSON is YAML. */
    const write = (
      name: string,
      evaluation_interval: string,
      isIn: (hours: number, alert: string) => boolean,
    ) => {
      const tests = cases
        .filter(([alert, [hours]]) => isIn(hours, alert))
        .map(([alert, [hours, different]]) => {
          // So that long times have few samples.
          const step = hours > 12 ? 5 : 1
          const values = ([first, growth]: Values) => `${first}+${growth * step}x${(hours * 60) / step}`
          const series = Object.entries({ ...WELL, ...different })
          return {
            interval: `${step}m`,
            input_series: series.map(([name, each]) => ({ series: name, values: values(each) })),
            promql_expr_test: [
              {
                expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
                eval_time: `${hours}h`,
                exp_samples: alert === '' ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }],
              },
            ],
          }
        })
      writeFileSync(box.at(name), JSON.stringify({ rule_files: [FILE], evaluation_interval, tests }))
    }
    // Those that are due after a day or later have no shorter time to wait for.
    const isLong = (hours: number, alert: string) => hours > 12 && alert !== ''
    write('long.yaml', '5h', isLong)
    write('short.yaml', '15m', (hours, alert) => !isLong(hours, alert))
    const command = ['promtool', 'test', 'rules', 'long.yaml', 'short.yaml']
    const { status, stdout, stderr } = await box.runProgram(command)
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' })
  })
})

describeNeeding('promtool', Bun.which('promtool') !== null, 'promtool', () => {
  test('finds nothing wrong with the metrics of a server and of its worker', async () => {
    await using box = await Sandbox.on('SQLite')
    await box.json('demo')
    const { lines } = outputOf(
      box.start(['serve', '--port', '0', '--worker'], {
        ...{ METRICS_PORT: '0', WORKER_METRICS_PORT: '0' },
        ...{ BACKUP_TO: 's3://copies/', S3_ENDPOINT: 'http://127.0.0.1:1' },
      }),
    )
    const urls = () => lines.flatMap((line) => /http:\S+\/metrics/.exec(line)?.[0] ?? [])
    await until(() => urls().length === 2)
    for (const [at, own] of ['changelogd_threads', 'changelogd_copies_total'].entries()) {
      const text = await (await fetch(urls()[at] ?? '')).text()
      expect(text).toContain(own)
      writeFileSync(box.at('metrics'), text)
      expect(await box.paste('promtool check metrics < metrics')).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      })
    }
  })
})
