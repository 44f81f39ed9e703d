import { html, type Markup } from '../../notes/html/markup.ts'
import type { ParameterObject, Reference, ResponseObject } from '../api/openapi/components.ts'
import type { ApiDocument, ApiOperation } from '../api/openapi/document.ts'
import { json, paragraphText, typeOf } from './schema.ts'

/** A route: what it does, its parameters as a form, and its responses. */
export const operationSection = (document: ApiDocument, path: string, operation: ApiOperation): Markup => {
  const { operationId: id, summary, description, security, parameters, responses } = operation
  const isKeyed = security.some((requirement) => 'key' in requirement)
  return html`<article id="${id}">
<h3>${summary}</h3>
<p class="route"><span class="method added">GET</span> <code>${path}</code></p>
<p>${paragraphText(description)}</p>
<form data-path="${path}" ${isKeyed ? 'data-keyed' : ''} aria-label="Try: ${summary}">
${parameters.length > 0 ? html`<h4>Parameters</h4>` : ''}
<div class="fields">
${parameters.map((parameter) => parameterField(id, parameter))}
</div>
<div class="try" hidden>
<p><button type="submit">Send request</button> <span class="status" role="status"></span></p>
<div class="result" hidden>
<pre class="head" tabindex="0" aria-label="Status and headers of the response"></pre>
<pre class="body" tabindex="0" aria-label="Body of the response"></pre>
</div>
<h4>Code</h4>
<div class="languages" role="group" aria-label="Language"></div>
<pre class="sample" tabindex="0" aria-label="Code that sends this request"></pre>
</div>
</form>
<h4>Responses</h4>
<dl class="responses">
${Object.entries(responses).map(([status, response]) => responseEntry(status, resolve(document, response)))}
</dl>
</article>`
}

/** The input has an effect only with the script. */
function parameterField(
  operation: string,
  { name, in: place, required, description, schema }: ParameterObject,
) {
  const id = `${operation}-${name}`
  const example = schema.examples?.[0] ?? schema.const ?? ''
  const value = place === 'path' ? example : ''
  return html`<div class="field">
<label for="${id}"><code>${name}</code> <span class="note">${place}, ${typeOf(schema)}${required ? ', required' : ''}</span></label>
<input id="${id}" type="text" name="${name}" data-in="${place}" value="${value}" placeholder="${example}" ${required ? 'required' : ''} autocomplete="off" spellcheck="false" aria-describedby="${id}-hint">
<p id="${id}-hint">${paragraphText(description)}</p>
</div>`
}

function responseEntry(status: string, { description, content }: ResponseObject): Markup {
  const { schema, example, examples = {} } = content?.['application/json'] ?? {}
  const shown = example === undefined ? Object.values(examples) : [{ summary: 'Example', value: example }]
  return html`<dt><code>${status}</code>${schema ? html` ${typeOf(schema)}` : ''}</dt>
<dd><p>${paragraphText(description)}</p>
${shown.map(
  ({ summary, value }) =>
    html`<details><summary>${summary}</summary>${json(value, `Example of a ${status}`)}</details>`,
)}
</dd>`
}

function resolve({ components }: ApiDocument, response: ResponseObject | Reference): ResponseObject {
  if (!('$ref' in response)) return response
  const found = components.responses[response.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`The document has no ${response.$ref}.`)
  return found
}
