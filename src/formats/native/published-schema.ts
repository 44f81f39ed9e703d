import { DOCUMENT, HEADER, LINE } from './records.ts'

/** Our own format as a JSON Schema for other programs: a line of `export --all`, or the export of one product. */
export const exportSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'An export of changelogd',
  description: 'Each line of `export --all`, or the document of `export TEAM/PRODUCT --format json`.',
  anyOf: [HEADER, LINE, DOCUMENT].map(published),
})

/** Without formats that only this program knows: their titles say what they are. */
function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published)
  if (typeof schema !== 'object' || schema === null) return schema
  const { format, title, mayBeSecret: _, ...rest } = schema as Record<string, unknown>
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, published(value)])),
    ...(typeof title === 'string' && { description: title }),
    // These may also be the names of fields.
    ...(typeof title === 'object' && { title: published(title) }),
    ...(typeof format === 'object' && { format: published(format) }),
  }
}
