import { mapRows, namesOf, pick } from '../objects.ts'

/**
 * The texts that a version or a change may have beside its title: markdown, null where there is none. To add one, add a row
 * here, and a column in `store/tables/schema.ts`. Types, reads, imports, exports, `--json` and the API have it then, in this
 * order, and the API describes it with `about` and `example`.
 */
export const VERSION_TEXTS = {
  description: {
    about: 'About the version as a whole, before the changes.',
    example: 'Search now covers **attachments**.',
  },
  closing: {
    about: 'What follows the changes, such as a link to the full changelog.',
    example: 'Thanks to everyone who reported slow searches.',
  },
}

export const CHANGE_TEXTS = {
  description: { about: 'More about the change.', example: 'They were sorted by name since `1.1.0`.' },
}

export type VersionTexts = Record<keyof typeof VERSION_TEXTS, string | null>
export type ChangeTexts = Record<keyof typeof CHANGE_TEXTS, string | null>

export const NO_VERSION_TEXTS: VersionTexts = mapRows(VERSION_TEXTS, () => null)
export const NO_CHANGE_TEXTS: ChangeTexts = mapRows(CHANGE_TEXTS, () => null)

export const VERSION_TEXT_NAMES = namesOf(VERSION_TEXTS)
export const CHANGE_TEXT_NAMES = namesOf(CHANGE_TEXTS)

/** The texts that a record has: a draft may lack some. */
export const versionTexts = <T extends Partial<Record<keyof VersionTexts, unknown>>>(record: T) =>
  pick(record, ...VERSION_TEXT_NAMES)
export const changeTexts = <T extends Partial<Record<keyof ChangeTexts, unknown>>>(record: T) =>
  pick(record, ...CHANGE_TEXT_NAMES)
