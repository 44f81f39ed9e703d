import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As `name@version`. */
export const PACKAGES: readonly string[] = readFileSync(join(import.meta.dir, 'packages.txt'), 'utf8')
  .split('\n')
  .filter((line) => /^[^#]/.test(line))

/** Packages of Rush that ship a CHANGELOG.json and the CHANGELOG.md that Rush makes of it. */
export const RUSH: string[] = [
  '@microsoft/api-extractor@8.0.0',
  '@rushstack/eslint-patch@1.16.1',
  '@rushstack/heft@1.3.0',
  '@rushstack/node-core-library@5.25.1',
  '@rushstack/operation-graph@0.7.2',
  '@rushstack/package-deps-hash@4.7.28',
  '@rushstack/rig-package@0.7.4',
  '@rushstack/stream-collator@4.2.26',
  '@rushstack/terminal@0.24.7',
  '@rushstack/tree-pattern@0.4.1',
  '@rushstack/ts-command-line@5.3.17',
]

/** Why a file is rightly refused. */
export const REFUSALS: Record<string, string> = {
  '@elastic/elasticsearch@9.5.1': 'only the address of the changelog',
  'bluebird@3.7.2': 'only the address of the changelog',
  'grunt@0.4.1': 'YAML, not markdown',
  'nunjucks@1.3.3': 'only the address of the changelog',
  'phaser@4.2.1': 'only a table of links to other files',
  'ramda@0.17.0': 'only the address of the upgrade guides',
}

/** Packages at two versions: the older file is imported first, and then the newer one over it. */
export const UPGRADES: [string, string][] = [
  ['eslint-plugin-import@2.24.0', 'eslint-plugin-import@2.32.0'],
  ['mathjs@11.8.0', 'mathjs@15.2.0'],
  ['axios@1.8.3', 'axios@1.21.1'],
  ['helmet@4.4.1', 'helmet@8.3.0'],
  ['dotenv@14.3.0', 'dotenv@16.3.1'],
  ['stripe@13.2.0', 'stripe@23.1.0'],
  ['express@4.10.5', 'express@4.18.2'],
  ['date-fns@2.27.0', 'date-fns@4.4.0'],
  ['keep-a-changelog@2.6.1', 'keep-a-changelog@3.1.0'],
  ['@codemirror/view@6.11.2', '@codemirror/view@6.22.0'],
  ['leaflet@1.7.1', 'leaflet@1.9.4'],
  ['prismjs@1.24.0', 'prismjs@1.30.0'],
  ['acorn@8.2.3', 'acorn@8.19.0'],
  ['nodemailer@6.10.0', 'nodemailer@10.4.0'],
  ['moment@2.24.0', 'moment@2.31.0'],
  ['qs@6.11.2', 'qs@6.17.1'],
  ['mobx@6.4.1', 'mobx@7.1.3'],
  ['standard@14.0.0', 'standard@17.1.2'],
  ['expo-camera@55.0.5', 'expo-camera@57.0.6'],
  ['@metamask/controller-utils@11.14.1', '@metamask/controller-utils@12.3.0'],
  ['ckeditor4@4.19.0', 'ckeditor4@4.25.2'],
  ['koa@2.0.0', 'koa@2.13.4'],
  ['knex@0.21.0', 'knex@3.3.0'],
  ['rollup@2.40.0', 'rollup@2.79.1'],
  ['commander@4.0.0', 'commander@6.2.1'],
]
