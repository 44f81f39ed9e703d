import { html, type Markup, trusted } from '../../notes/html/markup.ts'
import type { Reference, SchemaObject } from '../api/openapi/components.ts'

export const schemaSection = (name: string, schema: SchemaObject): Markup => html`<article id="${slug(name)}">
<h3>${name}</h3>
<p>${paragraphText(schema.description ?? '')}</p>
${fieldTable(name, schema)}
</article>`

const fieldTable = (name: string, { properties = {}, required = [] }: SchemaObject): Markup =>
  html`<section class="scroll" tabindex="0" aria-label="Fields of ${name}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${fields(properties, required, '')}
</tbody>
</table></section>`

/** A row for each field; those of a nested object follow it. */
const fields = (
  properties: NonNullable<SchemaObject['properties']>,
  required: readonly string[],
  prefix: string,
): Markup[] =>
  Object.entries(properties).map(([name, schema]) => {
    const own = '$ref' in schema ? {} : schema
    const note = required.includes(name) ? '' : html` <span class="note">optional</span>`
    return html`<tr><th scope="row"><code>${prefix}${name}</code>${note}</th><td>${typeOf(schema)}</td><td>${meaning(own)}</td></tr>
${own.properties ? fields(own.properties, own.required ?? [], `${prefix}${name}.`) : []}`
  })

const meaning = ({ description, examples, const: constant }: SchemaObject): Markup =>
  html`${paragraphText(description ?? (constant === undefined ? '' : `Always \`${constant}\`.`))}${
    examples ? html` <span class="note">Such as <code>${examples[0]}</code>.</span>` : ''
  }`

/** The type of a value in words, with a link to a named schema. */
export function typeOf(schema: SchemaObject | Reference): Markup {
  if ('$ref' in schema) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#${slug(name)}">${name}</a>`
  }
  if (schema.items) return html`array of ${typeOf(schema.items)}`
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  if (values.length > 0)
    return html`${values.map((value, at) => html`${at > 0 ? ' or ' : ''}<code>${value}</code>`)}`
  const range = schema.maximum === undefined ? '' : `, ${schema.minimum} to ${schema.maximum}`
  return html`${[schema.type].flat().join(' or ')}${range}`
}

/** Texts of the OpenAPI document as HTML. They are our own markdown. */

const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true }

export const blocks = (text: string): Markup => trusted(Bun.markdown.html(text, MARKDOWN))

/** A paragraph without its element. */
export const paragraphText = (text: string): Markup =>
  trusted(
    Bun.markdown
      .html(text, MARKDOWN)
      .trim()
      .replace(/^<p>|<\/p>$/g, ''),
  )

/** Indented JSON in a block that can be scrolled by keyboard. */
export const json = (value: unknown, label: string): Markup =>
  html`<pre tabindex="0" aria-label="${label}"><code>${JSON.stringify(value, null, 2)}</code></pre>`

export const slug = (name: string): string => name.toLowerCase()
